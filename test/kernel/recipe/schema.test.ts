import { Ajv } from 'ajv'
import test from 'ava'
import { catalog } from '../../../bin/composition.ts'
import { editorSchema } from '../../../bin/editor-schema.ts'
import { recipeDocs } from '../../../bin/recipe-docs.ts'
import { Type } from '../../../kernel/index.ts'
import { describedDefinitions } from '../../../kernel/recipe/catalog.ts'
import { toDraft07 } from '../../../kernel/recipe/draft07.ts'
import { readRecipe } from '../../../kernel/recipe/read.ts'
import { composeSchema } from '../../../kernel/recipe/schema.ts'
import { lineFor } from '../../../kernel/recipe/schema-to-text.ts'
import { FINDER, fake, folderWith, HEAD, people, platform, post } from './fixtures.ts'

const MODULES = [
  ...[platform, people, post].map(module => ({ key: module.name, module, source: 'larder' })),
  {
    key: 'sla',
    module: fake({ name: 'sla', options: Type.Object({ hours: Type.Integer() }) }),
    source: './modules/sla',
  },
]
const GOOD = {
  recipe: 1,
  product: { key: 'acme', name: 'Acme', publicUrl: 'http://localhost:8080' },
  modules: {
    people: { seats: 3 },
    post: { from: 'a' },
    sla: { use: './modules/sla', options: { hours: 8 } },
    other: { use: 'x' },
  },
  letters: { hello: { title: 'Hello' } },
}
// By default, Ajv supports draft-07 only, and validates schemas against it.
const compile = (schema: object) => new Ajv({ strict: false, formats: { uri: true } }).compile(schema)

test('the composed schema is draft-07 and validates the sections of its modules', t => {
  const validate = compile(composeSchema(MODULES))
  t.true(validate(GOOD), JSON.stringify(validate.errors))
  t.true(validate({ recipe: 1, extends: 'larder/full' }))
  t.false(validate({ ...GOOD, letters: { hello: { titel: 'Hello' } } }))
  t.false(validate({ ...GOOD, modules: { people: { saets: 3 } } }))
  t.false(validate({ ...GOOD, modules: { sla: { use: './modules/sla', options: { hours: 'x' } } } }))
  t.false(validate({ ...GOOD, modules: { other: {} } }))
  t.false(validate({ ...GOOD, other: 1 }))
})

test('the editor schema accepts variables for any value and null for no options', t => {
  const validate = compile(editorSchema(MODULES))
  const people = { seats: `\${SEATS:-3}`, registration: { open: `\${OPEN}`, workspace: `\${W}` }, ttl: `\${TTL:-7d}` }
  t.true(validate({ ...GOOD, modules: { people, post: null } }), JSON.stringify(validate.errors))
  t.false(validate({ ...GOOD, modules: { people: { seats: 'three' } } }))
})

test('every key has a description', t => {
  const schema = JSON.stringify(editorSchema(MODULES))
  for (const words of ['How long a login holds', 'Who may sign in', 'The sender', 'Display name'])
    t.true(schema.includes(words), words)
})

test('converts keywords of later drafts to draft-07', t => {
  const { schema, definitions } = toDraft07(
    {
      $id: 'x',
      $ref: '#/$defs/Item',
      $defs: {
        Item: {
          type: 'object',
          properties: {
            items: { type: 'array', items: { $ref: 'Item' } },
            pair: { prefixItems: [{ type: 'string' }], items: false },
          },
        },
      },
      dependentRequired: { a: ['b'] },
    },
    'content.',
  )
  t.deepEqual(schema, { $ref: '#/definitions/content.Item', dependencies: { a: ['b'] } })
  t.deepEqual(definitions, {
    'content.Item': {
      type: 'object',
      properties: {
        items: { type: 'array', items: { $ref: '#/definitions/content.Item' } },
        pair: { items: [{ type: 'string' }], additionalItems: false },
      },
      additionalProperties: false,
    },
  })
})

