import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { stringify } from 'yaml'
import { checkFile } from '../../../../bin/composition.ts'
import { RecipeError } from '../../../../kernel/recipe/index.ts'

const product = { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080' }
const people = { ...product, audience: 'people' }

/** The mistakes of a recipe, without their files. */
async function mistakes(t: ExecutionContext, recipe: object, base?: object): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-recipe-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'recipe.yaml')
  if (base) writeFileSync(join(folder, 'base.yaml'), stringify({ recipe: 1, product, ...base }))
  writeFileSync(file, stringify({ recipe: 1, product, ...(base && { extends: './base.yaml' }), ...recipe }))
  try {
    await checkFile(file, {})
    return []
  } catch (error) {
    if (!(error instanceof RecipeError)) throw error
    return error.problems.map(({ path, message }) => `${path}: ${message}`)
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

for (const [title, role] of Object.entries({
  'a permission': { name: 'Reader', permissions: ['identity.member.read'] },
  'a pattern': { name: 'Reader', permissions: ['identity.*'] },
  'a role that it extends': { name: 'Reader', extends: 'tenant.owner', permissions: [] },
}))
  test(`rejects a role of the registration that shows customers each other by ${title}`, async t => {
    const roles = { 'tenant.reader': role }
    const found = await mistakes(t, { product: people, roles, ...registration({ role: 'tenant.reader' }) })
    t.is(found.length, 1)
    t.regex(found[0] ?? '', /customers would learn about each other/)
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
