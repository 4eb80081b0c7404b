/** The database of the settings for a command that starts no kernel. */
import { packageVersion } from '../kernel/base/index.ts'
import type { Settings } from '../kernel/index.ts'
import type { Connection } from '../services/postgres/connection.ts'

export type { Connection, MigrationPlan, PlannedMigration, PlannedTable } from '../services/postgres/connection.ts'

/** @param readOnly whether the server may be a standby. Undefined if there is no embedded database yet, which opening would create. */
export async function withDatabase<T>(
  settings: Settings,
  { secrets, readOnly = false }: { readonly secrets: () => Promise<readonly string[]>; readonly readOnly?: boolean },
  work: (connection: Connection) => Promise<T>,
): Promise<T | undefined> {
  const [{ createConnection }, { toolLog }] = await Promise.all([
    import('../services/postgres/connection.ts'),
    import('./log.ts'),
  ])
  const connect = (own: readonly string[]) =>
    createConnection({
      settings: { ...settings, secrets: own },
      log: toolLog(settings.logLevel),
      process: { role: 'tool', version: packageVersion, reload: false, connected: true, readOnly },
    })
  // Reading the secret would create its file.
  if (!(await connect([]).exists())) return undefined
  const connection = connect(await secrets())
  try {
    await connection.open()
    return await work(connection)
  } finally {
    await connection.close()
  }
}
