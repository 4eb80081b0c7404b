import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { tryEdits } from '../kernel/recipe/edits.ts'
import { folderWith } from '../kernel/recipe/fixtures.ts'

const folder = fileURLToPath(new URL('recipes/', packageRoot))

for (const name of readdirSync(folder).filter(name => name.endsWith('.yaml')))
  test.serial(`5,000 versions of ${name} with any few edits are good, or every problem names its place`, async t => {
    const file = join(folderWith(t, {}), 'recipe.yaml')
    const refused = await tryEdits(readFileSync(`${folder}${name}`, 'utf8'), { file, runs: 5000 })
    t.log(`${refused} were refused`)
    t.true(refused > 1000)
  })
