/**
 * The command line. Exit codes: 0 done, 1 failed with a sentence that says what to do, 2 called wrongly, or, of
 * `recipe plan`, changes.
 */

import { Command, CommanderError } from 'commander'
import { packageVersion } from '../kernel/base/index.ts'
import { doctorCommand } from './doctor.ts'
import { eventCommands } from './events.ts'
import { migrateCommand } from './migrate.ts'
import { moduleCommands } from './modules.ts'
import { newCommands } from './new.ts'
import { recipeCommands } from './recipe.ts'
import { serveCommands } from './serve.ts'
import { complain } from './shell.ts'
import { themeCommands } from './theme.ts'

const BAD_ARGUMENTS = 2

export function createProgram(): Command {
  const program = new Command('larder')
    .description('A product back end from one YAML recipe.')
    .version(packageVersion)
    .showHelpAfterError('Every command and option: larder --help')
    .exitOverride()
  serveCommands(program)
  migrateCommand(program)
  recipeCommands(program)
  moduleCommands(program)
  newCommands(program)
  themeCommands(program)
  eventCommands(program)
  doctorCommand(program)
  return program
}

/** Reads the arguments of the process, does what they say, and sets its exit code. */
export async function run(): Promise<void> {
  try {
    await createProgram().parseAsync()
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : BAD_ARGUMENTS
    else {
      const { explain } = await import('./failure.ts')
      complain(explain(error, process.env))
      process.exitCode = 1
    }
  }
}
