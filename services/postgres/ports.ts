/** What the PostgreSQL service offers, and the settings it reads. */
import type { OpenDatabase } from './open.ts'
import type { SchemaOwner } from './schema-changes.ts'

/** For services that need more of PostgreSQL than units of work: notifications, worker loops, locks and savepoints. */
export type Postgres = Pick<
  OpenDatabase,
  | 'database'
  | 'systemRole'
  | 'systemTransaction'
  | 'listen'
  | 'notify'
  | 'createNotifier'
  | 'createWorkerLoop'
  | 'ready'
  | 'assertWritable'
  | 'appUrl'
  | 'directUrl'
>

export interface TenantDeletion {
  /**
   * Runs the `deleteTenant` hook of each module, then deletes the tenant's rows in every table with a `tenant_id`
   * column. Append-only tables, for which no role has the delete privilege, keep their rows.
   *
   * Waits up to 30 seconds for the event handlers of the tenant. `complete` is false while events or jobs of the tenant
   * are unfinished, because their handlers can still read and write rows. Call again later then. Repeatable.
   */
  run(tenantId: string, signal: AbortSignal): Promise<{ readonly complete: boolean }>
}

export interface TenantSuspension {
  /**
   * Suspends the tenant in the surrounding unit. Events, jobs and webhooks of the tenant wait from then on. Returns false
   * if it was suspended already.
   */
  suspend(tenantId: string, suspension: { readonly reason: string; readonly at: Date }): Promise<boolean>
  /** Ends the suspension in the surrounding unit, and wakes the workers. Returns false if the tenant was not suspended. */
  resume(tenantId: string): Promise<boolean>
  /** Deletes the suspension of a tenant that the surrounding unit deletes, so that its last events don't wait. */
  forget(tenantId: string): Promise<void>
  /** Throws `tenant_suspended`. For rows that a public request finds across tenants. */
  assertActive(tenantId: string): Promise<void>
}

export interface DiskSpace {
  /** For readiness checks. Rejects if the disk of the folder has less than `MIN_FREE_DISK_MB` left. */
  assertFree(folder: string): Promise<void>
}

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    postgres: Postgres
    tenantDeletion: TenantDeletion
    tenantSuspension: TenantSuspension
    schemaOwner: SchemaOwner
    diskSpace: DiskSpace
  }
  interface Registrations {
    /**
     * Deletes data of a tenant that is not in its tables, for example files. Runs after `identity.tenant.deleted`,
     * before the tenant's rows are deleted. It must be repeatable.
     */
    deleteTenant: (tenantId: string) => Promise<void>
  }
  interface Settings {
    readonly databaseUrl: string | undefined
    readonly databaseAppUrl: string | undefined
    readonly databaseDirectUrl: string | undefined
    /** How long a start waits for an unreachable database. */
    readonly databaseWaitMs: number
    /** Connections of this process that one tenant holds at a time. */
    readonly databaseTenantConnections: number
    /** Reads of many rows that one tenant runs at a time in this process. */
    readonly databaseTenantScans: number
    /** Free disk space, below which readiness fails. */
    readonly minFreeDiskBytes: number
  }
}
