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

const withHome = (...cards: readonly string[]) => `modules:
  identity: {}
  collections: {}
  console: { home: [${cards.join()}] }
collections:
  tickets:
    fields:
      title: { type: text }
      owner: { type: member }
      due: { type: date }
      price: { type: money, currency: EUR }
      notes: { type: text, private: true }
      status: { type: enum, values: [open, done] }
`

test('accepts cards of collections with filters, times and sums', async t => {
  const cards = [
    '{ count: tickets }',
    '{ count: tickets, filter: { owner: $member, due: { lt: $today }, createdAt: { lte: $now }, status: { in: [open] } } }',
    '{ chart: tickets, by: month, time: due, sum: price, filter: { status: open }, title: { en: A, de: B } }',
  ]
  t.deepEqual((await recipeProblems(t, withHome(...cards))).map(toLine), [])
})

for (const [card, message, hint] of [
  ['{ count: tikets }', 'Unknown collection "tikets"', 'Did you mean "tickets"?'],
  ['{ count: tickets, filter: { stauts: open } }', 'stauts is not a known field (did you mean "status"?)'],
  ['{ count: tickets, filter: { status: opn } }', 'status must be one of open, done (did you mean "open"?)'],
  ['{ count: tickets, filter: { notes: x } }', 'notes is not a known field'],
  [
    '{ count: tickets, filter: { owner: $me } }',
    'Unknown variable "$me"',
    'Variables of filters are $member, $user, $today, $now',
  ],
  ['{ chart: tickets, time: title }', 'time must be a date or a time, which title is not'],
  ['{ chart: tickets, sum: title }', "sum can't be used with title"],
  ['{ count: tickets, by: week }', 'by is for charts', 'Remove it, or write chart: tickets'],
  ['{ filter: { status: open } }', 'A card has either count or chart'],
  ['{ count: tickets, chart: tickets }', 'A card has either count or chart'],
] as const)
  test(`rejects the card ${card}`, async t => {
    const [problem, ...others] = await recipeProblems(t, withHome(card))
    t.is(problem?.message, message)
    if (hint !== undefined) t.is(problem?.hint, hint)
    t.deepEqual(others, [])
  })

test('rejects cards without collections, unknown keys and steps, and more than twelve cards', async t => {
  const without = 'modules:\n  identity: {}\n  console: { home: [{ count: tickets }] }\n'
  t.like((await recipeProblems(t, without))[0], { message: 'This recipe has no module collections' })
  for (const card of ['{ chart: tickets, by: hour }', '{ chart: tickets, color: red }', '{ count: "" }', 'tickets'])
    t.true((await recipeProblems(t, withHome(card))).length > 0, card)
  t.true((await recipeProblems(t, withHome(...Array.from({ length: 13 }, () => '{ count: tickets }')))).length > 0)
})

/** The options of the console in the schema of editors, for a recipe with these names. */
async function consoleSchema(declared?: Parameters<typeof editorSchema>[1]) {
  const schema = editorSchema(await describedDefinitions({ tree: undefined } as never, catalog()), declared)
  return (schema as never as Schema).properties.modules.properties.console.properties
}

test('editors complete the areas of modules, and accept those of collections', async t => {
  const { customers, sidebar } = await consoleSchema()
  const list = customers.anyOf.find(({ type }) => type === 'array')
  t.true(['forms', 'media', 'collections'].every(area => list?.items?.examples?.includes(area)))
  t.is(list?.items?.enum, undefined)
  t.true(['money', 'collections'].every(group => sidebar.items?.examples?.includes(group)))
})

test('editors complete the collections of the recipe as areas and in cards of the home screen', async t => {
  const { customers, home } = await consoleSchema({ collections: ['tickets', 'orders'] })
  const list = customers.anyOf.find(({ type }) => type === 'array')
  t.true(['forms', 'tickets', 'orders'].every(area => list?.items?.examples?.includes(area)))
  for (const key of ['count', 'chart'] as const) {
    const card = home.items?.properties?.[key]
    t.deepEqual(card?.examples, ['tickets', 'orders'], key)
    t.is(card?.enum, undefined)
    t.truthy(card?.description)
  }
})

interface Schema {
  readonly properties: {
    readonly modules: {
      readonly properties: {
        readonly console: {
          readonly properties: { readonly customers: Customers; readonly sidebar: List; readonly home: List }
        }
      }
    }
  }
}
interface List {
  readonly type?: string
  readonly items?: Item & { readonly properties?: Readonly<Record<string, Item & { readonly description?: string }>> }
}
interface Item {
  readonly examples?: readonly string[]
  readonly enum?: unknown
}
interface Customers {
  readonly anyOf: readonly List[]
}
