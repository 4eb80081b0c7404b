import { checkRecipe } from '../../kernel/recipe/check.ts'
import { readRecipe } from '../../kernel/recipe/read.ts'
import type { Settings } from '../../kernel/settings.ts'
import { explain } from '../failure.ts'
import { recipeFile } from '../recipe-file.ts'
import type { Finding } from './machine.ts'

export async function recipe(
  argument: string | undefined,
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  const file = recipeFile(argument, settings)
  try {
    const { modules, failed } = await checkRecipe(readRecipe(file, env))
    return [
      { state: 'ok', what: `the recipe ${file} is good: ${modules.map(({ key }) => key).join(', ')}` },
      ...failed.map(({ key, reason }): Finding => ({ state: 'warn', what: `the optional module ${key}: ${reason}` })),
    ]
  } catch (error) {
    return [{ state: 'fail', what: `the recipe ${file} is not usable`, fix: explain(error, env) }]
  }
}
