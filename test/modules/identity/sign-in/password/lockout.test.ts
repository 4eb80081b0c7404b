import test from 'ava'
import { TEST_PASSWORD } from '../../../../../testing/index.ts'
import { withPeople } from '../../../../fixtures/with-people.ts'
import { codeOf, identityRecipe, maxDelayedAttempts, newEmail, requestReset } from '../../fixtures.ts'

let addresses = 0

const { kernel } = withPeople(test, { recipe: identityRecipe(), env: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } })

const newAddress = () => `198.51.100.${++addresses}`

interface Attempt {
  readonly password?: string
  readonly address?: string
  readonly device?: string | undefined
}
/** Signs in from a new address unless `address` is given. */
async function signIn(email: string, { password = TEST_PASSWORD, address = newAddress(), device }: Attempt = {}) {
  const started = performance.now()
  const headers = { 'x-forwarded-for': address, ...(device !== undefined && { cookie: device }) }
  const answer = await kernel.with(headers).post<never>('/v1/auth/login', { email, password })
  const ms = performance.now() - started
  const isPastLimit = answer.headers.get('ratelimit-remaining') === '0'
  return { code: codeOf(answer), isPastLimit, ms, device: deviceOf(answer.headers) }
}
const deviceOf = (headers: Headers): string | undefined =>
  headers
    .getSetCookie()
    .find(cookie => cookie.startsWith('platform_device='))
    ?.split(';')[0]

/** Uses up the attempts of an account, each from another address. */
async function guess(email: string): Promise<void> {
  const guesses = await Promise.all(Array.from({ length: 20 }, () => signIn(email, { password: 'a wrong one' })))
  if (guesses.some(({ code }) => code !== '401 invalid_credentials')) throw new Error('a guess was not counted')
}

test('a known device can sign in while other devices guess passwords', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const { device } = await signIn(ada.email)
  t.regex(device ?? '', /^platform_device=[\w.~-]+$/)
  await Promise.all(Array.from({ length: 19 }, () => signIn(ada.email, { password: 'a wrong one' })))
  const again = await signIn(ada.email, { device })
  t.is(again.code, '200')
  t.false(again.isPastLimit)
})

test('a sign-in that sends the token of a login that has ended', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const client = kernel.as(ada.token)
  t.is(codeOf(await client.get('/v1/me')), '200')
  t.is((await ada.post('/v1/auth/logout')).status, 204)
  // The limits are counted before the cached login turns out to have ended.
  t.is(codeOf(await client.post<never>('/v1/auth/login', { email: ada.email, password: TEST_PASSWORD })), '200')
})

test('delays other devices past the limit instead of blocking the account', async t => {
  const ada = await kernel.register(newEmail('ada'))
  await guess(ada.email)
  const late = await signIn(ada.email)
  t.is(late.code, '200')
  t.true(late.isPastLimit)
  t.true(late.ms > 900, `${late.ms} ms`)
})

test('serves one delayed attempt at a time and rejects the others with the seconds to wait', async t => {
  const ada = await kernel.register(newEmail('ada'))
  await guess(ada.email)
  const started = performance.now()
  const attempts = await Promise.all(
    Array.from({ length: 5 }, () =>
      kernel
        .with({ 'x-forwarded-for': newAddress() })
        .post<never>('/v1/auth/login', { email: ada.email, password: 'a wrong one' }),
    ),
  )
  const refused = attempts.filter(({ status }) => status === 429)
  const served = attempts.filter(({ status }) => status === 401).length
  t.true(served > 0 && served <= maxDelayedAttempts(started), `${served} served`)
  t.is(refused.length, attempts.length - served)
  for (const { headers } of refused) t.true(Number(headers.get('retry-after')) <= 5, String(headers.get('retry-after')))
})

test('does not recognize the device of another account', async t => {
  const [ada, eve] = [await kernel.register(newEmail('ada')), await kernel.register(newEmail('eve'))]
  const { device } = await signIn(eve.email)
  await guess(ada.email)
  const other = await signIn(ada.email, { device })
  t.true(other.isPastLimit)
})

test('remembers a browser for several accounts', async t => {
  const [ada, eve] = [await kernel.register(newEmail('ada')), await kernel.register(newEmail('eve'))]
  const first = await signIn(ada.email)
  const both = await signIn(eve.email, { device: first.device })
  await Promise.all([guess(eve.email).catch(() => undefined), guess(ada.email).catch(() => undefined)])
  for (const { email } of [ada, eve]) {
    const again = await signIn(email, { device: both.device })
    t.is(again.code, '200')
    t.false(again.isPastLimit)
  }
})

test('guesses from a known device are limited, too', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const { device } = await signIn(ada.email)
  const outcomes: string[] = []
  for (let n = 0; n < 12; n++) outcomes.push((await signIn(ada.email, { password: 'a wrong one', device })).code)
  t.is(outcomes.filter(code => code === '401 invalid_credentials').length, 10)
  t.is(outcomes.filter(code => code === '429 rate_limited').length, 2)
})

test('a password reset makes the device known', async t => {
  const ada = await kernel.register(newEmail('ada'))
  await guess(ada.email)
  const token = await requestReset(kernel, ada.email)
  const password = 'an entirely new one'
  const reset = await kernel.post<never>('/v1/auth/password/reset', { token, password })
  t.is(codeOf(reset), '200')
  const first = await signIn(ada.email, { password, device: deviceOf(reset.headers) })
  t.is(first.code, '200')
  t.false(first.isPastLimit)
})

test('a new login does not renew the limit of email changes', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const change = (token: string) =>
    kernel.as(token).post('/v1/auth/email/change', { email: newEmail('next'), password: TEST_PASSWORD })
  const signInAgain = async () => {
    const headers = { 'x-forwarded-for': newAddress() }
    const credentials = { email: ada.email, password: TEST_PASSWORD }
    return (await kernel.with(headers).post('/v1/auth/login', credentials)).body.token
  }
  const first = await signInAgain()
  for (let request = 1; request <= 5; request++) t.is((await change(first)).status, 202)
  t.is((await change(await signInAgain())).status, 429)
})
