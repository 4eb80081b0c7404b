import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { tryEdits } from '../kernel/recipe/edits.ts'
import { folderWith } from '../kernel/recipe/fixtures.ts'

const folder = fileURLToPath(new URL('recipes/', packageRoot))

for (const name of readdirSync(folder).filter(name => name.endsWith('.yaml')))
  test.serial(`accepts 5,000 random edits of ${name}, or reports every problem at an existing location`, async t => {
    const file = join(folderWith(t, {}), 'recipe.yaml')
    const rejected = await tryEdits(readFileSync(`${folder}${name}`, 'utf8'), { file, runs: 5000 })
    t.log(`${rejected} rejected`)
    t.true(rejected > 1000)
  })
