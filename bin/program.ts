/**
 * The command line. Exit codes: 0 success, 1 failure, 2 invalid arguments, or changes that
 * `recipe plan` or `recipe diff` found, 3 breaking changes that `recipe diff` found.
 */

import { Command, CommanderError } from 'commander'
import { packageVersion } from '../kernel/base/index.ts'
import { automationCommands } from './automation.ts'
import { backupCommands } from './backup.ts'
import { clientCommands } from './client.ts'
import { doctorCommand } from './doctor.ts'
import { eventCommands } from './events.ts'
import { initCommand } from './init.ts'
import { mcpCommand } from './mcp.ts'
import { migrateCommand } from './migrate.ts'
import { migrationCommands } from './migration.ts'
import { moduleCommands } from './modules.ts'
import { newCommands } from './new.ts'
import { recipeCommands } from './recipe.ts'
import { secretCommands } from './secret.ts'
import { serveCommands } from './serve.ts'
import { printError } from './shell.ts'
import { themeCommands } from './theme.ts'

const INVALID_ARGUMENTS_CODE = 2

export function createProgram(): Command {
  const program = new Command('larder')
    .description('A product back end from one YAML recipe.')
    .version(packageVersion)
    .showHelpAfterError('Run larder --help for all commands and options.')
    .exitOverride()
  initCommand(program)
  serveCommands(program)
  migrateCommand(program)
  recipeCommands(program)
  moduleCommands(program)
  clientCommands(program)
  automationCommands(program)
  newCommands(program)
  migrationCommands(program)
  themeCommands(program)
  eventCommands(program)
  secretCommands(program)
  backupCommands(program)
  doctorCommand(program)
  mcpCommand(program)
  return program
}

/** Runs the command in the process arguments and sets the exit code. */
export async function run(): Promise<void> {
  try {
    await createProgram().parseAsync()
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : INVALID_ARGUMENTS_CODE
    else {
      const { explain } = await import('./failure.ts')
      printError(explain(error, process.env))
      process.exitCode = 1
    }
  }
}
