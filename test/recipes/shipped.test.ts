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
  test(`the shipped recipe ${name} is good without any variable set`, async t => {
    const { modules, failed } = await checkRecipe(readRecipe(`${folder}${name}`, {}))
    t.true(modules.some(({ key }) => key === 'platform'))
    t.deepEqual(failed, [])
  })

  test(`the shipped recipe ${name} tells an editor of its schema in its first line`, t => {
    t.regex(readFileSync(`${folder}${name}`, 'utf8'), /^# yaml-language-server: \$schema=/)
  })

  test(`the shipped recipe ${name} with any few edits is good, or every problem names its place`, async t => {
    const file = join(folderWith(t, {}), 'recipe.yaml')
    const refused = await tryEdits(readFileSync(`${folder}${name}`, 'utf8'), { file, runs: 200, seed: 1 })
    t.true(refused > 50)
  })
}
