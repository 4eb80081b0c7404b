import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { foreignCode } from '../../../bin/mcp/foreign-code.ts'
import { readRecipe } from '../../../kernel/recipe/index.ts'

const ROOT = realpathSync(mkdtempSync(join(tmpdir(), 'larder-foreign-')))
const FILE = join(ROOT, 'recipe.yaml')
test.after.always(() => rmSync(ROOT, { recursive: true }))

const treeOf = (text: string) => readRecipe(FILE, {}, new Map([[FILE, text]])).tree
const using = (use: string, section = 'modules') => treeOf(`${section}: { parcels: { use: ${JSON.stringify(use)} } }`)

for (const use of ['./modules/parcels', '.', './a/../b', 'parcels', '@acme/parcels', 'parcels/back-end'])
  test(`a draft may use ${use}`, t => {
    t.deepEqual(foreignCode(using(use), ROOT, undefined), [])
  })

for (const use of [
  '/tmp/evil.mjs',
  '../evil',
  './modules/../../evil',
  'data:text/javascript,export default 1',
  'file:///tmp/evil.mjs',
  'node:fs',
  'parcels/../../../evil',
  'https://evil.test/x.js',
])
  test(`a draft may not use ${use}`, t => {
    t.deepEqual(foreignCode(using(use), ROOT, undefined), [use])
    t.deepEqual(foreignCode(using(use, 'services'), ROOT, undefined), [use])
  })

test('a draft may use what the saved recipe uses', t => {
  t.deepEqual(foreignCode(using('../shared/parcels'), ROOT, using('../shared/parcels')), [])
  t.deepEqual(foreignCode(using('../shared/other'), ROOT, using('../shared/parcels')), ['../shared/other'])
})

test('follows symbolic links', t => {
  mkdirSync(join(ROOT, 'modules'))
  symlinkSync(tmpdir(), join(ROOT, 'modules', 'link'))
  t.deepEqual(foreignCode(using('./modules/link'), ROOT, undefined), ['./modules/link'])
})

test('ignores values that are not valid', t => {
  t.deepEqual(
    foreignCode(treeOf('modules: { a: { use: [1] }, b: 3, c: { use: 4 } }\nservices: 1'), ROOT, undefined),
    [],
  )
  t.deepEqual(foreignCode(undefined, ROOT, undefined), [])
})
