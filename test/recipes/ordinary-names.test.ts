/** Collections and fields with ordinary names, beside every shipped module. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { stringify } from 'yaml'
import { clientOf } from '../../bin/client.ts'
import { checkFile, readSettings, rehearse } from '../../bin/composition.ts'
import { toolLog } from '../../bin/log.ts'
import type { RecipeError } from '../../kernel/recipe/index.ts'
import { inspectRecipe } from '../../kernel/runtime/index.ts'
import { startTestKernel } from '../../testing/index.ts'
import { collidingNames } from '../fixtures/generated-names.ts'
import { FIELD_NAMES, JOINED, MEANINGFUL, NOUNS, OBJECT } from './ordinary-names.ts'

const MODULES = [
  'identity',
  'comms',
  'content',
  'billing',
  'forms',
  'features',
  'messaging',
  'webhooks',
  'media',
  'sessions',
  'streams',
  'console',
  'collections',
]
const folder = mkdtempSync(join(tmpdir(), 'larder-names-'))
test.after.always(() => rmSync(folder, { recursive: true }))

let files = 0
function recipeWith(collections: object): string {
  const recipe = {
    recipe: 1,
    product: { key: 'acme', name: 'Acme', publicUrl: 'http://localhost:8080' },
    modules: Object.fromEntries(MODULES.map(name => [name, name === 'comms' ? { from: 'a@acme.test' } : {}])),
    collections,
  }
  const file = join(folder, `${files++}.yaml`)
  writeFileSync(file, stringify(recipe, { aliasDuplicateObjects: false }))
  return file
}
const inspect = async <T>(file: string, read: Parameters<typeof inspectRecipe<T>>[1]): Promise<T> =>
  inspectRecipe({ checked: await checkFile(file, {}), settings: readSettings({}), log: toolLog('silent') }, read)

const fields = (names: readonly string[]) =>
  Object.fromEntries(names.map((name, at) => [name, at % 2 ? { type: 'text' } : { type: 'enum', values: ['a', 'b'] }]))
const collection = { trash: '1d', history: 3, fields: fields(FIELD_NAMES) }
/** A recipe has at most 100 collections. */
const sample = [...NOUNS.slice(0, 85), ...JOINED]

test('a collection can have any ordinary name, beside every module', async t => {
  for (const names of [sample, NOUNS.slice(50)]) {
    const file = recipeWith(Object.fromEntries(names.map(name => [name, { fields: fields(['title', 'body']) }])))
    await t.notThrowsAsync(async () => rehearse(await checkFile(file, {}), {}))
  }
})

test('collections and fields with ordinary names give generated clients one name for each type', async t => {
  const names = ['orders', 'conversation', 'jobs', ...JOINED]
  const file = recipeWith(Object.fromEntries(names.map(name => [name, collection])))
  t.deepEqual(
    (await inspect(file, ({ http }) => collidingNames(http.openapi()))).filter(each => each.includes('Data')),
    [],
  )
})

test('the client has a collection under its own name', async t => {
  const client = await inspect(recipeWith({ jobs: collection, modules: collection }), clientOf)
  for (const name of ['jobs', 'modules'])
    t.true(client.includes(`collectionClient<Collections, '${name}'>(send, '/v1/data/${name}')`), name)
})

/** Names of collections and fields that the check refuses, and the recipe without them. */
async function refusedNames(): Promise<{ collections: string[]; fields: string[]; file: string }> {
  const own = (names: readonly string[]) => ({
    fields: Object.fromEntries(names.map(name => [name, { type: 'text' }])),
  })
  const recipe = (collections: readonly string[], fields: readonly string[]) =>
    recipeWith({
      ...Object.fromEntries(collections.map(name => [name, own(['title', 'body', 'params'])])),
      notes: own(fields),
      memos: own(FIELD_NAMES),
    })
  const refused = { collections: new Set<string>(), fields: new Set<string>() }
  for (;;) {
    const rest = (names: Set<string>) => MEANINGFUL.filter(name => !names.has(name))
    const file = recipe(rest(refused.collections), rest(refused.fields))
    const problems = await checkFile(file, {}).then(
      () => [],
      (error: RecipeError) => error.problems,
    )
    if (problems.length === 0) return { collections: [...refused.collections], fields: [...refused.fields], file }
    for (const { path } of problems) {
      const [, collection = '', field] = /^collections\.(\w+)(?:\.fields\.(\w+))?$/.exec(path) ?? []
      if (field === undefined) refused.collections.add(collection)
      else refused.fields.add(field)
    }
  }
}

test('a handful of names is reserved, and a product with all others of SQL, JavaScript and the API starts', async t => {
  const { collections, fields, file } = await refusedNames()
  // A name in camelCase is none of a collection.
  t.deepEqual(collections.filter(name => /^[a-z]+$/.test(name)).toSorted(), [
    'aggregate',
    'batch',
    'constructor',
    'prototype',
    'schema',
    'search',
    'then',
    'trash',
  ])
  t.deepEqual(fields.filter(name => !OBJECT.includes(name)).toSorted(), [
    'and',
    'constructor',
    'not',
    'or',
    'prototype',
    'search',
    'then',
  ])
  const kernel = await startTestKernel({ recipe: file })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@acme.test')
  const accepted = MEANINGFUL.filter(name => !fields.includes(name))
  for (const [name, names] of [
    ...['user', 'table', 'exports', 'v1'].map(name => [name, ['title', 'body', 'params']] as const),
    ['memos', FIELD_NAMES] as const,
    ['notes', accepted] as const,
  ]) {
    const values = Object.fromEntries(names.map(name => [name, `the ${name}`]))
    const created = await ada.post(`/v1/data/${name}`, values)
    t.is(created.status, 201, name)
    t.like(
      (await ada.get(`/v1/data/${name}?filter[${names[1]}]=the+${names[1]}&sort=-${names[0]}`)).body,
      { data: [values] },
      name,
    )
  }
})
