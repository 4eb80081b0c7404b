/** `larder recipe diff`. */
import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { RecipeError } from '../kernel/recipe/index.ts'
import { checkFile, readSettings } from './composition.ts'
import { breakingOf, toMarkdown } from './recipe-diff/markdown.ts'
import { recipeFile } from './recipe-file.ts'
import { isColored, printError, printResult } from './shell.ts'

/** Lets a script distinguish differences from none (0) and from a failure (1). */
const DIFFERENCES_CODE = 2
const BREAKING_CODE = 3

export async function diff(beforeArgument: string, afterArgument: string | undefined, json: boolean): Promise<void> {
  const settings = readSettings(process.env)
  const files = [resolve(beforeArgument), recipeFile(afterArgument, settings)] as const
  const [before, after] = await Promise.all(files.map(check))
  if (!before || !after) {
    process.exitCode = 1
    return
  }
  const [{ compareInspected, inspect }, { toolLog }] = await Promise.all([
    import('./recipe-diff/compare.ts'),
    import('./log.ts'),
  ])
  const log = toolLog(settings.logLevel)
  const differences = compareInspected(await inspect(before, settings, log), await inspect(after, settings, log))
  const names = files.map(file => relative(process.cwd(), file) || file) as [string, string]
  const breaking = breakingOf(differences).length
  printResult(
    json
      ? JSON.stringify({ before: files[0], after: files[1], breaking, ...differences }, null, 2)
      : toMarkdown(differences, ...names),
  )
  const total = Object.values(differences).flat().length
  if (total > 0) process.exitCode = breaking > 0 ? BREAKING_CODE : DIFFERENCES_CODE
}

/** Reports the errors of each file. */
async function check(file: string) {
  const name = relative(process.cwd(), file) || file
  if (!existsSync(file)) {
    printError(`${name}: there is no such file.`)
    return undefined
  }
  try {
    return await checkFile(file, process.env)
  } catch (error) {
    if (!(error instanceof RecipeError)) throw error
    printError(`${name} is invalid\n${error.render(isColored(process.stderr))}`)
    return undefined
  }
}
