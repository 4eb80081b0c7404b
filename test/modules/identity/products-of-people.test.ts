import test from 'ava'
import { codeOf, expectStatus, type Listed, newEmail } from '../../fixtures/people.ts'
import { withPeople } from '../../fixtures/with-people.ts'

const recipe = {
  product: { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080', audience: 'people' },
  modules: { identity: { impersonation: true, signIn: { emailLink: {} } }, comms: {}, platform: {} },
}
const { kernel, people, operator, ada, bob } = withPeople(
  test,
  { recipe },
  { operator: 'operator', ada: { name: 'Ada' }, bob: { name: 'Bob' } },
)
const tenantOfOperator = () => kernel.kernel.ports.operator.tenantId

interface Registered {
  readonly workspace: { readonly id: string }
  readonly membership: { readonly id: string; readonly tenantId: string; readonly roles: readonly string[] }
  readonly apiKey: { readonly key: string }
  readonly token: string
}
const register = async (email = newEmail(), more = {}): Promise<Registered> =>
  expectStatus(
    201,
    await kernel.post('/v1/auth/register', { email, password: 'correct horse battery staple', ...more }),
  ) as Registered

interface Me {
  readonly memberships: readonly { readonly id: string; readonly tenantId: string; readonly roles: readonly string[] }[]
}
const membershipOf = async (person: { get: typeof ada.get }) => {
  const { memberships } = expectStatus(200, await person.get<Me>('/v1/auth/me'))
  return memberships[0] as Me['memberships'][number]
}

test('registration answers the workspace of the operator, with the role of a customer', async t => {
  const { workspace, membership, apiKey } = await register()
  t.is(workspace.id, tenantOfOperator())
  t.like(membership, { tenantId: tenantOfOperator(), roles: ['tenant.customer'] })
  t.is(codeOf(await kernel.as(apiKey.key).get('/v1/identity/members')), '403 forbidden')
})

test('a customer creates no workspace', async t => {
  const answer = await ada.post('/v1/identity/tenants', { name: 'Mine' })
  t.is(codeOf(answer), '403 one_workspace')
  t.is((await kernel.get('/account/workspaces/new')).status, 404)
})

test("the operator's staff creates no workspace either", async t => {
  t.is(codeOf(await operator.post('/v1/identity/tenants', { name: 'Mine' })), '403 one_workspace')
})

test("a request without a workspace means the operator's, also with a cookie", async t => {
  const browser = kernel.with({ cookie: ada.cookie })
  t.is(codeOf(await browser.get('/v1/identity/members')), '403 forbidden')
})

test('a person who registered before the claim becomes the owner', async t => {
  const { roles } = await membershipOf(operator)
  t.deepEqual([...roles].sort(), ['platform.admin', 'tenant.customer', 'tenant.owner'])
})

test.serial('a customer who accepts an invitation of the staff stays a customer and takes a seat', async t => {
  const carol = await people.person('Carol')
  const { tenantId } = operator
  const seats = () => kernel.kernel.ports.usage.count('identity.seat', tenantId)
  const before = await seats()
  const invitation = { email: carol.email, roles: ['tenant.member'], sendEmail: false }
  const sent = await operator.post<{ link: string }>('/v1/identity/members/invite', invitation)
  const token = new URL(expectStatus(201, sent).link).searchParams.get('token')
  expectStatus(200, await carol.post('/v1/identity/invitations/accept', { token }))
  t.deepEqual((await membershipOf(carol)).roles, ['tenant.customer', 'tenant.member'])
  t.is(await seats(), before + 1)
  t.is(codeOf(await operator.post('/v1/identity/members/invite', invitation)), '409 already_member')
})

test('a person who registers with an invitation of the staff can accept it', async t => {
  const email = newEmail()
  const invitation = { email, roles: ['tenant.member'], sendEmail: false }
  const sent = await operator.post<{ link: string }>('/v1/identity/members/invite', invitation)
  const invited = new URL(expectStatus(201, sent).link).searchParams.get('token')
  const { token } = await register(email, { invitation: invited })
  const client = kernel.as(token)
  expectStatus(200, await client.post('/v1/identity/invitations/accept', { token: invited }))
  t.deepEqual((await membershipOf(client)).roles, ['tenant.customer', 'tenant.member'])
})

test.serial('customers take no seats', async t => {
  const seats = () => kernel.kernel.ports.usage.count('identity.seat', operator.tenantId)
  const before = await seats()
  await people.person()
  t.is(await seats(), before)
})

test('an operator can act as a customer, and not as staff', async t => {
  const dora = await people.person('Dora')
  const act = () =>
    operator.post<{ token: string }>(`/v1/identity/admin/users/${dora.userId}/impersonation`, {
      tenantId: operator.tenantId,
      reason: 'a question',
    })
  const started = await act()
  t.is(codeOf(await kernel.as(expectStatus(201, started).token).get('/v1/identity/members')), '403 forbidden')
  const { id } = await membershipOf(dora)
  const roles = ['tenant.customer', 'tenant.member']
  expectStatus(200, await operator.patch(`/v1/identity/members/${id}`, { roles }))
  t.is(codeOf(await act()), '403 operator_account')
})

test('nobody leaves the only workspace, and a customer can delete their account', async t => {
  const erin = await people.person('Erin')
  const { id } = await membershipOf(erin)
  t.is(codeOf(await erin.delete(`/v1/identity/members/${id}`)), '403 one_workspace')
  t.is((await erin.post('/v1/auth/me/delete', { password: erin.password })).status, 204)
  const { data } = expectStatus(200, await operator.get<Listed<{ id: string }>>('/v1/identity/members?limit=100'))
  t.false(data.some(member => member.id === id))
})

test('staff who lose their other roles become customers again', async t => {
  const frida = await people.person('Frida')
  const { id } = await membershipOf(frida)
  const change = (roles: readonly string[]) => operator.patch(`/v1/identity/members/${id}`, { roles })
  expectStatus(200, await change(['tenant.member']))
  expectStatus(200, await change(['tenant.customer']))
  t.is(codeOf(await frida.get('/v1/identity/members')), '403 forbidden')
})

test('the pages of a customer name no workspace', async t => {
  const browser = kernel.with({ cookie: bob.cookie, accept: 'text/html' })
  const { body } = await browser.get<string>('/account')
  t.notRegex(body, /\/account\/workspaces/)
  t.notRegex(body, /\/workspace\//)
  t.is((await browser.get('/account/workspaces')).status, 404)
  const settings = await browser.get('/workspace/settings')
  t.deepEqual([settings.status, settings.headers.get('location')], [303, '/account'])
})
