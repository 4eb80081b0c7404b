import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { recipeFile } from '../../bin/recipe-file.ts'
import { packageRoot } from '../../kernel/base/package-root.ts'

/** The working directory of tests, which has no recipe. */
const folder = process.cwd()

test('a command uses its argument, else LARDER_RECIPE, else the shipped recipe', t => {
  const recipe = '/srv/acme/recipe.yaml'
  t.is(recipeFile('shop.yaml', { recipe }), join(folder, 'shop.yaml'))
  t.is(recipeFile(undefined, { recipe }), recipe)
  t.is(recipeFile(undefined, { recipe: undefined }), fileURLToPath(new URL('recipes/full.yaml', packageRoot)))
})
