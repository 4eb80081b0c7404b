import test from 'ava'
import { PASSWORD_COST, setPasswordCost } from '../../modules/identity/sign-in/password/domain/password-cost.ts'
import type { TestKernel } from '../../testing/index.ts'
import { TEST_PASSWORD_COST } from '../fixtures/setup.ts'
import { maxDelayedAttempts, newEmail, startIdentity } from '../modules/identity/fixtures.ts'
import { guessPasswords, signInConcurrently, startRateLimited } from './sign-in.ts'

let guarded: Awaited<ReturnType<typeof startRateLimited>>
let first: TestKernel

test.before(async () => {
  guarded = await startRateLimited(2)
  first = guarded.kernels[0] as TestKernel
})
test.after.always(() => guarded?.stop())

const from = (n: number) => `198.51.${n >> 8}.${n & 255}`

test('allows 20 attempts per account across addresses and processes, then delays them', async t => {
  const { email } = await first.register(newEmail('victim'))
  // Different spellings of one address.
  const spellings = [email, email.toUpperCase(), email.replace('v', 'V'), email.replace('test', 'TEST')]
  const guesses = Array.from({ length: 60 }, (_, n) => ({
    email: spellings[n % spellings.length] as string,
    address: from(n),
  }))
  const started = performance.now()
  const { outcomes } = await guessPasswords(guarded.kernels, guesses)
  const tried = outcomes['401 invalid_credentials'] ?? 0
  t.is(tried + (outcomes['429 rate_limited'] ?? 0), guesses.length)
  t.true(tried >= 20 && tried <= 20 + guarded.kernels.length * maxDelayedAttempts(started), `${tried} tried`)
})

test('allows 10 attempts per account and address', async t => {
  const { email } = await first.register(newEmail('other'))
  const { outcomes } = await guessPasswords(
    guarded.kernels,
    Array.from({ length: 30 }, () => ({ email, address: from(1000) })),
  )
  t.deepEqual(outcomes, { '401 invalid_credentials': 10, '429 rate_limited': 20 })
})

test('the page and the API share the limit', async t => {
  const { email } = await first.register(newEmail('reader'))
  const form = new URLSearchParams({ email, password: 'wrong' }).toString()
  const started = performance.now()
  const attempts = Array.from({ length: 30 }, (_, n) => {
    const headers = { 'x-forwarded-for': from(3000 + n) }
    const page = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
    return n % 2 === 0
      ? first.post<unknown>('/v1/auth/login', { email, password: 'wrong' }, { headers })
      : first.post<unknown>('/sign-in', form, { headers: { ...headers, ...page } })
  })
  const statuses = (await Promise.all(attempts)).map(({ status }) => status)
  t.true(
    statuses.every(status => status === 401 || status === 429),
    String(statuses),
  )
  const tried = statuses.filter(status => status === 401).length
  t.true(tried >= 20 && tried <= 20 + maxDelayedAttempts(started), `${tried} tried`)
})

test('allows 100 attempts per address across accounts, existing or not', async t => {
  const guesses = Array.from({ length: 130 }, (_, n) => ({ email: `nobody${n}@example.test`, address: from(2000) }))
  const { outcomes } = await guessPasswords(guarded.kernels, guesses)
  t.deepEqual(outcomes, { '401 invalid_credentials': 100, '429 rate_limited': 30 })
})

test('responds to other requests during 60 concurrent sign-ins', async t => {
  setPasswordCost(PASSWORD_COST)
  t.teardown(() => setPasswordCost(TEST_PASSWORD_COST))
  const kernel = await startIdentity({}, { role: 'web' })
  t.teardown(() => kernel.stop())
  const { outcomes, health } = await signInConcurrently(kernel, 60)
  t.deepEqual(outcomes, { '200': 60 })
  t.deepEqual(Object.keys(health), ['200'])
  // Health responded during the sign-ins, not only after them.
  t.true((health['200'] ?? 0) > 20)
})
