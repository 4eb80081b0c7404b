/** Recipes with random declarations and random changes, which must start if the check accepts them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { checkFile, rehearse } from '../../bin/composition.ts'
import { isRecord } from '../../kernel/base/index.ts'
import { type Diagnostic, RecipeError } from '../../kernel/recipe/index.ts'
import { startTestKernel } from '../../testing/index.ts'
import { FIELD_NAMES, JOINED, MEANINGFUL, NOUNS } from './ordinary-names.ts'

type Json = Record<string, unknown>
interface Product {
  readonly recipe: Json
  readonly files: Readonly<Record<string, string>>
}

/** Repairs of a recipe, before another one is generated. */
const MAX_REPAIRS = 60
/** Recipes that no repair makes valid, one after another. */
const MAX_HOPELESS = 20

/** Starts recipes that the check accepts. Throws an Error with the seed and the recipe if one does not start. */
export async function startRecipes(runs: number, seed: number): Promise<void> {
  for (let run = 0; run < runs; run++) {
    let attempt = 0
    while (!(await startsRepaired(seed + run * MAX_HOPELESS + attempt)))
      if (++attempt === MAX_HOPELESS) throw new Error(`seed ${seed}: no recipe of run ${run} is valid`)
  }
}

async function startsRepaired(seed: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-generated-'))
  const [product] = fc.sample(changedProduct, { seed, numRuns: 1 }) as [Product]
  const files: Record<string, string> = { ...product.files }
  try {
    for (let repairs = 0; repairs < MAX_REPAIRS; repairs++) {
      files['recipe.yaml'] = stringify(product.recipe, { aliasDuplicateObjects: false })
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true })
        writeFileSync(join(folder, name), content)
      }
      const problem = await firstError(join(folder, 'recipe.yaml'))
      if (!problem) {
        await start(join(folder, 'recipe.yaml'))
        return true
      }
      if (!repair(product.recipe, files, problem, folder)) return false
    }
    return false
  } catch (error) {
    const texts = Object.entries(files).map(([name, content]) => `# ${name}\n${content}`)
    throw new Error(`seed ${seed}: ${String(error)}\n${texts.join('\n')}`, { cause: error })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function firstError(file: string): Promise<Diagnostic | undefined> {
  try {
    await rehearse(await checkFile(file, {}), {})
    return undefined
  } catch (error) {
    if (!(error instanceof RecipeError)) throw error
    return error.problems.find(({ severity }) => severity === 'error')
  }
}

async function start(recipe: string): Promise<void> {
  const kernel = await startTestKernel({ recipe })
  const { status } = await kernel.get('/', { headers: { accept: 'text/html' } })
  await kernel.stop()
  if (status >= 500) throw new Error(`GET / answered ${status}`)
}

/** Removes the value or empties the file with the problem. False if there is none. */
function repair(recipe: Json, files: Record<string, string>, { file, path }: Diagnostic, folder: string): boolean {
  const name = relative(folder, file)
  if (name !== 'recipe.yaml') {
    files[name] = name === 'mail.hbs' ? '---\nsubject: Hello\n---\n' : ''
    return true
  }
  let found: Place | undefined
  let inner: unknown = recipe
  let rest = path
  for (;;) {
    const key = isRecord(inner) || Array.isArray(inner) ? longestKey(inner, rest) : undefined
    if (key === undefined) break
    found = { parent: inner as Json, key }
    inner = Reflect.get(inner as Json, key)
    rest = rest.slice(rest.indexOf(key) + key.length).replace(/^\]/, '')
  }
  if (!found) return false
  remove(found)
  return true
}

