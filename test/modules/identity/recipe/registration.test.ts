import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { stringify } from 'yaml'
import { checkFile } from '../../../../bin/composition.ts'
import { RecipeError } from '../../../../kernel/recipe/index.ts'

const product = { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080' }
const people = { ...product, audience: 'people' }

async function checkedOf(t: ExecutionContext, recipe: object, base?: object) {
  const folder = mkdtempSync(join(tmpdir(), 'larder-recipe-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'recipe.yaml')
  if (base) writeFileSync(join(folder, 'base.yaml'), stringify({ recipe: 1, product, ...base }))
  writeFileSync(file, stringify({ recipe: 1, product, ...(base && { extends: './base.yaml' }), ...recipe }))
  return checkFile(file, {})
}
/** The mistakes of a recipe, without their files. */
async function mistakes(t: ExecutionContext, recipe: object, base?: object): Promise<string[]> {
  try {
    await checkedOf(t, recipe, base)
    return []
  } catch (error) {
    if (!(error instanceof RecipeError)) throw error
    return error.problems.flatMap(({ path, message, severity }) =>
      severity === 'warning' ? [] : `${path}: ${message}`,
    )
  }
}
const registration = (options: object) => ({ modules: { identity: { registration: options } } })

test('a product of people rejects registration.workspace of its own file', async t => {
  t.deepEqual(await mistakes(t, { product: people, ...registration({ workspace: 'auto' }) }), [
    "modules.identity.registration.workspace: A product of people has one workspace, the operator's, and registration creates no other",
  ])
})

test('a product of people accepts registration.workspace of a recipe that it extends', async t => {
  t.deepEqual(await mistakes(t, { product: people }, registration({ workspace: 'auto' })), [])
  t.deepEqual(await mistakes(t, { extends: 'larder/saas', product: people }), [])
})

test('a product of people rejects shared collections of its own file', async t => {
  const collections = { courses: { scope: 'shared', fields: { title: { type: 'text' } } } }
  const modules = { identity: {}, collections: {} }
  t.deepEqual(await mistakes(t, { product: people, modules, collections }), [
    "collections.courses.scope: A product of people has one workspace, the operator's, and all rows belong to it",
  ])
  t.deepEqual(await mistakes(t, { product: people }, { modules, collections }), [])
})

test('a product of teams rejects a role of the registration', async t => {
  t.deepEqual(await mistakes(t, registration({ role: 'tenant.member' })), [
    'modules.identity.registration.role: Whoever registers owns a workspace: a product of teams has no role of the registration',
  ])
})

test('the role of the registration has to exist in a product of people', async t => {
  t.deepEqual(await mistakes(t, { product: people, ...registration({ role: 'tenant.patient' }) }), [
    'modules.identity.registration.role: Unknown role "tenant.patient"',
  ])
  t.deepEqual(await mistakes(t, { product: people, ...registration({ role: 'platform.admin' }) }), [
    'modules.identity.registration.role: Role "platform.admin" has the scope platform, which is for operators',
  ])
})

const others = (permission: string) =>
  `Role "tenant.reader" has the permission ${permission}, with which customers would read or change what belongs to others`
for (const [title, { role, mistake }] of Object.entries({
  'a permission': {
    role: { name: 'Reader', permissions: ['billing.plan.read', 'identity.member.read'] },
    mistake: `roles.tenant.reader.permissions[1]: ${others('identity.member.read')}`,
  },
  'a pattern': {
    role: { name: 'Reader', permissions: ['identity.*'] },
    mistake: `roles.tenant.reader.permissions[0]: ${others('identity.tenant.read')}`,
  },
  'a role that it extends': {
    role: { name: 'Reader', extends: 'tenant.billing', permissions: [] },
    mistake: `modules.identity.registration.role: ${others('billing.credit.consume')}`,
  },
}))
  test(`rejects a role of the registration that opens what belongs to others by ${title}`, async t => {
    const roles = { 'tenant.reader': role }
    const modules = { identity: { registration: { role: 'tenant.reader' } }, billing: {} }
    t.deepEqual(await mistakes(t, { product: people, roles, modules }), [mistake])
  })

/** The permissions of customers, and of those that a module limits by rules. */
const OF_CUSTOMERS = [
  'billing.plan.read',
  'billing.subscription.read',
  'billing.subscription.update',
  'billing.entitlement.read',
  'billing.credit.read',
  'content.page.read',
  'content.navigation.read',
  'features.feature.evaluate',
  'forms.submission.create',
  'media.item.create',
  'messaging.conversation.read',
  'messaging.conversation.create',
  'messaging.conversation.update',
  'messaging.message.create',
  'messaging.message.update',
  'messaging.message.delete',
]
const everything = {
  modules: {
    identity: {},
    comms: {},
    billing: {},
    collections: {},
    media: { driver: 'local', maxBytes: '1MiB', allow: ['image/png'] },
    messaging: {},
    forms: {},
    content: {},
    features: {},
    webhooks: {},
    automations: {},
    sessions: {},
    streams: {},
    console: {},
  },
  collections: {
    orders: {
      fields: { title: { type: 'text' }, owner: { type: 'member' } },
      access: { read: { 'tenant.customer': { owner: '$member' } } },
    },
  },
  automations: {
    touch: { button: { on: 'orders', label: 'Touch', roles: ['tenant.customer'] }, steps: [{ wait: '1h' }] },
  },
}
test('customers may have no permission that opens what belongs to others', async t => {
  const { modules } = await checkedOf(t, { product: people, ...everything })
  const known = modules
    .flatMap(({ module }) => Object.entries(module.permissions ?? {}))
    .filter(([, spec]) => typeof spec === 'string' || spec.scope !== 'platform')
    .map(([key]) => key)
  t.true(known.length > 60)
  const roles = { 'tenant.customer': { name: 'Customer', permissions: known } }
  const found = await mistakes(t, { product: people, ...everything, roles })
  const refused = new Set(found.map(each => /has the permission (\S+),/.exec(each)?.[1]))
  t.deepEqual(known.filter(key => !refused.has(key)).sort(), [...OF_CUSTOMERS].sort())
})

test('a permission for all rows of a collection is none for customers, and a rule is', async t => {
  const roles = { 'tenant.customer': { name: 'Customer', permissions: ['collections.orders.read'] } }
  t.deepEqual(await mistakes(t, { product: people, ...everything, roles }), [
    'roles.tenant.customer.permissions[0]: Role "tenant.customer" has the permission collections.orders.read, with which customers would read or change what belongs to others',
  ])
  t.deepEqual(await mistakes(t, { product: people, ...everything }), [])
})

test("a recipe's own role with the key tenant.customer replaces that of identity", async t => {
  const roles = { 'tenant.customer': { name: 'Patient', permissions: ['content.page.read'] } }
  t.deepEqual(await mistakes(t, { product: people, roles, modules: { identity: {}, content: {} } }), [])
})

test('tenant.customer is no role of a product of teams', async t => {
  const invitations = { defaultRole: 'tenant.customer' }
  t.deepEqual(await mistakes(t, { modules: { identity: { invitations } } }), [
    'modules.identity.invitations.defaultRole: Unknown role "tenant.customer"',
  ])
})
