import anyTest, { type TestFn } from 'ava'
import type { PageOf } from '../../../../kernel/index.ts'
import { TEST_PASSWORD } from '../../../../testing/index.ts'
import { type PlatformFixture, startFixture } from '../fixtures.ts'

const test = anyTest as TestFn<PlatformFixture & { cookie: string }>

test.before(async t => {
  const made = await startFixture()
  await made.fail(made.ada)
  // Pages authenticate with the login cookie and select the tenant with the tenant cookie.
  const login = await made.kernel.post('/v1/auth/login', { email: made.admin.email, password: TEST_PASSWORD })
  const session = login.headers.getSetCookie()[0]?.split(';')[0]
  t.context = { ...made, cookie: `${session}; platform_tenant=${made.admin.tenantId}` }
})
test.after.always(t => t.context.stop?.())

const open = (t: { context: PlatformFixture & { cookie: string } }, cookie: string) =>
  t.context.kernel.get<string>('/console', { headers: { cookie, accept: 'text/html' } })

test('shows the operator modules, the queue and dead letters', async t => {
  const { status, body } = await open(t, t.context.cookie)
  t.is(status, 200)
  for (const text of ['identity', 'flaky', 'the ledger is closed', 'Dead letters', '2 routes'])
    t.true(body.includes(text), text)
  t.notRegex(body, /hunter2/)
})

test('rejects callers who are not the operator', async t => {
  t.not((await open(t, '')).status, 200)
  t.is((await open(t, `${t.context.ada.cookie}; platform_tenant=${t.context.ada.tenantId}`)).status, 403)
})

test('retries a dead letter from its own form only', async t => {
  const { kernel, ada, cookie } = t.context
  const letters = async () => (await ada.get<PageOf<{ id: string }>>('/v1/platform/dead-letters')).body.data
  const id = (await letters())[0]?.id ?? ''
  const press = (origin: string) =>
    fetch(`${kernel.url}/console`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin, 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
      body: new URLSearchParams({ id }),
    })
  t.is((await press('https://evil.test')).status, 403)
  t.true((await letters()).some(letter => letter.id === id))
  await kernel.post('/v1/flaky/mended')
  const own = kernel.kernel.product.publicUrl
  const pressed = await press(own)
  t.is(pressed.status, 303)
  t.regex(pressed.headers.get('location') ?? '', /^\/console\?retried=/)
  t.false((await letters()).some(letter => letter.id === id))
  t.is((await press(own)).status, 404)
})
