/** Units of work, and the models that join them. */
import type { Model, ModelAttributes, ModelOptions, ModelStatic } from 'sequelize'

/** One statement: text with `$1`, and its values. */
export type Step = readonly [text: string, values?: readonly unknown[]]

export interface Result<Row = Record<string, unknown>> {
  readonly rows: Row[]
  readonly rowCount: number
}

/** A unit of work: what stands in it happens as a whole or not at all. */
export interface Unit {
  /** One statement, one flight to the server and back. */
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Result<Row>>
  /** Several statements, still one flight; an error rolls back all of them. */
  batch(steps: readonly Step[]): Promise<Result[]>
  /** Look, then write. What `work` throws rolls back. Every port called inside joins this unit by itself. */
  transaction<T>(work: (unit: Unit) => Promise<T>): Promise<T>
}

export interface Database {
  /** Work of one tenant: row level security shows and takes that tenant's rows alone. */
  tenant(tenantId: string): Unit
  /** Work across tenants. `why` stands in the code for its reader; a test lists every such place. */
  system(why: string): Unit
  /** The tenant of the unit that surrounds this call; undefined outside one, and inside a unit of the system. */
  currentTenant(): string | undefined
  /** Runs after the unit that surrounds this call has committed; at once where there is none; never after a rollback. */
  afterCommit(run: () => void | Promise<void>): void
}

/** Work across tenants. A module declares it in `needs`, so that `module.ts` shows which modules cross tenants. */
export interface SystemDatabase {
  /** Statements here see every tenant's rows. `why` is the reason that the audited list of such places records. */
  acrossTenants(why: string): Unit
}

/** Sequelize 6 models for admin writes: their statements join the unit that surrounds them, and fail outside one. */
export interface Models {
  /** Sequelize itself is loaded at the first call of the function that this returns. */
  define<Row extends object>(
    name: string,
    attributes: (types: typeof import('sequelize').DataTypes) => ModelAttributes<Model<Row>, Row>,
    options: ModelOptions & { tableName: string },
  ): () => Promise<ModelStatic<Model<Row, Row>>>
}
