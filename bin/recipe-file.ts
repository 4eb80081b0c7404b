import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../kernel/base/index.ts'
import type { Settings } from '../kernel/index.ts'

/** The argument, else LARDER_RECIPE, else `recipe.yaml` or `larder.yaml` where one stands, else the shipped one. */
export function recipeFile(argument: string | undefined, settings: Pick<Settings, 'recipe'>): string {
  if (argument) return resolve(argument)
  const beside = ['recipe.yaml', 'larder.yaml'].map(name => resolve(name)).find(path => existsSync(path))
  return settings.recipe ?? beside ?? fileURLToPath(new URL('recipes/full.yaml', packageRoot))
}