/** Keys can contain dots. */
function longestKey(value: object, path: string): string | undefined {
  const rest = path.replace(/^[.[]/, '')
  return Object.keys(value)
    .filter(key => rest === key || ['.', '[', ']'].some(end => rest.startsWith(key + end)))
    .sort((a, b) => b.length - a.length)[0]
}

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const defined = (value: Json): Json =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined))
const declaration = (model: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Json> => fc.record(model).map(defined)
const flag = optional(fc.boolean())

const COLLECTIONS = ['tickets', 'teams', 'course_tags']
const FIELDS = ['title', 'price', 'startsAt', 'done', 'level', 'other', 'date', 'text', 'url', 'order', 'user', 'group']

const TYPES: readonly fc.Arbitrary<Json>[] = [
  declaration({
    type: fc.constantFrom('text', 'longtext', 'markdown', 'email'),
    required: flag,
    maxLength: optional(fc.constantFrom(1, 20, 600)),
    default: optional(fc.constantFrom('a', 'é', "it's", '{{x}}', '%', '\\', '')),
  }),
  declaration({ type: fc.constant('text'), unique: flag, index: flag, pattern: optional(fc.constantFrom('^a', '.*')) }),
  declaration({
    type: fc.constantFrom('integer', 'number'),
    min: optional(fc.constantFrom(-5, 0)),
    max: optional(fc.constantFrom(5, 1e9)),
    default: optional(fc.constantFrom(0, 3)),
    index: flag,
  }),
  declaration({ type: fc.constant('money'), currency: fc.constantFrom('EUR', 'JPY'), required: flag }),
  declaration({ type: fc.constant('boolean'), default: optional(fc.boolean()), index: flag }),
  declaration({
    type: fc.constantFrom('date', 'datetime', 'duration', 'file', 'member', 'json', 'url'),
    required: flag,
  }),
  declaration({ type: fc.constant('enum'), values: fc.constantFrom(['a'], ['a', "b'c", 'x y', 'ü']), index: flag }),
  declaration({ type: fc.constant('slug'), from: optional(fc.constantFrom('title', 'text')), unique: flag }),
  declaration({
    type: fc.constant('reference'),
    to: fc.constantFrom(...COLLECTIONS),
    many: flag,
    onDelete: optional(fc.constantFrom('restrict', 'clear', 'cascade')),
  }),
  declaration({
    type: fc.constant('computed'),
    expression: fc.constantFrom("title + 'x'", 'price * 2', 'done ? 1 : 2', 'length(title)', '1 / 0', 'price % 3'),
    of: fc.constantFrom('text', 'number', 'integer', 'boolean'),
  }),
]
const value = fc.constantFrom<unknown>('a', 'zz', 0, 3, 5, true, false, '2026-01-31', '$member', '$user', '$now', '1h')
const condition = fc.dictionary(
  fc.constantFrom('title', 'price', 'done', 'level', 'createdBy', 'createdAt', 'other.title', 'id'),
  fc.oneof(
    value,
    declaration({
      eq: optional(value),
      ne: optional(value),
      gt: optional(value),
      lte: optional(value),
      exists: optional(fc.boolean()),
      in: optional(fc.array(value, { minLength: 1, maxLength: 2 })),
    }),
  ),
  { maxKeys: 2 },
)
const rule = fc.oneof(fc.boolean(), condition)
const roles = (names: readonly string[]) => fc.dictionary(fc.constantFrom(...names), rule, { maxKeys: 2 })

const collection = declaration({
  label: optional(fc.constantFrom<unknown>('Ticket', { en: 'Ticket', de: 'Karte' })),
  scope: optional(fc.constantFrom('tenant', 'shared')),
  fields: fc
    .tuple(
      fc.oneof(...TYPES.slice(0, 2)),
      fc.dictionary(fc.constantFrom(...FIELDS), fc.oneof(...TYPES), { maxKeys: 5 }),
    )
    .map(([first, others]) => ({ title: first, ...others })),
  search: optional(fc.constant(['title'])),
  unique: optional(fc.constantFrom([['title', 'price']], [['title', 'level']])),
  access: optional(
    declaration({ read: optional(roles(['anyone', 'tenant.agent'])), create: optional(roles(['tenant.agent'])) }),
  ),
  trash: optional(fc.constantFrom('30d', '1s')),
  history: optional(fc.constantFrom(0, 5)),
  rows: optional(
    fc.array(fc.dictionary(fc.constantFrom(...FIELDS.slice(0, 6)), value, { maxKeys: 3 }), { maxLength: 3 }),
  ),
})

const page = declaration({
  path: optional(fc.constantFrom('/', '/about', '/tickets', '/tickets/:title', '/A b', '/v1/x')),
  title: fc.constantFrom<unknown>('A', '{{a}}', { en: 'A', de: 'B' }),
  body: optional(fc.constantFrom('# A', '<script>', '{{a}}', '[x](javascript:x)', './body.md', '')),
  template: optional(fc.constantFrom('page', 'landing', 'list')),
  status: optional(fc.constantFrom('draft', 'published')),
})

/** The first ones are valid whatever the collection is. */
const TEMPLATE_PARTS = [
  '{{#each rows.data}}{{title}}{{/each}}',
  '{{#if rows.data}}{{rows.data.length}}{{else}}none{{/if}}',
  "{{text 'Hello'}}",
  '{{heading}}{{body}}',
  '{{#if page.signedIn}}in{{/if}}',
  '{{#each rows.data}}<a href="{{url url}}">{{../page.title}}</a>{{/each}}',
  '{{#each rows.data as |row|}}{{row.price}}{{/each}}',
  '{{rows.titel}}',
  '{{nothing}}',
  '{{shout page.title}}',
  '{{date page.title}}',
  '{{#if',
  '{{> nothing}}',
  '{{{body}}}',
]
const VALID_PARTS = 5
const template = fc
  .tuple(
    fc.constantFrom('tickets', 'tickets', 'tickets', 'teams', 'nothing'),
    fc.constantFrom(
      '',
      '',
      'sort: [title]',
      'filter: { title: a }',
      'filter: { price: { gt: 3 } }',
      'expand: [other]',
      'limit: 0',
    ),
    fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...TEMPLATE_PARTS.slice(0, VALID_PARTS)) },
        { weight: 1, arbitrary: fc.constantFrom(...TEMPLATE_PARTS) },
      ),
      { maxLength: 3 },
    ),
  )
  .map(
    ([name, more, parts]) =>
      `---\ndata:\n  rows: { collection: ${name}${more === '' ? '' : `, ${more}`} }\n---\n${parts.join('\n')}\n`,
  )

