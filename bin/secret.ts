import { randomBytes } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { packageVersion } from '../kernel/base/index.ts'
import { loadSecrets } from '../kernel/runtime/index.ts'
import { readSettings } from './composition.ts'
import { printInfo, printResult } from './shell.ts'

const SECRET_BYTES = 32

export function secretCommands(program: Command): void {
  program
    .command('secret')
    .description('rotate the server secret')
    .command('rotate')
    .description('replace a lost secret, or add a new one and keep accepting the old one')
    .action(rotate)
}

async function rotate(): Promise<void> {
  const settings = readSettings(process.env)
  const secrets = await loadSecrets(settings)
  if (await replaceLostSecret({ ...settings, secrets })) return printInfo(REPLACED)
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

async function replaceLostSecret(settings: ReturnType<typeof readSettings>): Promise<boolean> {
  const [{ createConnection }, { toolLog }] = await Promise.all([
    import('../services/postgres/connection.ts'),
    import('./log.ts'),
  ])
  const connection = createConnection({
    settings,
    log: toolLog(settings.logLevel),
    process: { role: 'tool', version: packageVersion, reload: false, connected: true, readOnly: false },
  })
  if (!(await connection.exists())) return false
  try {
    await connection.open()
    return await connection.db.replaceSecret()
  } finally {
    await connection.close()
  }
}

const REPLACED = `The database now uses the current secret. Start Larder again. Then:
- send invitations again: signed links of the old secret are invalid;
- rotate the webhook secret of each workspace (POST /v1/webhooks/secret/rotate) and give it to the receivers.`

const ADD_TO_ENVIRONMENT = `Put this secret before the current value of LARDER_SECRET, separated by a comma, in every process, and restart.
Remove the old secret when the links signed with it have expired.`

const addedTo = (file: string): string => `${file} has a new secret, followed by the old one. Restart Larder.
Remove the old secret when the links signed with it have expired.`
