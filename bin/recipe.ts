import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Command } from 'commander'
import {
  type CheckedRecipe,
  type DescribedModule,
  declaredKeys,
  describedDefinitions,
  RecipeError,
  type RecipeSource,
  readRecipe,
} from '../kernel/recipe/index.ts'
import { catalog, checkFile, readSettings, rehearse } from './composition.ts'
import { recipeFile } from './recipe-file.ts'
import { printWarnings } from './recipe-warnings.ts'
import { printInfo, printResult } from './shell.ts'

export function recipeCommands(program: Command): void {
  const recipe = program.command('recipe').description('validate a recipe and apply it to the database')
  recipe
    .command('check [recipe]')
    .description('validate a recipe; list every error and warning with file, line and column')
    .option('--json', 'print problems as JSON')
    .option('--strict', 'treat warnings as errors')
    .action((argument: string | undefined, options: CheckFlags) => check(argument, options))
  recipe
    .command('schema [recipe]')
    .description('write a JSON Schema to .larder/recipe.schema.json for editor completion')
    .option('--stdout', 'print the schema instead')
    .action((argument: string | undefined, { stdout = false }: { stdout?: boolean }) => schema(argument, stdout))
  recipe
    .command('docs [recipe]')
    .description('print a reference of all recipe keys as Markdown')
    .action(async (argument: string | undefined) => {
      const { recipeDocs } = await import('./recipe-docs.ts')
      printResult(recipeDocs(await modulesOf(readRecipe(fileOf(argument), process.env))))
    })
  recipe
    .command('diff <before> [after]')
    .description('compare two recipes without a database; exit with 2 for differences, 3 if one of them is breaking')
    .option('--json', 'print JSON instead of Markdown')
    .action(async (before: string, after: string | undefined, { json = false }: { json?: boolean }) => {
      const { diff } = await import('./recipe-diff.ts')
      await diff(before, after, json)
    })
  recipe
    .command('plan [recipe]')
    .description('show what a recipe would change in the database; exit with 2 if anything changes')
    .option('--json', 'print JSON')
    .action(async (argument: string | undefined, { json = false }: { json?: boolean }) => {
      const { plan } = await import('./recipe-plan.ts')
      await plan(argument, json)
    })
  recipe
    .command('apply [recipe]')
    .description('apply a recipe to the database; ask before breaking changes')
    .option('-y, --yes', 'skip the confirmation, and take the first answer to each question')
    .option('-a, --answer <answer...>', 'answer a question of the plan, as key=value')
    .action(
      async (argument: string | undefined, { yes = false, answer = [] }: { yes?: boolean; answer?: string[] }) => {
        const { apply } = await import('./recipe-plan.ts')
        await apply(argument, yes, answer)
      },
    )
}

const fileOf = (argument: string | undefined): string => recipeFile(argument, readSettings(process.env))

interface CheckFlags {
  json?: boolean
  strict?: boolean
}

async function check(argument: string | undefined, { json = false, strict = false }: CheckFlags): Promise<void> {
  const file = fileOf(argument)
  try {
    const checked = await rehearse(await checkFile(file, process.env, { strict }), process.env)
    if (json) printResult(JSON.stringify({ ok: true, problems: checked.warnings }, null, 2))
    else printSuccess(checked)
  } catch (error) {
    if (!json || !(error instanceof RecipeError)) throw error
    printResult(JSON.stringify({ ok: false, problems: error.problems }, null, 2))
    process.exitCode = 1
  }
}

function printSuccess({ file, modules, failed, warnings }: CheckedRecipe): void {
  printWarnings({ warnings })
  const names = modules.map(({ key }) => key).join(', ')
  const skipped = failed.map(({ key, reason }) => `  skipped optional module ${key}: ${reason}`)
  printResult([`${relative(process.cwd(), file) || file} is valid: ${names}`, ...skipped].join('\n'))
}

/** Returns the shipped definitions and those that the recipe names. */
const modulesOf = (source: RecipeSource): Promise<DescribedModule[]> => describedDefinitions(source, catalog())

async function schema(argument: string | undefined, stdout: boolean): Promise<void> {
  const file = fileOf(argument)
  const { editorSchema } = await import('./editor-schema.ts')
  const source = readRecipe(file, process.env)
  const text = JSON.stringify(editorSchema(await modulesOf(source), declaredKeys(source)), null, 2)
  if (stdout) return printResult(text)
  const target = join(dirname(file), '.larder', 'recipe.schema.json')
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, `${text}\n`)
  printInfo(`Wrote ${relative(process.cwd(), target)}. To use it, start the recipe with this line:`)
  printInfo('# yaml-language-server: $schema=./.larder/recipe.schema.json')
}