const fieldsOf = (collections: Readonly<Record<string, Json>>): Json =>
  Object.fromEntries(Object.entries(collections).map(([name, fields]) => [name, { fields }]))

/** A name of anything that people name in a recipe. */
const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NOUNS, ...JOINED) },
  { weight: 2, arbitrary: fc.constantFrom(...MEANINGFUL) },
)
const text = { type: 'text' }
/** What may have any name, beside what the other declarations refer to. */
const named = fc.record({
  collections: fc.dictionary(
    name,
    fc.dictionary(fc.oneof(name, fc.constantFrom(...FIELD_NAMES)), fc.constant(text), { minKeys: 1, maxKeys: 4 }),
    { maxKeys: 4 },
  ),
  profile: fc.dictionary(name, fc.constant(text), { maxKeys: 2 }),
  roles: fc.dictionary(
    name.map(role => `tenant.${role}`),
    fc.constant({ name: 'Role', permissions: ['content.page.read'] }),
    { maxKeys: 2 },
  ),
  plans: fc.dictionary(name, fc.constant({ name: 'Plan', price: 0 }), { maxKeys: 2 }),
  entitlements: fc.dictionary(
    name.map(key => `${key}.count`),
    fc.constant({ kind: 'gauge' }),
    { maxKeys: 2 },
  ),
  features: fc.dictionary(name, fc.constant({ default: false }), { maxKeys: 2 }),
  forms: fc.dictionary(
    name,
    name.map(property => ({
      name: 'Form',
      access: 'public',
      schema: { type: 'object', properties: Object.fromEntries([[property, { type: 'string' }]]) },
    })),
    { maxKeys: 2 },
  ),
  navigation: fc.dictionary(name, fc.constant([{ label: 'Home', path: '/' }]), { maxKeys: 2 }),
  pages: fc.dictionary(
    name,
    name.map(path => ({ path: `/${path}`, title: 'A' })),
    { maxKeys: 2 },
  ),
  templates: fc.array(name, { maxLength: 2 }),
})