test('closes an object unless it allows additional properties or is part of an allOf', t => {
  const closed = (schema: object) => 'additionalProperties' in toDraft07(schema).schema
  const properties = { a: { type: 'string' } }
  t.true(closed({ type: 'object', properties }))
  t.false(closed({ type: 'object' }))
  t.deepEqual(toDraft07({ type: 'object', properties, additionalProperties: true }).schema.additionalProperties, true)
  t.false(JSON.stringify(toDraft07({ allOf: [{ type: 'object', properties }] })).includes('additionalProperties'))
})

test('an object whose keys all have defaults defaults to an empty object', t => {
  const { schema } = toDraft07(
    Type.Object({ a: Type.Object({ b: Type.Integer({ default: 1 }) }), c: Type.Object({ d: Type.Integer() }) }),
  )
  t.deepEqual(schema.required, ['c'])
  t.like(schema.properties, { a: { default: {}, properties: { b: { default: 1 } } } })
})

test('describes shipped modules and those custom modules that can be loaded', async t => {
  const folder = folderWith(t, {
    'recipe.yaml': `${HEAD}modules:\n  sla: { use: ./sla.js }\n  gone: { use: ./gone.js }\n`,
    'sla.js': `import { defineModule } from '@larder-dev/larder/kernel'\nexport default defineModule({ name: 'sla' })`,
  })
  const described = await describedDefinitions(readRecipe(`${folder}/recipe.yaml`, {}), catalog(FINDER))
  t.deepEqual(
    described.filter(({ module }) => module.role === 'module').map(({ key, source }) => [key, source]),
    [
      ['people', 'larder'],
      ['platform', 'larder'],
      ['post', 'larder'],
      ['sla', './sla.js'],
    ],
  )
})

test('the reference lists every key with type, default and description', t => {
  const lines = recipeDocs(MODULES).split('\n')
  t.true(lines.includes('## modules.people'))
  t.true(
    lines.includes('| `modules.people.registration.open` | true or false | `true` | Whether anyone may register |'),
  )
  t.true(
    lines.includes(
      '| `modules.people.ttl` | a duration such as 500ms, 30s, 15m, 12h or 7d, up to 99999d | `7d` | How long a login holds |',
    ),
  )
  t.true(lines.includes('| `modules.post.from` | a string | required | The sender |'))
  t.true(lines.includes('A section of the module `post`.'))
  t.true(lines.includes('| `letters.<name>.title` | a string | required |  |'))
  t.true(lines.includes('| `modules.sla.options.hours` | an integer | required |  |'))
})

test('a suggested line has an example or placeholder, and the description', t => {
  const currency = { type: 'string', description: 'ISO 4217', examples: ['EUR'] }
  t.is(lineFor('currency', currency), 'currency: EUR  # ISO 4217')
  t.is(lineFor('name', { type: 'string', description: 'Display name' }), 'name: …  # Display name')
})

test('the reference lists the keys of every kind of section', t => {
  const Item = Type.Object({
    label: Type.String(),
    items: Type.Optional(Type.Array(Type.Object({ label: Type.String(), items: Type.Array(Type.Unknown()) }))),
  })
  const shop = fake({
    name: 'shop',
    sections: {
      goods: { type: 'object', additionalProperties: Type.Object({ price: Type.Integer() }) },
      menu: Type.Array(Item),
      limit: Type.Union([Type.Integer(), Type.Object({ per: Type.String() })]),
    },
    sectionKeys: () => ({}),
  })
  const lines = recipeDocs([{ key: 'shop', module: shop, source: 'larder' }])
  for (const row of [
    '| `goods.<name>.price` | an integer | required |  |',
    '| `menu[].label` | a string | required |  |',
    '| `menu[].items` | a list of maps |  |  |',
    '| `limit.per` | a string | required |  |',
  ])
    t.true(lines.includes(row), `${row}\n${lines}`)
  t.false(lines.includes('menu[].items[]'))
})
