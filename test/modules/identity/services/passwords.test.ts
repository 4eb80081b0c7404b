import { hash } from '@node-rs/argon2'
import test from 'ava'
import { Problem } from '../../../../kernel/base/problem.ts'
import { PASSWORD_COST, setPasswordCost } from '../../../../modules/identity/core/password-cost.ts'
import { createPasswords } from '../../../../modules/identity/services/passwords.ts'
import { TEST_PASSWORD_COST } from '../../../fixtures/setup.ts'

test.before(() => setPasswordCost(PASSWORD_COST))
test.after.always(() => setPasswordCost(TEST_PASSWORD_COST))

const passwords = createPasswords({ blocklist: ['Larder-Rules'] })

test('a password is kept as argon2id with the parameters of today', async t => {
  const hashed = await passwords.hash('correct horse')
  t.regex(hashed, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  t.deepEqual(await passwords.verify(hashed, 'correct horse'), { matches: true, stale: false })
  t.deepEqual(await passwords.verify(hashed, 'correct hors'), { matches: false, stale: false })
})

test('a password that was hashed in another way is good, and to be hashed again', async t => {
  const hashed = await hash('correct horse', { memoryCost: 8192, timeCost: 1, parallelism: 1 })
  t.deepEqual(await passwords.verify(hashed, 'correct horse'), { matches: true, stale: true })
})

test('nobody has no password', async t => {
  t.deepEqual(await passwords.verify(null, 'anything'), { matches: false, stale: false })
})

test('composed and decomposed letters are one password', async t => {
  const hashed = await passwords.hash('pa\u0308sswo\u0308rter')
  t.true((await passwords.verify(hashed, 'p\u00e4ssw\u00f6rter')).matches)
})

test('what everybody tries first is refused, in any case; so is the recipe’s list and the address itself', t => {
  const refused = (password: string) => {
    const error = t.throws(() => passwords.refuseCommon(password, 'ada@example.test', '/password'))
    t.true(Problem.is(error) && error.status === 422)
    t.like(error, { extras: { errors: [{ pointer: '/password', code: 'common_password' }] } })
  }
  for (const password of ['password', 'Password123', 'larder-rules', 'ADA@example.test']) refused(password)
  t.notThrows(() => passwords.refuseCommon('correct horse', 'ada@example.test', '/password'))
})
