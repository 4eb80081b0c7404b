/** Units of work. */

/** One statement: text with `$1`, and its values. */
export type Step = readonly [text: string, values?: readonly unknown[], options?: StepOptions]

export interface StepOptions {
  /** Statements are prepared, up to a limit. False is for a text that depends on a request. */
  readonly prepare?: boolean
  /**
   * True for a statement that reads many rows to return few, such as a search or a count, and therefore costs CPU time.
   * Only a few of them run at a time for each tenant, unless they are part of a transaction.
   */
  readonly scans?: boolean
  /** Runs when the statement has committed. The steps of the ports have it: a module doesn't need it. */
  readonly afterCommit?: () => void
}

/** The result of a statement. */
export interface Result<Row = Record<string, unknown>> {
  readonly rows: Row[]
  readonly rowCount: number
}

/** Statements by a name for each result. */
export type NamedSteps = Readonly<Record<string, Step | undefined>>
/** What `unit.all` returns for statements by name. */
export type NamedResults<Steps extends NamedSteps> = {
  -readonly [Name in keyof Steps]: Result | Extract<Steps[Name], undefined>
}

/** A unit of work: all of its statements commit, or none. */
export interface Unit {
  /** Runs one statement in one round trip. */
  query<Row = Record<string, unknown>>(...step: Step): Promise<Result<Row>>
  /**
   * Runs several statements in one round trip, in their order. The results have the names or the positions of their
   * statements. Leaves out undefined statements of a record. An error rolls back all of them.
   */
  all(steps: readonly Step[]): Promise<Result[]>
  all<Steps extends NamedSteps>(steps: Steps): Promise<NamedResults<Steps>>
  /**
   * Runs statements whose results aren't needed. A transaction sends them with its next statement or its commit, which
   * rejects if they fail. Otherwise like `all`. Resolves with undefined before they have run.
   */
  defer(steps: readonly Step[]): Promise<Result[] | undefined>
  /**
   * Waits until no other transaction holds the lock of this name and these values, such as
   * `unit.lock('forms.recipients', tenantId)`, and holds it until this one ends. Statements after it see what the last
   * holder committed. `lockStep` is its statement.
   */
  lock(name: string, ...parts: readonly string[]): Promise<void>
  /** Runs `work` in a transaction, which ports called inside join. An exception rolls it back. */
  transaction<T>(work: (unit: Unit) => Promise<T>): Promise<T>
}

/** A condition in the database, which is evaluated by the app role before a unit has its role and its tenant. */
export interface Precondition {
  /** An expression of the database with `$1`, … for `values`. It is true, or raises the error `LA401`. */
  readonly condition: string
  readonly values: readonly unknown[]
}

/** `value` is what the work returned. */
export type Verified<T> = { readonly holds: true; readonly value: T } | { readonly holds: false }

/** The port `database`: units of work of one tenant. */
export interface Database {
  /** Starts a unit of work for one tenant. Row-level security limits it to that tenant's rows. */
  tenant(tenantId: string): Unit
  /** Returns the tenant of the surrounding unit. Undefined outside a unit and in units across tenants. */
  currentTenant(): string | undefined
  /** Runs after the surrounding unit commits, or at once outside a unit. Does not run after a rollback. */
  afterCommit(run: () => void | Promise<void>): void
  /**
   * Runs `work` outside the surrounding unit, which waits for it. Its units take a connection that is kept for them, so
   * that units that hold all others get theirs in turn. Throws an Error at the third level.
   */
  beside<T>(work: () => Promise<T>): Promise<T>
  /**
   * Runs `work`, which reads, and finds out whether `precondition` holds: it is sent with the first statements, or alone
   * if there are none. If it doesn't hold, the caller runs the work again. Rejects with the error of `work` if it holds.
   */
  verified<T>(precondition: Precondition, work: () => Promise<T>): Promise<Verified<T>>
}

/** Units across tenants. A separate port, so that `module.ts` shows which modules use them. */
export interface SystemDatabase {
  /** Statements here see every tenant's rows. `why` is the reason that the audited list of such places records. */
  acrossTenants(why: string): Unit
}
