import { randomBytes } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { loadSecrets } from '../kernel/runtime/index.ts'
import { readSettings } from './composition.ts'
import { withDatabase } from './database.ts'
import { printInfo, printResult } from './shell.ts'
import { unreadableColumns, unreadableLines } from './unreadable.ts'

const SECRET_BYTES = 32

export function secretCommands(program: Command): void {
  program
    .command('secret')
    .description('rotate the server secret')
    .command('rotate')
    .description('replace a lost secret, or add a new one and keep accepting the old one')
    .option('-r, --recipe <file>', 'recipe file, which says what a lost secret makes unreadable')
    .action(({ recipe }: { recipe?: string }) => rotate(recipe))
}

async function rotate(recipe: string | undefined): Promise<void> {
  const settings = readSettings(process.env)
  const secrets = await loadSecrets(settings)
  const isKnown = await withDatabase(settings, { secrets: async () => secrets }, ({ db }) => db.isSecretKnown())
  if (isKnown === false) return replaceLostSecret(recipe)
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  if (settings.secrets.length > 0) {
    printResult(secret)
    return printInfo(ADD_TO_ENVIRONMENT)
  }
  const file = join(settings.dataDir, 'secret')
  const temporary = `${file}.${process.pid}`
  await writeFile(temporary, [secret, ...secrets].join(','), { mode: 0o600, flush: true })
  await rename(temporary, file)
  printInfo(addedTo(file))
}

async function replaceLostSecret(recipe: string | undefined): Promise<void> {
  const { withInstallation } = await import('./backup/installation.ts')
  await withInstallation('larder secret rotate', recipe, async ({ connection, sealedColumns, progress }) => {
    await connection.open()
    const unreadable = await unreadableColumns(connection, sealedColumns)
    await connection.db.replaceSecret()
    progress.done()
    if (unreadable.length > 0) printResult(unreadableLines(unreadable).join('\n'))
  })
  printInfo(REPLACED)
}

const REPLACED = `The database now uses the current secret. Start Larder again. Then:
- send invitations again: signed links of the old secret are invalid;
- rotate the webhook secret of each workspace (POST /v1/webhooks/secret/rotate) and give it to the receivers.`

const ADD_TO_ENVIRONMENT = `Put this secret before the current value of LARDER_SECRET, separated by a comma, in every process, and restart.
Remove the old secret when the links signed with it have expired.`

const addedTo = (file: string): string => `${file} has a new secret, followed by the old one. Restart Larder.
Remove the old secret when the links signed with it have expired.`
