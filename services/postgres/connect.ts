/** The way to the database: the one that DATABASE_URL names, or the embedded one; and the secret that goes with it. */

import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Settings, withoutPassword } from 'larder/kernel'
import type { Logger } from 'pino'
import { startEmbedded } from './embedded/embedded.ts'
import { type OpenDatabase, openDatabase } from './open.ts'

export interface Connection {
  readonly db: OpenDatabase
  readonly secrets: readonly string[]
  /** For the start report: where the data is, without a password. */
  readonly place: string
  close(): Promise<void>
}

/** @param how `readOnly`: PostgreSQL refuses every write of this connection. `meanwhile`: see EmbeddedOptions. */
export async function connect(
  settings: Settings,
  log: Logger,
  applicationName: string,
  { meanwhile, ...how }: { readonly readOnly?: boolean; readonly meanwhile?: () => void } = {},
): Promise<Connection> {
  const secrets = settings.secrets.length > 0 ? settings.secrets : [await keptSecret(settings.dataDir)]
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
      ...how,
    })
    return {
      db,
      secrets,
      place: embedded ? `embedded PostgreSQL in ${settings.dataDir}` : withoutPassword(ownerUrl),
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

/** The secret of an embedded installation: 32 bytes, made once, readable by its owner alone. */
async function keptSecret(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  const file = join(dataDir, 'secret')
  try {
    // Exclusive: of several processes that start at once, one makes it and the others read it.
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
    if (tries === 50)
      throw new Error(
        `${file} holds no secret of 32 characters. Restore it from a backup, or remove it together with the data beside it.`,
      )
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
