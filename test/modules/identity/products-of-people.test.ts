import test from 'ava'
import { codeOf, expectStatus, type Listed, newEmail } from '../../fixtures/people.ts'
import { withPeople } from '../../fixtures/with-people.ts'

const recipe = {
  product: { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080', audience: 'people' },
  modules: {
    identity: { impersonation: true, signIn: { emailLink: {} }, contact: 'help@example.test' },
    comms: {},
    platform: {},
  },
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

interface Listing {
  readonly data: readonly { readonly id: string; readonly userId: string; readonly email: string }[]
  readonly nextCursor: string | null
}
const listed = async (path: string): Promise<Listing> =>
  expectStatus(200, await operator.get(path as never)) as unknown as Listing
const idsIn = ({ data }: Listing) => data.map(({ userId }) => userId)

test('customers and staff are two lists, and each person is in one of them', async t => {
  const [gina, hugo] = [await people.person('Gina'), await people.person('Hugo')]
  const { id } = await membershipOf(hugo)
  const roles = ['tenant.customer', 'tenant.member']
  expectStatus(200, await operator.patch(`/v1/identity/members/${id}`, { roles }))
  const [customers, staff] = [await listed('/v1/identity/customers'), await listed('/v1/identity/staff')]
  t.true(idsIn(customers).includes(gina.userId))
  t.false(idsIn(customers).includes(hugo.userId))
  t.false(idsIn(staff).includes(gina.userId))
  t.like(
    staff.data.find(({ userId }) => userId === hugo.userId),
    { id, email: hugo.email, roles, emailVerified: false },
  )
})

test('the lists find people by a part of the name, by the address and by the role', async t => {
  const iris = await people.person('Iris Quintessence')
  const found = await listed('/v1/identity/customers?q=quintess')
  t.deepEqual(idsIn(found), [iris.userId])
  t.deepEqual(idsIn(await listed(`/v1/identity/customers?filter[email]=${iris.email.toUpperCase()}`)), [iris.userId])
  t.deepEqual(idsIn(await listed('/v1/identity/staff?q=quintess')), [])
  t.deepEqual(idsIn(await listed('/v1/identity/staff?filter[role]=platform.admin')), [operator.userId])
})

test('the list of customers is sorted by the address, over several pages', async t => {
  const joined = [
    await people.person('Jan Sortable'),
    await people.person('Jon Sortable'),
    await people.person('Jin Sortable'),
  ]
  const sorted = joined.map(({ email }) => email).sort()
  const emails: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`
    const page: Listing = await listed(`/v1/identity/customers?q=sortable&sort=-email&limit=1${more}`)
    emails.push(...page.data.map(({ email }) => email))
    cursor = page.nextCursor
  }
  t.deepEqual(emails, sorted.reverse())
})

test('the lists refuse customers, an unknown order and an unknown filter', async t => {
  for (const list of ['customers', 'staff']) {
    const path = `/v1/identity/${list}` as never
    t.is(codeOf(await ada.get(path)), '403 forbidden')
    t.is(codeOf(await kernel.get(path)), '401 unauthenticated')
    t.is(codeOf(await operator.get(`/v1/identity/${list}?sort=name` as never)), '400 malformed')
    t.is(codeOf(await operator.get(`/v1/identity/${list}?filter[name]=x` as never)), '400 malformed')
  }
})

test('staff with the permission to read members reads the lists, and nobody else of the staff', async t => {
  const owner = await people.colleague(operator, ['tenant.owner'])
  const member = await people.colleague(operator, ['tenant.member'])
  const path = '/v1/identity/customers' as never
  t.is((await owner.get(path)).status, 200)
  t.is(codeOf(await member.get(path)), '403 forbidden')
})

test("an operator's view of a person says whether they are a customer, staff or both", async t => {
  const kim = await people.person('Kim')
  const kind = async () => {
    const { isCustomer, isStaff } = expectStatus(200, await operator.get(`/v1/identity/admin/users/${kim.userId}`))
    return [isCustomer, isStaff]
  }
  t.deepEqual(await kind(), [true, false])
  const { id } = await membershipOf(kim)
  const change = (roles: readonly string[]) => operator.patch(`/v1/identity/members/${id}`, { roles })
  expectStatus(200, await change(['tenant.customer', 'tenant.member']))
  t.deepEqual(await kind(), [true, true])
  expectStatus(200, await change(['tenant.member']))
  t.deepEqual(await kind(), [false, true])
})

test('the page of the staff lists no customers, and invites to roles of the staff only', async t => {
  const lena = await people.person('Lena Customer')
  const { cookie } = await people.colleague(operator, ['tenant.owner'])
  const answer = await kernel.with({ cookie, accept: 'text/html' }).get<string>('/workspace/members')
  t.is(answer.status, 200)
  t.regex(answer.body, /<h1>Staff<\/h1>/)
  t.false(answer.body.includes(lena.email))
  t.regex(answer.body, /<option value="tenant\.member" selected>/)
  t.notRegex(answer.body, /value="tenant\.customer"/)
})

test("the console's lists are those of customers and staff, and none of workspaces", async t => {
  const { data } = expectStatus(200, await operator.get('/v1/platform/resources'))
  const own = data.filter(({ module, within, listed }) => module === 'identity' && within === null && listed)
  t.deepEqual(
    own.map(({ id }) => id),
    ['identity.customers', 'identity.staff'],
  )
  t.false(data.some(({ id }) => id === 'identity.workspaces'))
  t.false(data.some(({ id, listed }) => id === 'comms.all-messages' && listed))
  t.true(data.some(({ id, listed }) => id === 'platform.jobs' && listed))
  const named = data.filter(({ columns, filters }) => [...columns, ...filters].some(name => /tenantId/.test(name)))
  t.deepEqual(
    named.map(({ id }) => id),
    [],
  )
})
