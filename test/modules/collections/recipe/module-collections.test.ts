import test, { type ExecutionContext } from 'ava'
import { recipeProblems, toLine } from '../../recipe-problems.ts'

const SECTION = 'collections:\n  topics: { fields: { name: { type: text } } }\n'

/** The problems of a recipe with modules of these declarations. */
async function check(
  t: ExecutionContext,
  modules: Readonly<Record<string, string>>,
  { section = SECTION, options = '' } = {},
): Promise<string[]> {
  const files = Object.fromEntries(
    Object.entries(modules).map(([name, more]) => [
      `${name}/module.js`,
      `import { defineModule } from '@larder-dev/larder/kernel'\nimport { defineCollection } from '@larder-dev/larder/collections'\n` +
        `export default defineModule({ name: '${name}', needs: ['collections'], ${more} })\n`,
    ]),
  )
  const uses = Object.keys(modules).map(name => `  ${name}: { use: ./${name}${options} }\n`)
  const recipe = `modules:\n  identity: {}\n  collections: {}\n${uses.join('')}${section}`
  return (await recipeProblems(t, recipe, { files })).map(toLine)
}
const collection = (rest: string) => `collections: [defineCollection({ ${rest} })]`

test('accepts collections of a module that refer to those of the recipe, and the reverse', async t => {
  const own = collection(
    `name: 'courses', fields: { title: { type: 'text' }, topic: { type: 'reference', to: 'topics' } }`,
  )
  const section = 'collections:\n  topics: { fields: { best: { type: reference, to: courses } } }\n'
  t.deepEqual(await check(t, { academy: own }, { section }), [])
  t.deepEqual(await check(t, { academy: own }, { section: SECTION }), [])
})

test('accepts a required field that only hooks can set', async t => {
  const own = `fields: { code: { type: 'text', required: true, readOnly: true } }`
  t.deepEqual(await check(t, { academy: collection(`name: 'courses', ${own}`) }), [])
})

const MISTAKES: readonly (readonly [title: string, declaration: string, code: string, expected: RegExp])[] = [
  [
    'an unknown option',
    collection(`name: 'courses', fields: { title: { type: 'text', min: 3 } }`),
    'invalid_collection',
    /Collection "courses" of module "academy": fields\.title\.min is not a known field/,
  ],
  [
    'a missing option',
    collection(`name: 'courses', fields: { price: { type: 'money' } }`),
    'invalid_collection',
    /Collection "courses" of module "academy": fields\.price\.currency is required/,
  ],
  [
    'a name in upper case',
    collection(`name: 'Courses', fields: { title: { type: 'text' } }`),
    'invalid_collection',
    /Collection "Courses" of module "academy": the name must be lower case/,
  ],
  [
    'a name that is too long',
    collection(`name: '${'c'.repeat(100)}', fields: { title: { type: 'text' } }`),
    'invalid_collection',
    /the name must be lower case, such as course_tags, with at most \d+ characters/,
  ],
  [
    'a reference to nothing',
    collection(`name: 'courses', fields: { topic: { type: 'reference', to: 'topic' } }`),
    'unknown_collection',
    /Collection "courses" of module "academy", fields\.topic\.to: Unknown collection "topic" → Did you mean "topics"/,
  ],
  [
    'an unknown role',
    collection(`name: 'courses', fields: { title: { type: 'text' } }, access: { read: { 'tenant.membr': true } }`),
    'unknown_role',
    /Collection "courses" of module "academy", access\.read\.tenant\.membr: Unknown role "tenant.membr"/,
  ],
  [
    'a missing seed',
    collection(`name: 'courses', fields: { title: { type: 'text' } }, seed: new URL('./courses.csv', import.meta.url)`),
    'invalid_value',
    /Collection "courses" of module "academy", seed: File not found: .*academy\/courses\.csv/,
  ],
  [
    'a list that is a function',
    'collections: () => []',
    'invalid_collection',
    /"collections" of module "academy" is not a list/,
  ],
  ['something else in the list', 'collections: [3]', 'invalid_collection', /Item 1 .* → Make it with defineCollection/],
]
for (const [title, declaration, code, expected] of MISTAKES)
  test(`names module and collection of a mistake: ${title}`, async t => {
    const lines = await check(t, { academy: declaration })
    t.is(lines.length, 1, lines.join('\n'))
    t.regex(lines[0] ?? '', expected)
    t.regex(lines[0] ?? '', new RegExp(`^error ${code} recipe.yaml:6:`))
  })

const TOPICS = collection(`name: 'topics', fields: { title: { type: 'text' } }`)

test('names both places of a collection that is declared twice', async t => {
  t.deepEqual(await check(t, { academy: TOPICS }), [
    'error duplicate_name recipe.yaml:8:3 Collection "topics" is declared by the recipe and by module "academy" → Rename one of them',
  ])
  const lines = await check(t, { academy: TOPICS, school: TOPICS }, { section: '' })
  t.is(lines.length, 1)
  t.regex(lines[0] ?? '', /Collection "topics" is declared by module "academy" and by module "school"/)
})

test('rejects collections of an optional module, whose tables would come and go', async t => {
  const own = collection(`name: 'courses', fields: { title: { type: 'text' } }`)
  const [line = '', ...others] = await check(t, { academy: own }, { options: ', optional: true' })
  t.regex(line, /invalid_option recipe.yaml:6:.*Module "academy" declares collections, so it cannot be optional/)
  t.deepEqual(others, [])
})

test('a module with collections needs the port that the module collections provides', async t => {
  const own = collection(`name: 'courses', fields: { title: { type: 'text' } }`)
  const lines = await check(t, { academy: `${own}, needs: []` })
  t.regex(lines.join('\n'), /missing_port .*does not need port "collections" → Add 'collections' to its needs/)
})
