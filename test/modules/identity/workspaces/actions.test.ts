import test from 'ava'
import type { TestKernel } from '../../../../testing/index.ts'
import { ACTIONS, mistakesOf, runAction, runAndFail } from '../../../fixtures/actions.ts'
import { type Listed, newEmail, type People } from '../../../fixtures/people.ts'
import { problemOf } from '../../../fixtures/problem-of.ts'
import { withPeople } from '../../../fixtures/with-people.ts'

const { kernel, people } = withPeople(test, ACTIONS)

const person = (email: string, more: object = {}) => ({
  email,
  userId: null,
  name: null,
  locale: null,
  isForeign: false,
  ...more,
})
interface Invited {
  readonly id: string
  readonly email: string
  readonly roles: string[]
  readonly invitedBy: string
}
interface Mail {
  readonly to: string
}
const invitations = async (client: TestKernel | Awaited<ReturnType<People['person']>>) =>
  (await client.get<Listed<Invited>>('/v1/identity/invitations')).body.data
const rolesOf = async (client: Awaited<ReturnType<People['person']>>, userId: string) =>
  (await client.get<Listed<{ userId: string; roles: string[] }>>('/v1/identity/members')).body.data.find(
    member => member.userId === userId,
  )?.roles

test('an automation invites a person by mail', async t => {
  const ada = await people.person()
  const email = newEmail()
  const output = await runAction(kernel.kernel, 'identity.invite', { email: person(email), role: 'tenant.agent' }, ada)
  const [invitation] = await invitations(ada)
  t.like(invitation, { email, roles: ['tenant.agent'], invitedBy: 'system' })
  t.deepEqual(output, { invitationId: invitation?.id })
  await kernel.settled()
  const { body } = await kernel.get<Listed<Mail>>(`/v1/communications/mailbox?filter[to]=${email}`)
  t.is(body.data.length, 1)
})

test('a step that fails invites nobody', async t => {
  const ada = await people.person()
  await runAndFail(kernel.kernel, 'identity.invite', { email: person(newEmail()), role: 'tenant.agent' }, ada)
  t.deepEqual(await invitations(ada), [])
})

test('does not invite a member', async t => {
  const ada = await people.person()
  const input = { email: person(ada.email), role: 'tenant.agent' }
  t.deepEqual(await runAction(kernel.kernel, 'identity.invite', input, ada), { invitationId: null })
  t.deepEqual(await invitations(ada), [])
})

for (const role of ['tenant.owner', 'platform.admin', 'tenant.unknown'])
  test(`gives nobody the role ${role}`, async t => {
    const ada = await people.person()
    const bob = await people.colleague(ada, ['tenant.member'])
    const invite = runAction(kernel.kernel, 'identity.invite', { email: person(newEmail()), role }, ada)
    t.is((await problemOf(t, invite)).code, 'role_not_automatic')
    const set = runAction(kernel.kernel, 'identity.set_role', { member: person(bob.email, bob), role }, ada)
    t.is((await problemOf(t, set)).code, 'role_not_automatic')
    t.deepEqual(await rolesOf(ada, bob.userId), ['tenant.member'])
  })

test('gives no role that the workspace has defined, whatever it permits', async t => {
  const ada = await people.person()
  const bob = await people.colleague(ada, ['tenant.member'])
  const role = { key: 'tenant.everything', name: 'Everything', permissions: ['*'] }
  t.is((await ada.post('/v1/identity/roles', role)).status, 201)
  const input = { member: person(bob.email, bob), role: role.key }
  t.is((await problemOf(t, runAction(kernel.kernel, 'identity.set_role', input, ada))).code, 'role_not_automatic')
})

test('no role of the operator is given in its own workspace either', async t => {
  const operator = await people.operator()
  const input = { email: person(newEmail()), role: 'platform.admin' }
  t.is((await problemOf(t, runAction(kernel.kernel, 'identity.invite', input, operator))).code, 'role_not_automatic')
})

test('an automation replaces the role of a member, and the audit log names it', async t => {
  const ada = await people.person()
  const bob = await people.colleague(ada, ['tenant.member'])
  const input = { member: person(bob.email, bob), role: 'tenant.agent' }
  t.like(await runAction(kernel.kernel, 'identity.set_role', input, ada), { roles: ['tenant.agent'] })
  t.deepEqual(await rolesOf(ada, bob.userId), ['tenant.agent'])
  const { body } = await ada.get<Listed<{ action: string; actor: { id: string } }>>('/v1/identity/audit')
  t.is(body.data.find(({ action }) => action === 'member.roles_changed')?.actor.id, 'automation welcome')
})

test('an owner stays one', async t => {
  const ada = await people.person()
  const input = { member: person(ada.email, ada), role: 'tenant.agent' }
  await runAction(kernel.kernel, 'identity.set_role', input, ada)
  t.deepEqual(await rolesOf(ada, ada.userId), ['tenant.owner', 'tenant.agent'])
})

test('a stranger who knows the address of a member gives them no role', async t => {
  const ada = await people.person()
  const bob = await people.colleague(ada, ['tenant.member'])
  const member = person(bob.email, { userId: bob.userId, isForeign: true })
  const set = runAction(kernel.kernel, 'identity.set_role', { member, role: 'tenant.agent' }, ada)
  t.is((await problemOf(t, set)).code, 'person_not_confirmed')
})

test('sets no role of a member of another workspace', async t => {
  const ada = await people.person()
  const bob = await people.person()
  const set = runAction(
    kernel.kernel,
    'identity.set_role',
    { member: person(bob.email, bob), role: 'tenant.agent' },
    ada,
  )
  t.is((await problemOf(t, set)).code, 'not_found')
})

test('the check finds unknown roles, and those that no automation gives', t => {
  const check = (role: string) => mistakesOf(kernel.kernel, 'identity.set_role', { member: '$row.member', role })
  t.deepEqual(check('tenant.agnet'), ['unknown_role role: Unknown role "tenant.agnet". Did you mean "tenant.agent"?'])
  t.deepEqual(check('tenant.owner'), ["role_not_automatic role: An automation can't give the role tenant.owner. "])
  t.deepEqual(check('platform.admin'), ["role_not_automatic role: An automation can't give the role platform.admin. "])
  t.deepEqual(check('tenant.agent'), [])
})
