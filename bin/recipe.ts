import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Command } from 'commander'
import {
  type CheckedRecipe,
  type DescribedModule,
  describedDefinitions,
  editorSchema,
  RecipeError,
  readRecipe,
  recipeDocs,
} from '../kernel/recipe/index.ts'
import { catalog, checkFile, readSettings } from './composition.ts'
import { recipeFile } from './recipe-file.ts'
import { answer, tell } from './shell.ts'

export function recipeCommands(program: Command): void {
  const recipe = program.command('recipe').description('looks at a recipe, and brings it into the database')
  recipe
    .command('check [recipe]')
    .description('everything that is wrong with a recipe, with file, line and column')
    .option('--json', 'the problems as JSON')
    .action((argument: string | undefined, { json = false }: { json?: boolean }) => check(argument, json))
  recipe
    .command('schema [recipe]')
    .description('writes its JSON Schema to .larder/recipe.schema.json beside it, for the YAML language server')
    .option('--stdout', 'prints it instead')
    .action((argument: string | undefined, { stdout = false }: { stdout?: boolean }) => schema(argument, stdout))
  recipe
    .command('docs [recipe]')
    .description('every key that it may hold, as Markdown')
    .action(async (argument: string | undefined) => answer(recipeDocs(await modulesOf(fileOf(argument)))))
  recipe
    .command('plan [recipe]')
    .description('what it would add, change and remove in the database, and what that breaks; exits with 2 if anything')
    .option('--json', 'as JSON')
    .action(async (argument: string | undefined, { json = false }: { json?: boolean }) => {
      const { plan } = await import('./recipe-plan.ts')
      await plan(argument, json)
    })
  recipe
    .command('apply [recipe]')
    .description('brings it into the database, as a start does; asks before it breaks something')
    .option('-y, --yes', 'does not ask')
    .action(async (argument: string | undefined, { yes = false }: { yes?: boolean }) => {
      const { apply } = await import('./recipe-plan.ts')
      await apply(argument, yes)
    })
}

const fileOf = (argument: string | undefined): string => recipeFile(argument, readSettings(process.env))

async function check(argument: string | undefined, json: boolean): Promise<void> {
  const file = fileOf(argument)
  try {
    const checked = await checkFile(file, process.env)
    if (json) answer(JSON.stringify({ ok: true, problems: [] }, null, 2))
    else answer(praise(checked))
  } catch (error) {
    if (!json || !(error instanceof RecipeError)) throw error
    answer(JSON.stringify({ ok: false, problems: error.problems }, null, 2))
    process.exitCode = 1
  }
}

function praise({ file, modules, failed }: CheckedRecipe): string {
  const names = modules.map(({ key }) => key).join(', ')
  const without = failed.map(({ key, reason }) => `  without the optional ${key}: ${reason}`)
  return [`${relative(process.cwd(), file) || file} is good: ${names}`, ...without].join('\n')
}

/** What Larder brings, and what the recipe names besides. */
const modulesOf = (file: string): Promise<DescribedModule[]> =>
  describedDefinitions(readRecipe(file, process.env), catalog())

async function schema(argument: string | undefined, stdout: boolean): Promise<void> {
  const file = fileOf(argument)
  const text = JSON.stringify(editorSchema(await modulesOf(file)), null, 2)
  if (stdout) return answer(text)
  const target = join(dirname(file), '.larder', 'recipe.schema.json')
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, `${text}\n`)
  tell(`${relative(process.cwd(), target)} is written. An editor finds it by the first line of the recipe:`)
  tell('# yaml-language-server: $schema=./.larder/recipe.schema.json')
}
