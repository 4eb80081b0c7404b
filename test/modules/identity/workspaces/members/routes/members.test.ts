import test from 'ava'
import type { TestKernel } from '../../../../../../testing/index.ts'
import type { Member } from '../../../../../fixtures/api-types.ts'
import { withPeople } from '../../../../../fixtures/with-people.ts'
import {
  codeOf,
  colleague,
  fieldErrors,
  identityRecipe,
  newEmail,
  operator,
  type ProblemBody,
  role,
} from '../../../fixtures.ts'

const { kernel } = withPeople(test, { recipe: identityRecipe() })

const path = (id: string) => `/v1/identity/members/${id}`
const ownMember = async (client: TestKernel | { get: TestKernel['get'] }, userId: string) =>
  (await client.get('/v1/identity/members')).body.data.find(member => member.userId === userId) as Member

test('pages through the members of one tenant only', async t => {
  const owner = await kernel.register(newEmail())
  const [one, two] = [
    await colleague(kernel, owner, ['tenant.member']),
    await colleague(kernel, owner, ['tenant.owner']),
  ]
  const seen = await kernel.all<Member>(owner, '/v1/identity/members?limit=1')
  t.deepEqual(
    seen.map(({ userId }) => userId),
    [owner.userId, one.person.userId, two.person.userId],
  )
  const owners = await owner.get('/v1/identity/members?filter[role]=tenant.owner')
  t.is(owners.body.data.length, 2)
  const byMail = await owner.get(
    `/v1/identity/members?filter[email]=${encodeURIComponent(one.person.email.toUpperCase())}`,
  )
  t.deepEqual(
    byMail.body.data.map(({ email }) => email),
    [one.person.email],
  )
  const stranger = await kernel.register(newEmail())
  for (const [filter, ids] of [
    ['userId', [two.person.userId, one.person.userId, stranger.userId]],
    ['id', [two.memberId, one.memberId, 'mem_unknown']],
  ] as const) {
    const named = await owner.get(`/v1/identity/members?filter[${filter}][in]=${ids.join(',')}`)
    t.deepEqual(
      named.body.data.map(({ userId }) => userId),
      [one.person.userId, two.person.userId],
    )
  }
  t.is(codeOf(await owner.get('/v1/identity/members?cursor=x')), '400 invalid_cursor')
  t.is((await owner.get('/v1/identity/members?filter[name]=x')).status, 400)
  t.is((await kernel.as(owner.apiKey).get('/v1/identity/members')).status, 200)
  t.is(codeOf(await one.get('/v1/identity/members')), '403 forbidden')
})

test('applies changed roles to the next request', async t => {
  const owner = await kernel.register(newEmail())
  const member = await colleague(kernel, owner, ['tenant.member'])
  t.is((await member.get('/v1/identity/members')).status, 403)
  await role(owner, 'team.reader', ['identity.member.read'])
  const set = await owner.patch<Member>(path(member.memberId), { roles: ['team.reader', 'tenant.member'] })
  t.deepEqual(set.body.roles, ['team.reader', 'tenant.member'])
  t.is((await member.get('/v1/identity/members')).status, 200)
  await owner.patch(path(member.memberId), { roles: ['tenant.member'] })
  t.is((await member.get('/v1/identity/members')).status, 403)
})

test('rejects unknown, missing and duplicate roles, and roles of other tenants', async t => {
  const [owner, other] = [await kernel.register(newEmail()), await kernel.register(newEmail())]
  const member = await colleague(kernel, owner, ['tenant.member'])
  await role(other, 'other.only', ['identity.member.read'])
  const set = (roles: unknown) => owner.patch(path(member.memberId), { roles })
  t.deepEqual(fieldErrors(await set(['tenant.member', 'no.such'])), ['/roles/1 unknown_role'])
  t.deepEqual(fieldErrors(await set(['other.only'])), ['/roles/0 unknown_role'])
  t.deepEqual(fieldErrors(await set(['constructor'])), ['/roles/0 unknown_role'])
  t.deepEqual(
    fieldErrors(await set(['platform.admin'])),
    ['/roles/0 unknown_role'],
    'not outside the operator’s tenant',
  )
  t.deepEqual(fieldErrors(await set([])), ['/roles too_few'])
  t.deepEqual(fieldErrors(await set('tenant.owner')), ['/roles wrong_type'])
  t.is((await set(['tenant.member', 'tenant.member'])).status, 422)
  t.deepEqual(fieldErrors(await owner.patch(path(member.memberId), { roles: ['tenant.member'], userId: 'x' })), [
    '/userId unknown_field',
  ])
})

