import test from 'ava'
import { MAX_ANSWER_BYTES } from '../../../bin/mcp/answer-pages.ts'
import { connect, RECIPE } from './fixtures.ts'

const LARGE_RECIPE = [
  RECIPE.trimEnd(),
  '  content: {}',
  '  forms: {}',
  '  billing: { provider: dev }',
  '  collections: {}',
  'collections:',
  ...Array.from({ length: 60 }, (_, index) => {
    const fields = Array.from({ length: 12 }, (_, field) => `field${field}: { type: text }`).join(', ')
    return `  things${index}: { fields: { ${fields} } }`
  }),
  'roles:',
  ...Array.from({ length: 60 }, (_, index) => `  tenant.role${index}: { name: Role, permissions: ["collections.*"] }`),
  '',
].join('\n')

test('answers every call with at most 8 KB, whatever the size of the product', async t => {
  const { call, client } = await connect(t, { 'recipe.yaml': LARGE_RECIPE })
  const mistakes = Array.from({ length: 300 }, (_, index) => `mistake${index}: {}`).join('\n')
  const calls: Record<string, Record<string, unknown>> = {
    check_recipe: { text: `${LARGE_RECIPE}${mistakes}\n` },
    get_recipe_schema: { part: 'collections' },
    get_route: { method: 'POST', path: '/v1/data/things0/batch' },
    list_modules: {},
    read_docs: { page: 'operations' },
    search_docs: { query: 'the a of collections routes' },
  }
  const long: string[] = []
  for (const { name } of (await client.listTools()).tools) {
    const { text, note = '', failed } = await call(name, calls[name])
    t.false(failed, `${name}: ${text}`)
    const size = Buffer.byteLength(text) + Buffer.byteLength(note)
    t.true(size <= MAX_ANSWER_BYTES, `${name}: ${size} bytes`)
    if (note) long.push(name)
  }
  // The data is large enough to be divided.
  for (const name of ['get_recipe', 'check_recipe', 'plan_recipe', 'list_routes', 'get_route', 'list_events'])
    t.true(long.includes(name), name)
})
