import { randomBytes } from 'node:crypto'
import { type Challenge, createChallenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import test from 'ava'
import { TEST_PASSWORD } from '../../../../../testing/index.ts'
import { withPeople } from '../../../../fixtures/with-people.ts'
import { connectAsOwner } from '../../../../reliability/fixtures.ts'
import { codeOf, identityRecipe, newEmail } from '../../fixtures.ts'
import { visitor } from '../../pages/forms.ts'

const { kernel, clock } = withPeople(test, {
  recipe: identityRecipe({ signIn: { challenge: { after: 2 } } }),
  clock: true,
  env: { TRUST_PROXY: '1' },
})

const newAddress = () => `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`
const WRONG = 'a wrong password'

interface Body {
  readonly challenge?: Challenge
}
interface Attempt {
  readonly password?: string
  readonly address?: string
  readonly challenge?: string
  readonly cookie?: string
}
function signIn(email: string, { password = WRONG, address = newAddress(), challenge, cookie }: Attempt = {}) {
  const client = kernel.with({ 'x-forwarded-for': address, ...(cookie !== undefined && { cookie }) })
  return client.post<Body>('/v1/auth/login', { email, password, ...(challenge !== undefined && { challenge }) })
}
async function solve(challenge: Challenge | undefined): Promise<string> {
  if (!challenge) throw new Error('the answer has no challenge')
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}
/** A solved challenge that the client itself has made. */
async function solveOwn(secret: string): Promise<object> {
  const parameters = { algorithm: 'PBKDF2/SHA-256', cost: 1, expiresAt: Date.now() / 1000 + 60 }
  const challenge = await createChallenge({ ...parameters, deriveKey, hmacSignatureSecret: secret })
  return { challenge, solution: await solveChallenge({ challenge, deriveKey }) }
}
/** An address with as many failures as the recipe allows. */
async function failTwice(email = newEmail('guessed')): Promise<string> {
  await signIn(email)
  await signIn(email)
  return email
}

test('asks for a solution after failed sign-ins of an address, whether or not it has an account', async t => {
  const ada = await kernel.register(newEmail('ada'))
  for (const email of [ada.email, newEmail('unknown')]) {
    const first = await signIn(email)
    t.is(codeOf(first), '401 invalid_credentials')
    t.is(first.body.challenge, undefined)
    const second = await signIn(email)
    t.is(codeOf(second), '401 invalid_credentials')
    t.truthy(second.body.challenge)
    const third = await signIn(email)
    t.is(codeOf(third), '403 challenge_required')
    t.truthy(third.body.challenge)
  }
})

test('asks a client for a solution after failures at different addresses', async t => {
  const address = newAddress()
  const ada = await kernel.register(newEmail('ada'))
  for (const email of [newEmail(), newEmail()]) await signIn(email, { address })
  t.is(codeOf(await signIn(ada.email, { address, password: TEST_PASSWORD })), '403 challenge_required')
  t.is(codeOf(await signIn(ada.email, { password: TEST_PASSWORD })), '200')
})

test('signs in with a solution, and asks for none afterwards', async t => {
  const { email } = await kernel.register(newEmail('ada'))
  await failTwice(email)
  const { body } = await signIn(email, { password: TEST_PASSWORD })
  const challenge = await solve(body.challenge)
  t.is(codeOf(await signIn(email, { password: TEST_PASSWORD, challenge })), '200')
  t.is(codeOf(await signIn(email)), '401 invalid_credentials')
})

test('accepts a solution once', async t => {
  const email = await failTwice()
  const challenge = await solve((await signIn(email)).body.challenge)
  t.is(codeOf(await signIn(email, { challenge })), '401 invalid_credentials')
  t.is(codeOf(await signIn(email, { challenge })), '403 challenge_required')
})

test.serial('a solution that cannot be stored is no wrong one', async t => {
  const email = await failTwice()
  const challenge = await solve((await signIn(email)).body.challenge)
  const owner = connectAsOwner(kernel.databaseUrl)
  await owner.query('alter table identity_used_challenges rename to moved')
  t.is(codeOf(await signIn(email, { challenge })), '500 internal')
  await owner.query('alter table moved rename to identity_used_challenges')
  t.is(codeOf(await signIn(email, { challenge })), '401 invalid_credentials')
  await owner.end()
})

test('refuses solutions that are wrong, forged or no solutions', async t => {
  const email = await failTwice()
  const { body } = await signIn(email)
  const { challenge, solution } = JSON.parse(Buffer.from(await solve(body.challenge), 'base64').toString())
  const wrong = [
    { challenge, solution: { ...solution, derivedKey: '00'.repeat(32) } },
    { challenge: { ...challenge, parameters: { ...challenge.parameters, keySignature: '' } }, solution },
    { challenge: { ...challenge, signature: '' }, solution },
    { ...(await solveOwn('mine')), hmacSignatureSecret: 'mine' },
    { challenge, solution: null },
    null,
  ].map(payload => Buffer.from(JSON.stringify(payload)).toString('base64'))
  for (const payload of [...wrong, 'no base64 of JSON'])
    t.is(codeOf(await signIn(email, { challenge: payload })), '403 challenge_required', payload)
})

test('asks no known device', async t => {
  const { email } = await kernel.register(newEmail('ada'))
  const { headers } = await signIn(email, { password: TEST_PASSWORD })
  const device =
    headers
      .getSetCookie()
      .find(cookie => cookie.startsWith('platform_device='))
      ?.split(';')[0] ?? ''
  await failTwice(email)
  t.is(codeOf(await signIn(email, { password: TEST_PASSWORD })), '403 challenge_required')
  t.is(codeOf(await signIn(email, { password: TEST_PASSWORD, cookie: device })), '200')
})

test('the page contains a challenge, and signs in with its solution', async t => {
  const { email } = await kernel.register(newEmail('ada'))
  const browser = visitor(kernel, undefined, { 'x-forwarded-for': newAddress() })
  t.notRegex((await browser.submit('/sign-in', { email, password: WRONG })).text, /data-challenge=/)
  const second = await browser.submit('/sign-in', { email, password: WRONG })
  t.is(second.status, 401)
  const third = await browser.submit('/sign-in', { email, password: TEST_PASSWORD })
  t.is(third.status, 403)
  t.regex(third.text, /needs JavaScript/)
  for (const { text } of [second, third]) t.regex(text, /data-challenge=/)
  const embedded = /data-challenge="([^"]+)"/.exec(third.text)?.[1]?.replaceAll('&quot;', '"') ?? ''
  const challenge = await solve(JSON.parse(embedded))
  t.is((await browser.submit('/sign-in', { email, password: TEST_PASSWORD, challenge })).status, 303)
})

test.serial('forgets failures after an hour, and expires challenges after five minutes', async t => {
  const email = await failTwice()
  const challenge = await solve((await signIn(email)).body.challenge)
  clock.forward(6 * 60_000)
  t.is(codeOf(await signIn(email, { challenge })), '403 challenge_required')
  clock.forward(61 * 60_000)
  t.is(codeOf(await signIn(email)), '401 invalid_credentials')
})
