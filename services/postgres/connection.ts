/** The connection of a process to its database: the one that DATABASE_URL names, or the embedded one. */
import type { Deps } from '@larder-dev/larder/kernel'
import { startEmbedded } from './embedded/embedded.ts'
import { hasEmbeddedData } from './embedded/paths.ts'
import { assertFreeSpace } from './free-space.ts'
import { type OpenDatabase, openDatabase, prepareDatabase } from './open.ts'

export { type CopyRows, type Dump, type DumpedTable, type DumpHead, isOriginalSecret } from './backup/backup.ts'
export { freeBytes } from './free-space.ts'
export { migrationFiles } from './migration-files.ts'
export type { MigrationPlan, PlannedMigration, PlannedTable } from './migration-plan.ts'
export { currentRoles, otherDatabases, type Query as RoleQuery } from './role-catalog.ts'
export { isShared } from './role-names.ts'

export interface Connection {
  readonly db: OpenDatabase
  /** Where the data is, without a password. */
  readonly place: string
  /** The tenant of the operator, once `loadOperator` has read it. */
  readonly operatorTenantId: string
  /** False where opening would create the embedded database. */
  exists(): Promise<boolean>
  open(): Promise<void>
  /** Throws where the database was never migrated. */
  loadOperator(): Promise<void>
  /** Rejects if the disk of the embedded database is nearly full. */
  assertFreeSpace(): Promise<void>
  close(): Promise<void>
}

/** No name under `invalid` resolves (RFC 6761, section 6.4), so a statement that is sent by mistake fails. */
const UNREACHABLE = 'postgres://nobody@database.invalid/none'
const NO_OPERATOR = 'ten_none'

export function createConnection({ settings, log, process }: Deps<'settings' | 'log' | 'process'>): Connection {
  const { databaseUrl, dataDir, secrets } = settings
  let db: OpenDatabase | undefined
  let embeddedHome: string | undefined
  let closeServer: () => Promise<void> = async () => {}
  let operatorTenantId = NO_OPERATOR
  return {
    get db() {
      db ??= prepareDatabase({ ownerUrl: UNREACHABLE, secrets, log })
      return db
    },
    get operatorTenantId() {
      return operatorTenantId
    },
    place: databaseUrl ? withoutPassword(databaseUrl) : `embedded PostgreSQL in ${dataDir}`,
    exists: async () => databaseUrl !== undefined || hasEmbeddedData(dataDir),
    async open() {
      const embedded = databaseUrl ? undefined : await startEmbedded({ dataDir, log })
      closeServer = async () => embedded?.stop()
      embeddedHome = embedded?.home
      try {
        process.signal?.throwIfAborted()
        db = await openDatabase({
          ownerUrl: databaseUrl ?? (embedded?.url as string),
          appUrl: settings.databaseAppUrl,
          directUrl: settings.databaseDirectUrl,
          tenantConnections: settings.databaseTenantConnections,
          tenantScans: settings.databaseTenantScans,
          secrets,
          log,
          applicationName: `larder ${process.role} ${process.version}`,
          release: process.version,
          readOnly: process.readOnly,
          waitMs: process.role === 'tool' ? 0 : settings.databaseWaitMs,
          ...(process.signal && { signal: process.signal }),
        })
        if (databaseUrl && process.role !== 'tool') await db.checkNotifications()
      } catch (error) {
        await closeServer()
        throw error
      }
    },
    async loadOperator() {
      operatorTenantId = await this.db.operatorTenantId()
    },
    async assertFreeSpace() {
      if (embeddedHome !== undefined) await assertFreeSpace(embeddedHome, settings.minFreeDiskBytes)
    },
    async close() {
      await db?.close()
      await closeServer()
    },
  }
}

/** `PostgreSQL at host:port/name` of a connection string. */
export function withoutPassword(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `PostgreSQL at ${hostname}:${port || 5432}${pathname}`
}
