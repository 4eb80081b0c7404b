import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../kernel/base/index.ts'
import type { Settings } from '../kernel/index.ts'

/** Returns the argument, else LARDER_RECIPE, else `recipe.yaml` or `larder.yaml` if it exists, else the shipped recipe. */
export function recipeFile(argument: string | undefined, settings: Pick<Settings, 'recipe'>): string {
  if (argument) return resolve(argument)
  const local = ['recipe.yaml', 'larder.yaml'].map(name => resolve(name)).find(path => existsSync(path))
  return settings.recipe ?? local ?? fileURLToPath(new URL('recipes/full.yaml', packageRoot))
}
