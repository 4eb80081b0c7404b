/** What the PostgreSQL service offers, and the settings it reads. */
import type { Database, PageOf, SealedColumn, Table, Unit } from '@larder-dev/larder/kernel'
import type { SchemaOwner } from './schema-changes.ts'
import type { WorkerLoop, WorkerLoopOptions } from './worker-loop.ts'

/** Serves services that need more of PostgreSQL than units of work: notifications, worker loops and savepoints. */
export interface Postgres {
  readonly database: Database
  /** One transaction across tenants, with savepoints. Cannot run inside another unit. */
  systemTransaction<T>(why: string, work: (unit: SystemTransaction) => Promise<T>): Promise<T>
  /**
   * `onGap` runs after a reconnection: notifications may have been missed. Resolves once the server listens, with a
   * function that unsubscribes.
   */
  listen(channel: string, onPayload: (payload: string) => void, onGap: () => void): Promise<() => Promise<void>>
  /** Notifies every listener immediately and in order, including this process. At most 8000 bytes each. Never part of a unit. */
  notify(channel: string, ...payloads: readonly string[]): Promise<void>
  /** Returns a function that notifies the listeners of a channel. Calls are coalesced; `onError` gets its errors. */
  createNotifier(channel: string, onError: (error: unknown) => void): () => void
  createWorkerLoop(options: WorkerLoopOptions): WorkerLoop
  /** Checks connections of other pools. Rejects if the server of the connection is read-only. */
  assertWritable(connection: Connection): Promise<void>
  /**
   * Attributes a lost connection of another pool to the outage of the database, if there is one, so that its log line is
   * part of the announcement.
   */
  attribute(error: unknown): void
  /** The role that sees every tenant; a connection of the app role may take it. */
  readonly systemRole: string
  /**
   * `listener` runs after the confirmation of a commit was lost with its connection, once the database answers again, and
   * 30 s later: its changes may be visible, and its `afterCommit` callbacks did not run. Returns a function that unsubscribes.
   */
  onUnconfirmedCommit(listener: () => void): () => void
  /** As the app role, bypassing any pooler. */
  readonly directUrl: string
}

/** A unit across tenants with savepoints; used by the relay. */
export interface SystemTransaction extends Unit {
  /** Also waits for statements that `work` did not await. A failure fails the whole transaction. */
  nested(work: () => Promise<void>): Promise<void>
  /**
   * Rolls `work` back, with its `afterCommit` callbacks, if it throws or if one of its statements fails, awaited or not.
   * Units of any tenant inside it join. Savepoints cannot overlap.
   */
  savepoint<T>(work: () => Promise<T>): Promise<T>
}

/** A connection of the driver `pg`. */
export interface Connection {
  query(text: string): Promise<{ readonly rows: readonly object[] }>
}

/** Sequelize 6 models of tables. Their statements join the surrounding unit of work, and fail outside one. */
export interface Models {
  /** A model serves lists with conditions that `page` of the table doesn't have. The table's `records` converts the rows. */
  of<Row extends object, Columns, New extends object>(table: Table<Row, Columns, New>): LazyModel<Row>
  /** Reads a page ordered by id. Throws `invalid_cursor`. */
  page<Row extends { readonly id: string }>(
    unit: Unit,
    model: LazyModel<Row>,
    query: PageQuery<Row>,
  ): Promise<PageOf<Row>>
  /** Reads one row. */
  find<Row extends object>(unit: Unit, model: LazyModel<Row>, where: Filter<Row>): Promise<Row | undefined>
}

/** Defines a model at the first call, which loads Sequelize. */
export type LazyModel<Row extends object> = () => Promise<SequelizeModel<Row>>

/** What needs no type of Sequelize. With its types, a model is a `ModelStatic<Model<Row, Row>>`. */
export interface SequelizeModel<Row extends object> {
  findAll(query: RawQuery): Promise<Row[]>
  findOne(query: RawQuery): Promise<Row | null>
}
export interface RawQuery {
  readonly where?: object
  readonly order?: readonly (readonly [attribute: string, direction: 'ASC' | 'DESC'])[]
  readonly limit?: number
  /** Returns rows instead of instances. */
  readonly raw: true
}

/** A page of a list that `models.page` reads. */
export interface PageQuery<Row> {
  /** From the query of a list; see `pageLimit`. */
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  /** Newest first by default. */
  readonly oldestFirst?: boolean | undefined
  /** A function receives Sequelize's operators. */
  readonly where?: Filter<Row> | ((op: Operators) => Filter<Row>)
}
/** Conditions on attributes: a value, a list of values, or values by operator. Undefined ones are ignored. */
export type Filter<Row> = {
  readonly [Name in keyof Row]?: Row[Name] | readonly Row[Name][] | Readonly<Record<symbol, unknown>> | undefined
}
/** Sequelize has more of them. */
export type Operators = Readonly<
  Record<'and' | 'or' | 'not' | 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'between' | 'in' | 'notIn', symbol> &
    Record<'is' | 'like' | 'iLike' | 'startsWith' | 'endsWith' | 'substring' | 'contains', symbol>
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
  /** Readiness checks call it. Rejects if the disk of the folder has less than `MIN_FREE_DISK_MB` left. */
  assertFree(folder: string): Promise<void>
}

/** Files of a module. A name never changes its bytes, and deletions check `IS_BACKED_UP_SQL` first. */
export interface StoredFiles {
  /** The folder or the bucket, as messages name it. */
  readonly place: string
  /** The folder that needs room for files; undefined if they are elsewhere. */
  readonly folder: string | undefined
  /**
   * Selects the files that the rows of a snapshot name: `key`, `type` (media type), `required`, and `otherwise`, the key of a
   * file with the same bytes, or null. Runs as the owner of the database.
   */
  readonly query: string
  /** Undefined if there is no such file. `size` is in bytes. */
  open(key: string): Promise<{ readonly size: number; readonly content: AsyncIterable<Buffer> } | undefined>
  has(key: string): Promise<boolean>
  write(key: string, content: AsyncIterable<Buffer>, file: { readonly mimeType: string }): Promise<void>
  remove(keys: readonly string[]): Promise<void>
}

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    postgres: Postgres
    models: Models
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
    /** Files outside the database, for `larder backup` and `larder restore`. */
    storedFiles: StoredFiles
    /** The columns of all `sealedValues`. Those with a `key` are encrypted again while LARDER_SECRET is rotated. */
    sealedColumns: readonly SealedColumn[]
    /**
     * Gives up what waits to be sent and is due. Called when a restored installation is resumed: its original may have sent
     * it. Returns the number of what it gave up. Jobs with `outgoing` need no hook.
     */
    giveUpOutgoing: () => Promise<number>
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
