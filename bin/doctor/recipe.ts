import type { Settings } from '../../kernel/index.ts'
import { type CheckedRecipe, type RecipeModule, readRecipe } from '../../kernel/recipe/index.ts'
import { checkRecipe, rehearse, settingVariables } from '../composition.ts'
import { explain } from '../failure.ts'
import { recipeFile } from '../recipe-file.ts'
import type { Finding } from './finding.ts'
import { neededByRecipe } from './packages.ts'

export async function recipe(
  argument: string | undefined,
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly findings: Finding[]; readonly checked?: CheckedRecipe }> {
  const file = recipeFile(argument, settings)
  try {
    const source = readRecipe(file, env)
    const checked = await checkRecipe(source)
    const { modules, failed } = checked
    if (neededByRecipe(modules).length === 0) await rehearse(checked, env)
    const problems = (await Promise.all(modules.map(diagnose))).flat()
    const findings: Finding[] = [
      { state: 'ok', what: `the recipe ${file} is valid: ${modules.map(({ key }) => key).join(', ')}` },
      ...variables([...source.texts.values()], env),
      ...neededByRecipe(modules),
      ...failed.map(({ key, reason }): Finding => ({ state: 'warn', what: `the optional module ${key}: ${reason}` })),
      ...problems,
    ]
    return { findings, checked }
  } catch (error) {
    return { findings: [{ state: 'fail', what: `the recipe ${file} is invalid`, fix: explain(error, env) }] }
  }
}

async function diagnose({ key, module, options }: RecipeModule): Promise<Finding[]> {
  if (!module.diagnose) return []
  // The options match the schema of the same definition.
  const problems = await module.diagnose(options as never)
  return problems.map(what => ({ state: 'warn', what: `${key}: ${what}` }))
}

const VARIABLE = /(?<!\$)\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-[^}]*)?\}/g

/** Lists other variables that the recipe reads. Values are left out because they may be secrets. */
function variables(texts: readonly string[], env: Readonly<Record<string, string | undefined>>): Finding[] {
  const settings = new Set(settingVariables.map(({ name }) => name))
  const names = new Set(texts.flatMap(text => [...text.matchAll(VARIABLE)].map(([, name]) => name as string)))
  const own = [...names].filter(name => !settings.has(name)).sort()
  const list = (about: string, some: readonly string[]): Finding[] =>
    some.length > 0 ? [{ state: 'ok', what: `${about}: ${some.join(', ')}` }] : []
  return [
    ...list(
      'variables that the recipe reads',
      own.filter(name => env[name]),
    ),
    ...list(
      'unset variables for which the recipe has defaults',
      own.filter(name => !env[name]),
    ),
  ]
}
