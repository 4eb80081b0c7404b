/** Connects to the database in DATABASE_URL, or to the embedded one with its generated secret. */

import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Settings, withoutPassword } from 'larder/kernel'
import type { Logger } from 'pino'
import { startEmbedded } from './embedded/embedded.ts'
import { type OpenDatabase, openDatabase } from './open.ts'
import { operatorErrors } from './operator-errors.ts'

export interface Connection {
  readonly db: OpenDatabase
  readonly secrets: readonly string[]
  /** Where the data is, without a password; printed in the start report. */
  readonly location: string
  close(): Promise<void>
}

/** With `readOnly`, PostgreSQL rejects every write. For `meanwhile`, see EmbeddedOptions. */
export async function connect(
  settings: Settings,
  log: Logger,
  applicationName: string,
  { meanwhile, ...mode }: { readonly readOnly?: boolean; readonly meanwhile?: () => void } = {},
): Promise<Connection> {
  const secrets = settings.secrets.length > 0 ? settings.secrets : [await loadOrCreateSecret(settings.dataDir)]
  const embedded = settings.databaseUrl
    ? undefined
    : await startEmbedded({ dataDir: settings.dataDir, log, ...(meanwhile && { meanwhile }) })
  const ownerUrl = settings.databaseUrl ?? (embedded?.url as string)
  try {
    const db = await openDatabase({
      ownerUrl,
      appUrl: settings.databaseAppUrl,
      directUrl: settings.databaseDirectUrl,
      secrets,
      log,
      applicationName,
      ...mode,
    })
    return {
      db,
      secrets,
      location: embedded ? `embedded PostgreSQL in ${settings.dataDir}` : withoutPassword(ownerUrl),
      async close() {
        await db.close()
        await embedded?.stop()
      },
    }
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

/** The secret of an embedded installation: 32 random bytes, created once, readable only by its owner. */
async function loadOrCreateSecret(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  const file = join(dataDir, 'secret')
  try {
    // Exclusive: if several processes start at once, one creates the file and the others read it.
    const handle = await open(file, 'wx', 0o600)
    await handle.writeFile(randomBytes(32).toString('base64url'))
    await handle.sync()
    await handle.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  for (let tries = 0; ; tries++) {
    const secret = (await readFile(file, 'utf8')).trim()
    if (secret.length >= 32) return secret
    if (tries === 50) throw operatorErrors.secret_file_invalid({ file })
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
