/** Public routes ignore or reject a credential that they don't accept. None reports an effect on its login. */
import test from 'ava'
import type { Endpoint } from '../../services/http/types.ts'
import type { Person, TestKernel, TestResponse } from '../../testing/index.ts'
import { shareKernel } from '../fixtures/shared-kernel.ts'
import { newEmail } from '../modules/identity/fixtures.ts'
import { startFull } from './shipped-kernels.ts'

const PUBLIC_KEYWORDS = ['public', 'joinToken', 'signature']
const FOREIGN = { origin: 'https://other.test', 'sec-fetch-site': 'cross-site' }

let kernel: TestKernel
let ada: Person
let endpoints: readonly Endpoint[]

shareKernel(test, startFull, async full => {
  kernel = full
  ada = await kernel.register(newEmail('ada'))
  endpoints = kernel.kernel.ports.http
    .endpoints()
    .filter(({ kind, method, allow }) => ['route', 'raw'].includes(kind) && method !== 'GET' && allow.some(isPublic))
})

const isPublic = (word: string) => PUBLIC_KEYWORDS.includes(word)
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const call = ({ method, path }: Endpoint, headers: Readonly<Record<string, string>>) =>
  kernel.with(headers).call<{ code?: string }>(method, path.replace(/:\w+/g, 'xxx_00000000000000000000000000'), {})
const outcome = ({ status, body }: TestResponse<{ code?: string }>) => `${status} ${body?.code ?? ''}`.trim()
const signsOut = ({ headers }: TestResponse<unknown>) =>
  headers.getSetCookie().some(cookie => cookie.startsWith('platform_session=;'))
const loginIsValid = async () => (await kernel.with({ cookie: ada.cookie }).get('/v1/auth/me')).status === 200

test('a public route ignores or rejects a cross-site cookie', async t => {
  t.true(endpoints.length > 10)
  for (const endpoint of endpoints) {
    const [anonymous, crossed] = [
      await call(endpoint, FOREIGN),
      await call(endpoint, { ...FOREIGN, cookie: ada.cookie }),
    ]
    t.true(['403 cross_site', outcome(anonymous)].includes(outcome(crossed)), nameOf(endpoint))
    t.true(await loginIsValid(), nameOf(endpoint))
    t.false(signsOut(crossed), nameOf(endpoint))
  }
})

test('a public route ignores or rejects an API key that it does not accept', async t => {
  for (const endpoint of endpoints.filter(({ apiKeys }) => !apiKeys)) {
    const [anonymous, keyed] = [await call(endpoint, {}), await call(endpoint, { 'x-api-key': ada.apiKey })]
    t.true(['403 api_key_refused', outcome(anonymous)].includes(outcome(keyed)), nameOf(endpoint))
    t.false(signsOut(keyed), nameOf(endpoint))
  }
})

test('a public route that also accepts users rejects a cross-site cookie', async t => {
  const forUsers = endpoints.filter(({ allow }) => allow.includes('user'))
  t.deepEqual(forUsers.map(nameOf), ['POST /v1/auth/logout', 'POST /v1/auth/impersonation/end'])
  for (const endpoint of forUsers) {
    t.is(outcome(await call(endpoint, { ...FOREIGN, cookie: ada.cookie })), '403 cross_site')
    t.is(outcome(await call(endpoint, { cookie: 'platform_session=unknown', ...FOREIGN })), '204')
  }
})
