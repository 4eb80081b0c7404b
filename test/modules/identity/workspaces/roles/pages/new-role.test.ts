/** What a new role can start from. */
import test from 'ava'
import type { Person } from '../../../../../../testing/index.ts'
import { withPeople } from '../../../../../fixtures/with-people.ts'
import { colleague, identityRecipe, newEmail, role } from '../../../fixtures.ts'
import { visitor } from '../../../pages/forms.ts'

const { kernel } = withPeople(test, { recipe: identityRecipe() })

const newOwner = () => kernel.register(newEmail('owner'), { workspaceName: 'Engines' })
async function formFor({ cookie }: Person, { tenantId }: Person, copy: string): Promise<string> {
  const { body } = await visitor(kernel, `${cookie}; platform_tenant=${tenantId}`).open(
    `/workspace/roles/new?copy=${copy}`,
  )
  return body
}
const checked = (html: string) =>
  [...html.matchAll(/name="permission:([\w.*]+)" value="1" checked/g)].map(([, key]) => key)

test('a role that only views starts with every permission that reads, and none that changes', async t => {
  const owner = await newOwner()
  const { body } = await owner.get('/v1/identity/permissions?limit=100')
  const reading = body.data.flatMap(({ key, scope }) => (scope === 'tenant' && key.endsWith('.read') ? key : []))
  const chosen = checked(await formFor(owner, owner, 'view-only'))
  t.true(reading.length > 5)
  t.deepEqual(chosen.toSorted(), reading.toSorted())
})

test('a copy of a role starts with its permissions', async t => {
  const owner = await newOwner()
  await role(owner, 'team.support', ['identity.member.read', 'identity.role.*'])
  const html = await formFor(owner, owner, 'team.support')
  t.deepEqual(checked(html).toSorted(), ['identity.member.read', 'identity.role.*'])
  t.regex(html, /<option value="team\.support" selected>/)
})

test('a copy leaves out what the caller may not grant', async t => {
  const owner = await newOwner()
  await role(owner, 'team.lead', ['identity.role.*', 'identity.member.read'])
  const lead = await colleague(kernel, owner, ['team.lead'])
  t.deepEqual(checked(await formFor(lead.person, owner, 'tenant.owner')), [])
  t.deepEqual(checked(await formFor(lead.person, owner, 'view-only')).toSorted(), [
    'identity.member.read',
    'identity.role.read',
  ])
})

test('an unknown role to copy starts with no permission', async t => {
  const owner = await newOwner()
  t.deepEqual(checked(await formFor(owner, owner, 'team.unknown')), [])
})