test("rejects granting or removing permissions that the caller doesn't hold", async t => {
  const owner = await kernel.register(newEmail())
  await role(owner, 'team.lead', ['identity.member.*', 'identity.invitation.*', 'content.page.read'].slice(0, 2))
  const lead = await colleague(kernel, owner, ['team.lead'])
  const second = await colleague(kernel, owner, ['tenant.owner'])
  const raise = await lead.patch<ProblemBody>(path(lead.memberId), { roles: ['team.lead', 'tenant.owner'] })
  t.is(codeOf(raise), '403 forbidden')
  t.is(raise.body.requiredPermission, '*')
  t.is(codeOf(await lead.patch(path(second.memberId), { roles: ['team.lead'] })), '403 forbidden')
  t.is(codeOf(await lead.delete(path(second.memberId))), '403 forbidden')
  const invite = { email: newEmail(), roles: ['tenant.owner'], sendEmail: false }
  t.is(codeOf(await lead.post('/v1/identity/members/invite', invite)), '403 forbidden')
  t.is((await lead.post('/v1/identity/members/invite', { ...invite, roles: ['team.lead'] })).status, 201)
})

test('answers 404 for a member of another tenant', async t => {
  const [ada, eve] = [await kernel.register(newEmail()), await kernel.register(newEmail())]
  const foreign = await ownMember(eve, eve.userId)
  t.is(codeOf(await ada.patch(path(foreign.id), { roles: ['tenant.member'] })), '404 not_found')
  t.is(codeOf(await ada.delete(path(foreign.id))), '404 not_found')
  t.deepEqual((await ownMember(eve, eve.userId)).roles, ['tenant.owner'])
})

test('keeps the last owner', async t => {
  const owner = await kernel.register(newEmail())
  const { id } = await ownMember(owner, owner.userId)
  t.is(codeOf(await owner.delete(path(id))), '409 last_owner')
  t.is(codeOf(await owner.patch(path(id), { roles: ['tenant.member'] })), '409 last_owner')
  const second = await colleague(kernel, owner, ['tenant.owner'])
  t.is((await owner.delete(path(id))).status, 204)
  t.is(codeOf(await second.delete(path(second.memberId))), '409 last_owner')
})

test('one owner remains when all leave concurrently', async t => {
  const first = await kernel.register(newEmail())
  const others = await Promise.all([1, 2, 3].map(() => colleague(kernel, first, ['tenant.owner'])))
  const { id } = await ownMember(first, first.userId)
  const left = await Promise.all([
    first.with({ 'x-tenant-id': first.tenantId, authorization: `Bearer ${first.token}` }).delete(path(id)),
    ...others.map((one, i) =>
      i % 2 ? one.delete(path(one.memberId)) : one.patch(path(one.memberId), { roles: ['tenant.member'] }),
    ),
  ])
  t.is(left.filter(answer => codeOf(answer) === '409 last_owner').length, 1, left.map(codeOf).join())
})

test('members can leave, which ends their access and their API keys', async t => {
  const owner = await kernel.register(newEmail())
  await role(owner, 'team.keys', ['identity.api_key.create', 'identity.member.read', 'content.page.read'].slice(0, 2))
  const member = await colleague(kernel, owner, ['team.keys'])
  const { body } = await member.post<{ key: string }>('/v1/identity/api-keys', { name: 'Mine' })
  t.is((await kernel.as(body.key).get('/v1/identity/members')).status, 200)
  const { id } = await ownMember(owner, owner.userId)
  t.is(codeOf(await member.delete(path(id))), '403 forbidden', 'but cannot remove others')
  t.is((await member.delete(path(member.memberId))).status, 204)
  t.is(codeOf(await member.get('/v1/identity/members')), '403 not_a_member')
  t.is((await kernel.as(body.key).get('/v1/identity/members')).status, 401)
})

test('closes open sockets when rights are revoked, not when they are granted', async t => {
  const owner = await kernel.register(newEmail())
  const member = await colleague(kernel, owner, ['tenant.member'])
  const key = await owner.post('/v1/identity/api-keys', { name: 'Gone' })
  const closed: unknown[] = []
  t.teardown(kernel.kernel.ports.bus.subscribe('sockets.close', message => closed.push(message)))
  const { userId } = member.person
  const mine = () =>
    closed.filter(one => [userId, owner.tenantId, key.body.id].some(id => JSON.stringify(one).includes(id)))
  await colleague(kernel, owner, ['tenant.member'])
  t.deepEqual(mine(), [])
  await owner.patch(path(member.memberId), { roles: ['tenant.owner'] })
  await owner.delete(`/v1/identity/api-keys/${key.body.id}`)
  await owner.delete(path(member.memberId))
  t.deepEqual(mine(), [{ userId }, { principalId: key.body.id }, { userId }])
})

test("only a platform admin assigns the platform role, in the operator's tenant only", async t => {
  const admin = await operator(kernel)
  const there = {
    ...admin,
    tenantId: admin.operatorId,
    ...admin.with({ 'x-tenant-id': admin.operatorId, authorization: `Bearer ${admin.token}` }),
  }
  const plain = await colleague(kernel, there, ['tenant.owner'])
  const wanted = { roles: ['tenant.owner', 'platform.admin'] }
  t.is(codeOf(await plain.patch(path(plain.memberId), wanted)), '403 forbidden')
  t.is((await there.patch(path(plain.memberId), wanted)).status, 200)
})
