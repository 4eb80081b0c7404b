import { createHash, randomBytes } from 'node:crypto'
import test from 'ava'
import { MINUTE } from '../../../../../kernel/base/units.ts'
import { TEST_PASSWORD } from '../../../../../testing/index.ts'
import { withPeople } from '../../../../fixtures/with-people.ts'
import { codeOf, identityRecipe, newEmail } from '../../fixtures.ts'
import { type ProviderBrowser, providerBrowser } from './browser.ts'

const APP = 'com.acme.app:/signed-in'
let browser: ProviderBrowser

const { kernel, clock, ada } = withPeople(
  test,
  { recipe: identityRecipe({ signIn: { apps: [APP, 'http://127.0.0.1/signed-in'] } }), clock: true },
  { ada: 'owner' },
  async () => {
    browser = providerBrowser(kernel)
    await browser.submit('/sign-in', { email: ada.email, password: TEST_PASSWORD })
  },
)

const newVerifier = () => randomBytes(32).toString('base64url')
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')
/** The URL at which the app continues. */
async function handOver(challenge: string, uri = APP, by = browser): Promise<URL> {
  const fields = { redirect_uri: uri, code_challenge: challenge, state: 'of the app' }
  const { text } = await by.submit('/sign-in/app', fields)
  const [, href = ''] = /href="([^"]+)">Open the app/.exec(text) ?? []
  return new URL(href.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&'))
}
const redeem = (code: string, codeVerifier: string) => kernel.post('/v1/auth/app-code/verify', { code, codeVerifier })

test('an app signs in with the code of the browser and its own verifier', async t => {
  const verifier = newVerifier()
  const query = new URLSearchParams({ redirect_uri: APP, code_challenge: challengeOf(verifier) })
  const anonymous = await providerBrowser(kernel).open(`/sign-in/app?${query}`)
  t.is(anonymous.location, `/sign-in?next=${encodeURIComponent(`/sign-in/app?${query}`)}`)
  t.true((await browser.open(`/sign-in/app?${query}`)).text.includes(ada.email))
  const url = await handOver(challengeOf(verifier))
  t.is(url.protocol + url.pathname, APP)
  t.is(url.searchParams.get('state'), 'of the app')
  const signedIn = await redeem(url.searchParams.get('code') ?? '', verifier)
  t.is(signedIn.status, 200)
  t.is(signedIn.body.user.id, ada.userId)
  t.is((await kernel.as(signedIn.body.token).get('/v1/auth/me')).status, 200)
})

test('a code works once, for the app that knows the verifier', async t => {
  const verifier = newVerifier()
  const code = async () => (await handOver(challengeOf(verifier))).searchParams.get('code') ?? ''
  const used = await code()
  t.is((await redeem(used, verifier)).status, 200)
  t.is(codeOf(await redeem(used, verifier)), '401 invalid_code')
  const stolen = await code()
  t.is(codeOf(await redeem(stolen, newVerifier())), '401 invalid_code')
  t.is(codeOf(await redeem(stolen, verifier)), '401 invalid_code')
  t.is(codeOf(await redeem(newVerifier(), verifier)), '401 invalid_code')
})

test('a code ends with the login of the browser', async t => {
  const eve = await kernel.register(newEmail('eve'))
  const away = providerBrowser(kernel)
  await away.submit('/sign-in', { email: eve.email, password: TEST_PASSWORD })
  const verifier = newVerifier()
  const url = await handOver(challengeOf(verifier), APP, away)
  t.is((await eve.delete('/v1/auth/sessions')).status, 200)
  t.is(codeOf(await redeem(url.searchParams.get('code') ?? '', verifier)), '401 invalid_code')
})

test.serial('a code expires after a minute', async t => {
  const verifier = newVerifier()
  const url = await handOver(challengeOf(verifier))
  clock.forward(1 * MINUTE)
  t.is(codeOf(await redeem(url.searchParams.get('code') ?? '', verifier)), '401 invalid_code')
})

test('leads only to URLs that the recipe declares; a local app chooses its port', async t => {
  const challenge = challengeOf(newVerifier())
  t.is((await handOver(challenge, 'http://127.0.0.1:51004/signed-in')).port, '51004')
  for (const uri of [
    'https://evil.test/',
    'com.acme.app:/other',
    'com.acme.app:/signed-in?x=1',
    'http://127.0.0.1:51004/other',
    'http://127.0.0.1.evil.test/signed-in',
    'http://user@127.0.0.1:51004/signed-in',
    'javascript:alert(1)',
  ]) {
    const fields = { redirect_uri: uri, code_challenge: challenge }
    const { status, text } = await browser.submit('/sign-in/app', fields)
    t.is(status, 404, uri)
    t.false(text.includes('Open the app'), uri)
  }
})

test('a request without a challenge is refused', async t => {
  for (const code_challenge of ['', 'short'])
    t.is((await browser.submit('/sign-in/app', { redirect_uri: APP, code_challenge })).status, 422, code_challenge)
})
