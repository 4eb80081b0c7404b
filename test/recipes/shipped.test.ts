import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { checkRecipe } from '../../bin/composition.ts'
import { packageRoot } from '../../kernel/base/package-root.ts'
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
