import { join } from 'node:path'
import test from 'ava'
import { checkRecipe } from '../../../bin/composition.ts'
import { readRecipe } from '../../../kernel/recipe/read.ts'
import { tryEdits } from './edits.ts'
import { FINDER, folderWith } from './fixtures.ts'

const RUNS = Number(process.env.LARDER_RUNS ?? 150)
const SAMPLE = `recipe: 1
product: { key: acme, name: Acme, publicUrl: "\${PUBLIC_URL:-http://localhost:8080}" }
include: [./letters.yaml]
theme:
  use: default
  tokens: { accent: "#2457ff" }
locales: { default: en, available: [en, de] }
modules:
  people:
    registration: { open: true, workspace: auto }
    ttl: 7d
    seats: \${SEATS:-5}
    hosts:
      - a.test
      - b.test
    limit: { per: day }
  post:
    from: |
      Acme
      <hello@acme.test>
    apiKey: 'k'
roles:
  tenant.support:
    name: Support
    permissions: ["people.member.*", people.member.read]
rateLimits: { api: { points: 300, window: 1m } }
`

test('accepts the sample recipe', async t => {
  const folder = folderWith(t, { 'recipe.yaml': SAMPLE, 'letters.yaml': 'letters: { a: { title: A } }\n' })
  await t.notThrowsAsync(checkRecipe(readRecipe(join(folder, 'recipe.yaml'), {}), FINDER))
})

test('accepts a randomly edited recipe, or reports every problem at an existing location', async t => {
  const folder = folderWith(t, { 'letters.yaml': 'letters: { a: { title: A } }\n' })
  const rejected = await tryEdits(SAMPLE, { file: join(folder, 'recipe.yaml'), finder: FINDER, runs: RUNS, seed: 1 })
  t.true(rejected > RUNS / 4)
})
