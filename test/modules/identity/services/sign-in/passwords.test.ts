import { hash } from '@node-rs/argon2'
import test from 'ava'
import { Problem } from '../../../../../kernel/base/problem.ts'
import { PASSWORD_COST, setPasswordCost } from '../../../../../modules/identity/domain/password-cost.ts'
import { createPasswords } from '../../../../../modules/identity/services/sign-in/passwords.ts'
import { TEST_PASSWORD_COST } from '../../../../fixtures/setup.ts'

test.before(() => setPasswordCost(PASSWORD_COST))
test.after.always(() => setPasswordCost(TEST_PASSWORD_COST))

const passwords = createPasswords({ settings: { blocklist: ['Larder-Rules'] } })

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

test('rejects common passwords, blocked passwords and the email address, ignoring case', t => {
  const refused = (password: string) => {
    const error = t.throws(() => passwords.assertNotCommon(password, 'ada@example.test', '/password'))
    t.true(Problem.is(error) && error.status === 422)
    t.like(error, { extras: { errors: [{ pointer: '/password', code: 'common_password' }] } })
  }
  for (const password of ['password', 'Password123', 'larder-rules', 'ADA@example.test']) refused(password)
  t.notThrows(() => passwords.assertNotCommon('correct horse', 'ada@example.test', '/password'))
})
