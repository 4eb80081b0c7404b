import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { checkFile } from '../../../bin/composition.ts'
import { recipeDigest } from '../../../kernel/runtime/plan/recipe-digest.ts'

const RECIPE = `recipe: 1
product: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }
modules: { identity: {}, comms: { from: "\${SENDER}" }, collections: {}, boxes: { use: ./boxes } }
collections: { games: { scope: shared, fields: { name: { type: text, unique: true } }, seed: data/games.csv, access: { read: { tenant.member: true } } } }
`
const FILES = {
  'recipe.yaml': RECIPE,
  'data/games.csv': 'name\nGo\n',
  'boxes/module.js': `import { defineModule } from '@larder-dev/larder/kernel'
export default defineModule({ name: 'boxes' })`,
  'boxes/size.js': 'export const size = 1',
  'unnamed.json': '1',
}
type Files = Partial<Record<keyof typeof FILES, string>>

async function digest(t: ExecutionContext, files: Files = {}, sender = 'ada@example.test'): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-digest-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries({ ...FILES, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return recipeDigest(await checkFile(join(folder, 'recipe.yaml'), { SENDER: sender }))
}

test('a recipe has one digest wherever it is', async t => {
  t.is(await digest(t), await digest(t))
})

test('the order of keys and comments do not count', async t => {
  const [first, product, ...rest] = RECIPE.split('\n')
  t.is(await digest(t, { 'recipe.yaml': [product, '# A comment', first, ...rest].join('\n') }), await digest(t))
})

test('values of the environment do not count', async t => {
  t.is(await digest(t, {}, 'grace@example.test'), await digest(t))
})

test('a value counts', async t => {
  t.not(await digest(t, { 'recipe.yaml': RECIPE.replace('Acme', 'Ajax') }), await digest(t))
})

test('the content of a file that the recipe names counts, and that of another does not', async t => {
  const own = await digest(t)
  t.not(await digest(t, { 'data/games.csv': 'name\nChess\n' }), own)
  t.is(await digest(t, { 'unnamed.json': '2' }), own)
})

test('every file of a module of the product counts', async t => {
  t.not(await digest(t, { 'boxes/size.js': 'export const size = 2' }), await digest(t))
})
