import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { checkFile, checkRecipe } from '../../bin/composition.ts'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { RecipeError } from '../../kernel/recipe/index.ts'
import { readRecipe } from '../../kernel/recipe/read.ts'
import { tryEdits } from '../kernel/recipe/edits.ts'
import { folderWith } from '../kernel/recipe/fixtures.ts'

const folder = fileURLToPath(new URL('recipes/', packageRoot))
const shipped = readdirSync(folder).filter(name => name.endsWith('.yaml'))

for (const name of shipped) {
  test(`recipes/${name} is valid without environment variables`, async t => {
    const { modules, failed } = await checkRecipe(readRecipe(`${folder}${name}`, {}))
    t.true(modules.some(({ key }) => key === 'platform'))
    t.deepEqual(failed, [])
  })

  test(`recipes/${name} refers editors to its schema in the first line`, t => {
    t.regex(readFileSync(`${folder}${name}`, 'utf8'), /^# yaml-language-server: \$schema=/)
  })

  test(`accepts random edits of recipes/${name}, or reports every problem at an existing location`, async t => {
    const file = join(folderWith(t, {}), 'recipe.yaml')
    const rejected = await tryEdits(readFileSync(`${folder}${name}`, 'utf8'), { file, runs: 80, seed: 1 })
    t.true(rejected > 20)
  })
}

test('removing a module of the base recipe reports each remaining reference with its file and line', async t => {
  const file = join(
    folderWith(t, { 'recipe.yaml': 'extends: larder/full\nmodules: { billing: null }\n' }),
    'recipe.yaml',
  )
  const error = await t.throwsAsync(checkFile(file, {}), { instanceOf: RecipeError })
  const places = error.problems.map(({ file: of, message }) => `${basename(of)}: ${message}`)
  t.true(
    places.some(place => /^full\.yaml: .*"plans"/.test(place)),
    places.join('\n'),
  )
  t.true(
    places.some(place => /^saas\.yaml: .*billing\.plan\.read/.test(place)),
    places.join('\n'),
  )
})

test('a recipe that removes a module of its base and all that refers to it is valid', async t => {
  const recipe = `extends: larder/full
modules: { billing: null }
entitlements: null
plans: null
features: null
pages: { home: null }
navigation: { main: [{ label: Files, path: /files }] }
roles:
  tenant.user: { permissions: [identity.tenant.read] }
`
  const { modules } = await checkFile(join(folderWith(t, { 'recipe.yaml': recipe }), 'recipe.yaml'), {})
  t.false(modules.some(({ key }) => key === 'billing'))
})
