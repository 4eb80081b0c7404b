/** Which workspace a browser opens that has selected none. */
import test from 'ava'
import { type Person, TEST_PASSWORD } from '../../../testing/index.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import { colleague, newEmail } from '../identity/fixtures.ts'
import { promote } from '../platform/fixtures.ts'

let admin: Person

const { kernel } = withPeople(
  test,
  { recipe: { modules: { identity: { impersonation: true }, comms: {}, console: {} } }, alone: true },
  {},
  async () => {
    admin = await promote(kernel, await kernel.register(newEmail('boss')))
  },
)

interface Workspace {
  readonly id: string
  readonly slug: string
}
interface Owner extends Person {
  readonly first: Workspace
  readonly second: Workspace
}

/** A person with two workspaces. */
async function owner(): Promise<Owner> {
  const person = await kernel.register(newEmail('ada'))
  const { body: me } = await person.get<{ workspace: Workspace }>('/v1/me')
  const { body: second } = await person.post<Workspace>('/v1/identity/tenants', { name: 'Analysis' })
  return { ...person, first: me.workspace, second }
}
const open = (path: string, cookie: string) =>
  fetch(kernel.url + path, { headers: { accept: 'text/html', cookie }, redirect: 'manual' })
const opened = async (cookie: string) => (await open('/console', cookie)).headers.get('location')
/** The cookies of another device, on which the person signs in. */
async function otherDevice({ email }: Pick<Person, 'email'>): Promise<readonly string[]> {
  const { headers } = await kernel.post('/v1/auth/login', { email, password: TEST_PASSWORD })
  return headers.getSetCookie().map(cookie => cookie.replace(/;.*/, ''))
}

test('another device opens the workspace in which the console was used last', async t => {
  const ada = await owner()
  t.is(await opened(ada.cookie), `/console/${ada.first.slug}/`)
  await open(`/console/${ada.second.slug}/`, ada.cookie)
  const [cookie = ''] = await otherDevice(ada)
  t.is(await opened(cookie), `/console/${ada.second.slug}/`)
  t.is(await opened(ada.cookie), `/console/${ada.second.slug}/`, 'a caller that was cached before, too')
})

test('a link that names a workspace, and the page that selects one, count as its use', async t => {
  const ada = await owner()
  await open(`/account?workspace=${ada.second.slug}`, ada.cookie)
  t.is(await opened(ada.cookie), `/console/${ada.second.slug}/`)
  await fetch(`${kernel.url}/account/workspaces`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin', origin: kernel.url, cookie: ada.cookie },
    body: new URLSearchParams({ id: ada.first.id }),
  })
  t.is(await opened(ada.cookie), `/console/${ada.first.slug}/`)
})

test('an operator who looks into a workspace of a customer still opens their own one elsewhere', async t => {
  const { first } = await owner()
  await open('/console/operator/', admin.cookie)
  t.is((await open(`/console/${first.slug}/`, admin.cookie)).status, 200)
  const [cookie = ''] = await otherDevice(admin)
  t.is(await opened(cookie), '/console/operator/')
})

test('an operator who acts as a person does not choose for them', async t => {
  const ada = await owner()
  const operator = kernel.with({ cookie: admin.cookie, origin: kernel.url, 'x-tenant-id': admin.tenantId })
  const path = `/v1/identity/admin/users/${ada.userId}/impersonation`
  const started = await operator.post(path, { tenantId: ada.second.id, reason: 'They asked for help' })
  const acting = started.headers.getSetCookie().map(cookie => cookie.replace(/;.*/, ''))
  t.is((await open(`/console/${ada.second.slug}/`, acting.join('; '))).status, 200)
  t.is(await opened(ada.cookie), `/console/${ada.first.slug}/`)
})

test('whoever left the workspace opens the one that they joined first', async t => {
  const ada = await owner()
  await open(`/console/${ada.second.slug}/`, ada.cookie)
  t.is((await ada.with({ 'x-tenant-id': ada.second.id }).delete(`/v1/identity/tenants/${ada.second.id}`)).status, 204)
  t.is(await opened(ada.cookie), `/console/${ada.first.slug}/`)
})

test('a sign-in forgets what the browser had selected', async t => {
  const ada = await owner()
  t.true((await otherDevice(ada)).includes('platform_tenant='))
})

test('a token that names no workspace keeps its own, whatever a browser opens', async t => {
  const ada = await owner()
  await open(`/console/${ada.second.slug}/`, ada.cookie)
  const headers = { authorization: `Bearer ${ada.token}` }
  const { body } = await kernel.get<{ workspace: Workspace }>('/v1/me', { headers })
  t.is(body.workspace.id, ada.first.id)
})

test('a claim, and an accepted invitation, choose their workspace', async t => {
  const { email, cookie } = admin
  t.is(await opened((await otherDevice({ email }))[0] ?? cookie), '/console/operator/')
  const ada = await owner()
  const { person } = await colleague(kernel, ada, ['tenant.member'])
  t.is(await opened(person.cookie), `/console/${ada.first.slug}/`)
})
