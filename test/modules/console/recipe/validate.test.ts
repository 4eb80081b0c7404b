import test from 'ava'
import { catalog } from '../../../../bin/composition.ts'
import { editorSchema } from '../../../../bin/editor-schema.ts'
import { describedDefinitions } from '../../../../kernel/recipe/catalog.ts'
import { recipeProblems, toLine } from '../../recipe-problems.ts'

const recipe = (customers: string) => `modules:
  identity: {}
  forms: {}
  collections: {}
  console: { customers: ${customers} }
collections:
  courses: { fields: { title: { type: text } } }
`

test('accepts modules with screens, collections, and all', async t => {
  for (const customers of ['[]', '[forms, courses]', '[collections]', '[platform, identity]', 'all'])
    t.deepEqual((await recipeProblems(t, recipe(customers))).map(toLine), [], customers)
})

test('rejects an area that nothing of the recipe has', async t => {
  const [misspelled, unknown] = await recipeProblems(t, recipe('[froms, media]'))
  t.like(misspelled, { code: 'unknown_area', message: 'Unknown area "froms"', hint: 'Did you mean "forms"?' })
  t.like(unknown, { code: 'unknown_area', message: 'Unknown area "media"' })
  t.regex(unknown?.hint ?? '', /^Areas are .*\bforms\b.*\bcourses$/)
})

test('rejects a module without screens, the same area twice, and other values', async t => {
  for (const customers of ['[console]', '[forms, forms]', '[""]', 'none', '{ forms: true }', '[1]'])
    t.true((await recipeProblems(t, recipe(customers))).length > 0, customers)
})

const ordered = (sidebar: string) => recipe('all').replace('{ customers: all }', `{ sidebar: ${sidebar} }`)

test('accepts groups of the navigation in any order', async t => {
  for (const sidebar of ['[]', '[money, collections]', '[people, content, money, messages, product]'])
    t.deepEqual((await recipeProblems(t, ordered(sidebar))).map(toLine), [], sidebar)
})

test('rejects a group that the navigation does not have, the platform, which is last, and a group twice', async t => {
  const [misspelled, module, platform] = await recipeProblems(t, ordered('[mony, forms, platform]'))
  t.like(misspelled, { code: 'unknown_group', message: 'Unknown group "mony"', hint: 'Did you mean "money"?' })
  t.like(module, { message: 'Unknown group "forms"' })
  t.like(platform, {
    message: 'Unknown group "platform"',
    hint: 'Groups are collections, people, content, money, messages, product',
  })
  for (const sidebar of ['[money, money]', 'money', '[1]', '[""]'])
    t.true((await recipeProblems(t, ordered(sidebar))).length > 0, sidebar)
})

test('editors complete the areas of modules, and accept those of collections', async t => {
  const schema = editorSchema(await describedDefinitions({ tree: undefined } as never, catalog()))
  const { customers } = (schema as never as Schema).properties.modules.properties.console.properties
  const list = customers.anyOf.find(({ type }) => type === 'array')
  t.true(['forms', 'media', 'collections'].every(area => list?.items?.examples?.includes(area)))
  t.is(list?.items?.enum, undefined)
  const { sidebar } = (schema as never as Schema).properties.modules.properties.console.properties
  t.true(['money', 'collections'].every(group => sidebar.items?.examples?.includes(group)))
})

interface Schema {
  readonly properties: {
    readonly modules: {
      readonly properties: {
        readonly console: { readonly properties: { readonly customers: Customers; readonly sidebar: List } }
      }
    }
  }
}
interface List {
  readonly type?: string
  readonly items?: { readonly examples?: readonly string[]; readonly enum?: unknown }
}
interface Customers {
  readonly anyOf: readonly List[]
}
