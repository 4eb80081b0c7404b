import test from 'ava'
import type { Member } from '../../../fixtures/api-types.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { codeOf, colleague, fieldErrors, identityRecipe, newEmail, role } from '../fixtures.ts'

const { kernel } = withPeople(test, { recipe: identityRecipe() })

test('the new owner keeps other roles, and the former owner becomes a member', async t => {
  const owner = await kernel.register(newEmail('owner'))
  await role(owner, 'tenant.auditor', ['identity.audit.read'])
  const auditor = await colleague(kernel, owner, ['tenant.auditor'])
  const path = `/v1/identity/tenants/${owner.tenantId}/transfer`
  const { body } = await owner.post<Member>(path, { memberId: auditor.memberId })
  t.deepEqual(body.roles, ['tenant.owner', 'tenant.auditor'])
  const members = await auditor.get('/v1/identity/members')
  t.deepEqual(members.body.data.find(({ userId }) => userId === owner.userId)?.roles, ['tenant.member'])
})

test('only an owner transfers a workspace, to another member, and only the current workspace', async t => {
  const [owner, other] = [await kernel.register(newEmail('owner')), await kernel.register(newEmail('other'))]
  await role(owner, 'tenant.people', ['identity.*'])
  const lead = await colleague(kernel, owner, ['tenant.people'])
  const { body } = await owner.get('/v1/identity/members')
  const own = body.data.find(({ userId }) => userId === owner.userId)?.id
  const path = `/v1/identity/tenants/${owner.tenantId}/transfer`
  t.regex(codeOf(await lead.post(path, { memberId: own })), /not_owner/)
  t.deepEqual(fieldErrors(await owner.post(path, { memberId: own })), ['/memberId own_membership'])
  const elsewhere = `/v1/identity/tenants/${other.tenantId}/transfer`
  t.is((await owner.post(elsewhere, { memberId: lead.memberId })).status, 404)
  t.deepEqual((await owner.get('/v1/me')).body.roles, ['tenant.owner'])
})
