import anyTest, { type TestFn } from 'ava'
import { linkToken } from '../../../../modules/identity/domain/links.ts'
import type { Client, TestKernel } from '../../../../testing/index.ts'
import { shareKernel } from '../../../fixtures/shared-kernel.ts'
import { codeOf, newEmail, startIdentity } from '../fixtures.ts'

const MAIL = { templateKey: 'comms.test', to: 'someone@example.test', data: { note: 'Hello' } }
const INVITE = { email: 'someone@example.test', roles: ['tenant.member'] }

const test = anyTest as TestFn<{ verified: TestKernel }>

test.before(async t => {
  const recipe = { modules: { identity: { requireVerifiedEmail: true }, comms: {}, webhooks: {} } }
  t.context.verified = await startIdentity({}, { recipe })
})
test.after.always(t => t.context.verified?.stop())
let development: TestKernel
shareKernel(test, startIdentity, own => {
  development = own
})

/** Outcomes of the requests that `requireVerifiedEmail` holds back. */
const attempts = async (client: Client) => [
  codeOf(await client.post('/v1/identity/members/invite', INVITE)),
  codeOf(await client.post('/v1/identity/api-keys', { name: 'CI' })),
  codeOf(await client.post('/v1/communications/messages', MAIL)),
]
const withApiKey = async (client: Client) => [
  codeOf(await client.post('/v1/identity/members/invite', INVITE)),
  codeOf(await client.post('/v1/communications/messages', MAIL)),
]
const ENDPOINT = { url: 'https://example.test/hook', events: ['*'] }
const HELD_BACK = '403 email_not_verified'

async function verify(kernel: TestKernel, userId: string, caller: Client): Promise<Client> {
  const token = linkToken(kernel.kernel.ports.secrets, 'verify_email', { id: userId, version: 1 })
  await caller.post('/v1/auth/verify-email', { token })
  return caller
}

test('requireVerifiedEmail holds back invitations, new keys and mail until the address is verified', async t => {
  const { verified: kernel } = t.context
  const ada = await kernel.register(newEmail())
  t.deepEqual(await attempts(ada), [HELD_BACK, HELD_BACK, HELD_BACK])
  t.deepEqual(await withApiKey(kernel.as(ada.apiKey)), [HELD_BACK, HELD_BACK])
  t.is((await kernel.as(ada.apiKey).get('/v1/me')).status, 200, 'the default key works at once')
  t.is((await ada.get('/v1/identity/members')).status, 200)
  const page = await fetch(new URL('/workspace/api-keys', kernel.url), {
    method: 'POST',
    headers: { accept: 'text/html', origin: kernel.url, 'sec-fetch-site': 'same-origin', cookie: ada.cookie },
    body: new URLSearchParams({ name: 'CI', days: '30' }),
  })
  t.is(page.status, 403)
  t.regex(await page.text(), /Confirm your email address first/)
  t.deepEqual(await attempts(await verify(kernel, ada.userId, ada)), ['201', '201', '202'])
})

test('a resend by an unverified account is held back', async t => {
  const { verified: kernel } = t.context
  const ada = await kernel.register(newEmail())
  const path = '/v1/identity/invitations/inv_00000000000000000000000000/resend'
  t.is(codeOf(await ada.post(path, {})), HELD_BACK)
})

test('requireVerifiedEmail is off in development and on in production', async t => {
  t.deepEqual(await attempts(await development.register(newEmail())), ['201', '201', '202'])
  const production = await startIdentity({}, { env: { NODE_ENV: 'production' } })
  t.teardown(() => production.stop())
  t.deepEqual(await attempts(await production.register(newEmail())), [HELD_BACK, HELD_BACK, HELD_BACK])
  const off = await startIdentity({ requireVerifiedEmail: false }, { env: { NODE_ENV: 'production' } })
  t.teardown(() => off.stop())
  t.deepEqual(await attempts(await off.register(newEmail())), ['201', '201', '202'])
})

test('holds back webhook endpoints until the address is verified', async t => {
  const { verified: kernel } = t.context
  const ada = await kernel.register(newEmail())
  const create = (client: Client) => client.post('/v1/webhooks/endpoints', ENDPOINT)
  t.deepEqual([codeOf(await create(ada)), codeOf(await create(kernel.as(ada.apiKey)))], [HELD_BACK, HELD_BACK])
  const path = '/v1/webhooks/endpoints/whe_00000000000000000000000000'
  t.is(codeOf(await ada.patch(path, { url: ENDPOINT.url })), HELD_BACK)
  for (const action of ['resume', 'test', 'redeliver']) t.is(codeOf(await ada.post(`${path}/${action}`, {})), HELD_BACK)
  t.is((await ada.get('/v1/webhooks/endpoints')).status, 200)
  t.is((await create(await verify(kernel, ada.userId, ada))).status, 201)
})
