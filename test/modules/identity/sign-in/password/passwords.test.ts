import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hash } from '@node-rs/argon2'
import test, { type ExecutionContext } from 'ava'
import { pino } from 'pino'
import { Problem } from '../../../../../kernel/base/problem.ts'
import { createBreachedPasswords } from '../../../../../modules/identity/sign-in/password/breached-passwords.ts'
import { commonPasswords } from '../../../../../modules/identity/sign-in/password/common-passwords.ts'
import {
  PASSWORD_COST,
  setPasswordCost,
} from '../../../../../modules/identity/sign-in/password/domain/password-cost.ts'
import { createPasswords } from '../../../../../modules/identity/sign-in/password/passwords.ts'
import { TEST_PASSWORD_COST } from '../../../../fixtures/setup.ts'

test.before(() => setPasswordCost(PASSWORD_COST))
test.after.always(() => setPasswordCost(TEST_PASSWORD_COST))

const log = pino({ level: 'silent' })
const passwordsWith = (breachUrl: string | undefined, blocklist: readonly string[] = []) =>
  createPasswords({
    settings: { blocklist },
    breachedPasswords: createBreachedPasswords({ log, settings: { breachUrl } }),
  })
const passwords = passwordsWith(undefined, ['Larder-Rules'])

test('stores passwords as argon2id with the current parameters', async t => {
  const hashed = await passwords.hash('correct horse')
  t.regex(hashed, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  t.deepEqual(await passwords.verify(hashed, 'correct horse'), { matches: true, outdated: false })
  t.deepEqual(await passwords.verify(hashed, 'correct hors'), { matches: false, outdated: false })
})

test('accepts an outdated hash and reports it for rehashing', async t => {
  const hashed = await hash('correct horse', { memoryCost: 8192, timeCost: 1, parallelism: 1 })
  t.deepEqual(await passwords.verify(hashed, 'correct horse'), { matches: true, outdated: true })
})

test('never matches the password of an unknown user', async t => {
  t.deepEqual(await passwords.verify(null, 'anything'), { matches: false, outdated: false })
})

test('accepts composed and decomposed characters as the same password', async t => {
  const hashed = await passwords.hash('pa\u0308sswo\u0308rter')
  t.true((await passwords.verify(hashed, 'p\u00e4ssw\u00f6rter')).matches)
})

const refuse = async (t: ExecutionContext, allowed: Promise<void>, code: string) => {
  const error = await t.throwsAsync(allowed)
  t.true(Problem.is(error) && error.status === 422)
  t.like(error, { extras: { errors: [{ pointer: '/password', code }] } })
}

test('rejects common passwords, blocked passwords and the email address, ignoring case', async t => {
  const assert = (password: string) => passwords.assertNotCommon(password, 'ada@example.test', '/password')
  const common = ['password', 'Password123', '87654321', 'qwertz123', 'fallen_angel']
  for (const password of [...common, 'larder-rules', 'ADA@example.test'])
    await refuse(t, assert(password), 'common_password')
  await t.notThrowsAsync(assert('correct horse'))
})

test('knows 10,000 common passwords of at least 8 characters', t => {
  const known = [...commonPasswords()]
  t.is(known.length, 10_000)
  t.deepEqual(
    known.filter(password => password.length < 8 || password !== password.toLowerCase()),
    [],
  )
})

test('rejects a password that a service knows from a breach, and sends only the start of its hash', async t => {
  const asked: (string | undefined)[] = []
  const url = await serve(t, (request, response) => {
    asked.push(request.url)
    // The SHA-1 hash of 'correct horse' without its first five digits, and padding.
    response.end(`${suffixOf('correct horse')}:3\r\n${suffixOf('padded away')}:0\r\n`)
  })
  const assert = (password: string) => passwordsWith(url).assertNotCommon(password, 'ada@example.test', '/password')
  await refuse(t, assert('correct horse'), 'breached_password')
  await t.notThrowsAsync(assert('padded away'))
  t.deepEqual(asked, [`/range/${hashOf('correct horse').slice(0, 5)}`, `/range/${hashOf('padded away').slice(0, 5)}`])
})

test('accepts a password and counts a failure if the service for breached passwords fails', async t => {
  const url = await serve(t, (_request, response) => response.writeHead(503).end())
  for (const breachUrl of [url, 'http://127.0.0.1:1/range/']) {
    const breachedPasswords = createBreachedPasswords({ log, settings: { breachUrl } })
    t.false(await breachedPasswords.has('correct horse'))
    t.deepEqual(breachedPasswords.counts, { breached: 0, unknown: 0, failed: 1 })
  }
})

const hashOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()
const suffixOf = (password: string) => hashOf(password).slice(5)

async function serve(t: ExecutionContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/range/`
}
