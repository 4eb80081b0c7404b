/** Lists the steps that an earlier change of the recipe left to do, and problems of servers that the database names. */
import type { Settings } from '../../kernel/index.ts'
import { planRecipe } from '../../kernel/runtime/index.ts'
import { checkFile } from '../composition.ts'
import { explain } from '../failure.ts'
import { toolLog } from '../log.ts'
import { recipeFile } from '../recipe-file.ts'
import type { Finding } from './finding.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Needs a valid recipe and a database that accepts connections. */
export async function reminders(argument: string | undefined, settings: Settings, env: Env): Promise<Finding[]> {
  try {
    const checked = await checkFile(recipeFile(argument, settings), env)
    const log = toolLog(settings.logLevel)
    const { reminders, problems } = await planRecipe({ checked, settings, log, examines: true })
    return [...reminders, ...problems].map(what => ({ state: 'warn', what }))
  } catch (error) {
    return [{ state: 'warn', what: 'the recipe was not compared with the database', fix: explain(error, env) }]
  }
}
