import test from 'ava'
import type { Person } from '../../../../../testing/index.ts'
import { withPeople } from '../../../../fixtures/with-people.ts'
import { type Colleague, colleague, identityRecipe, newEmail, role } from '../../fixtures.ts'
import { type Visitor, visitor } from '../../pages/forms.ts'

let owner: Person
let member: Colleague
let page: Visitor
let ids: Readonly<Record<'invitation' | 'key', string>>

const { kernel } = withPeople(test, { recipe: identityRecipe() }, {}, async () => {
  owner = await kernel.register(newEmail('owner'), { workspaceName: 'Engines' })
  await role(owner, 'tenant.empty', ['identity.member.read'])
  await role(
    owner,
    'tenant.reader',
    ['member', 'invitation', 'role', 'api_key'].map(name => `identity.${name}.read`),
  )
  // The reader holds every permission of this role.
  member = await colleague(kernel, owner, ['tenant.empty'])
  const reader = await colleague(kernel, owner, ['tenant.reader'])
  page = visitor(kernel, `${reader.person.cookie}; platform_tenant=${owner.tenantId}`)
  const invited = await owner.post('/v1/identity/members/invite', {
    email: newEmail('guest'),
    roles: ['tenant.empty'],
  })
  const key = await owner.post('/v1/identity/api-keys', { name: 'Mine' })
  ids = { invitation: invited.body.id, key: key.body.id }
})

const ACTIONS: readonly (readonly [title: string, path: string, form: () => Readonly<Record<string, string>>])[] = [
  ['rename the workspace', 'settings', () => ({ name: 'Other', slug: `other-${process.pid}` })],
  ['delete the workspace', 'settings', () => ({ intent: 'delete', typed: 'Engines' })],
  ['create a role', 'roles/new', () => ({ name: 'Mine', 'permission:identity.member.read': '1' })],
  ['change a role', 'roles/tenant.empty', () => ({ name: 'Renamed', 'permission:identity.member.read': '1' })],
  ['delete a role', 'roles/tenant.empty', () => ({ intent: 'delete' })],
  ['create an API key', 'api-keys', () => ({ name: 'Mine', days: '30' })],
  ['delete an API key', 'api-keys', () => ({ intent: 'delete', id: ids.key })],
  ['invite people', 'members', () => ({ intent: 'invite', emails: newEmail('guest'), role: 'tenant.empty' })],
  ['resend an invitation', 'members', () => ({ intent: 'resend', id: ids.invitation })],
  ['revoke an invitation', 'members', () => ({ intent: 'revoke', id: ids.invitation })],
  ['resend an invitation on its own page', 'invitations', () => ({ intent: 'resend', id: ids.invitation })],
  ['revoke an invitation on its own page', 'invitations', () => ({ intent: 'revoke', id: ids.invitation })],
  ['change an API key', `api-keys/:key`, () => ({ name: 'Renamed', days: 'keep' })],
  ['change the roles of a member', 'members/:member', () => ({ intent: 'roles', 'role:tenant.empty': '1' })],
  ['remove a member', 'members/:member', () => ({ intent: 'remove' })],
]
for (const [title, path, form] of ACTIONS)
  test.serial(`refuses to ${title} without the permission`, async t => {
    const { status } = await page.submit(
      `/workspace/${path.replace(':member', member.memberId).replace(':key', ids.key)}`,
      form(),
    )
    t.is(status, 403)
  })

test.serial('the refused actions changed nothing', async t => {
  const { body } = await owner.get(`/v1/identity/tenants/${owner.tenantId}`)
  t.is(body.name, 'Engines')
  t.deepEqual((await member.get('/v1/me')).body.roles, ['tenant.empty'])
})