const product: fc.Arbitrary<Product> = fc
  .record({
    collections: fc
      .tuple(collection, fc.dictionary(fc.constantFrom(...COLLECTIONS.slice(1)), collection, { maxKeys: 2 }))
      .map(([first, others]) => ({ tickets: first, ...others })),
    pages: fc.dictionary(fc.constantFrom('home', 'about', 'list'), page, { maxKeys: 3 }),
    list: template,
    mail: fc.constantFrom(
      '<p>{{product.name}}</p>',
      '<p>Hello</p>',
      '<p>{{locale}}</p>',
      '<p>{{nobody}}</p>',
      '<p>{{url link}}</p>',
      '{{#each',
    ),
    named,
    features: fc.constantFrom({}, { beta: { default: false, rules: [{ when: { plan: 'free' }, value: true }] } }),
  })
  .map(({ collections, pages, list, mail, features, named }) => ({
    recipe: {
      recipe: 1,
      product: { key: 'acme', name: 'Acme', publicUrl: 'http://localhost:8080' },
      locales: { default: 'en', available: ['en', 'de'] },
      theme: { use: './theme' },
      modules: {
        identity: {},
        comms: {},
        content: { templates: ['list', ...named.templates] },
        media: {},
        billing: {},
        features: {},
        forms: {},
        webhooks: {},
        collections: {},
      },
      roles: { ...named.roles, 'tenant.agent': { name: 'Agent', permissions: ['content.page.read'] } },
      plans: { ...named.plans, free: { name: 'Free', price: 0 } },
      entitlements: { ...named.entitlements, 'tickets.count': { kind: 'gauge' } },
      emails: { 'identity.password_reset': { template: './mail.hbs' } },
      navigation: { ...named.navigation, main: [{ label: 'Home', path: '/' }] },
      redirects: [{ from: '/old', to: '/about' }],
      forms: {
        ...named.forms,
        contact: {
          name: 'Contact',
          access: 'public',
          schema: { type: 'object', properties: { a: { type: 'string' } } },
        },
      },
      features: { ...named.features, ...features },
      collections: { ...fieldsOf(named.collections), ...collections },
      profile: named.profile,
      pages: { ...named.pages, ...pages },
    },
    files: {
      'theme/theme.yaml': 'extends: default\n',
      ...Object.fromEntries(named.templates.map(name => [`theme/pages/content.${name}.hbs`, '<p>Hello</p>'])),
      'theme/pages/content.list.hbs': list,
      'mail.hbs': `---\nsubject: Hello\n---\n${mail}\n`,
      'body.md': '# Body\n',
    },
  }))

const POOL: readonly unknown[] = [
  '',
  'a',
  '\0',
  '\ud800',
  'x'.repeat(300),
  '😀',
  '$member',
  '{{x}}',
  '/',
  './body.md',
  'tickets',
  'title',
  0,
  -1,
  1.5,
  1e15,
  2 ** 31,
  true,
  false,
  null,
  [],
  {},
  ['a', 'a'],
  '1970-01-01',
  '2026-02-30',
  "' or 1=1 --",
]

type Change = readonly [kind: number, where: number, from: number]

/** Removes or replaces a value, moves one elsewhere, or renames a key. */
function change(recipe: Json, [kind, where, from]: Change): Json {
  const copy = structuredClone(recipe)
  const places = placesIn(copy)
  const place = places[where % places.length]
  const other = places[from % places.length]
  if (!place || !other) return copy
  const { parent, key } = place
  const current: unknown = Reflect.get(parent, key)
  if (kind === 0) remove(place)
  else if (kind === 1) Reflect.set(parent, key, structuredClone(POOL[from % POOL.length]))
  else if (kind === 2) Reflect.set(parent, key, structuredClone(Reflect.get(other.parent, other.key)))
  else if (!Array.isArray(parent)) {
    Reflect.deleteProperty(parent, key)
    Reflect.set(parent, other.key, current)
  }
  return copy
}

function remove({ parent, key }: Place): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else Reflect.deleteProperty(parent, key)
}

interface Place {
  readonly parent: Json | unknown[]
  readonly key: string
}
const placesIn = (value: unknown): Place[] =>
  isRecord(value) || Array.isArray(value)
    ? Object.keys(value).flatMap(key => [{ parent: value as Json, key }, ...placesIn((value as Json)[key])])
    : []

const changedProduct: fc.Arbitrary<Product> = fc
  .tuple(product, fc.array(fc.tuple(fc.nat(3), fc.nat(), fc.nat()), { maxLength: 2 }))
  .map(([{ recipe, files }, changes]) => ({ files, recipe: changes.reduce(change, recipe) }))
