/** Units of work, and the models that join them. */
import type { Model, ModelAttributes, ModelOptions, ModelStatic, Op, WhereAttributeHashValue } from 'sequelize'
import type { PageOf } from '../../base/index.ts'

/** One statement: text with `$1`, and its values. */
export type Step = readonly [text: string, values?: readonly unknown[]]

export interface Result<Row = Record<string, unknown>> {
  readonly rows: Row[]
  readonly rowCount: number
}

/** A unit of work: all of its statements commit, or none. */
export interface Unit {
  /** Runs one statement in one round trip. */
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Result<Row>>
  /** Runs several statements in one round trip. An error rolls back all of them. */
  batch(steps: readonly Step[]): Promise<Result[]>
  /** Runs `work` in a transaction, which ports called inside join. An exception rolls it back. */
  transaction<T>(work: (unit: Unit) => Promise<T>): Promise<T>
}

export interface Database {
  /** Starts a unit of work for one tenant. Row-level security limits it to that tenant's rows. */
  tenant(tenantId: string): Unit
  /** Returns the tenant of the surrounding unit. Undefined outside a unit and in units across tenants. */
  currentTenant(): string | undefined
  /** Runs after the surrounding unit commits, or at once outside a unit. Does not run after a rollback. */
  afterCommit(run: () => void | Promise<void>): void
}

/** Units across tenants, as a port of its own, so that `module.ts` shows which modules use them. */
export interface SystemDatabase {
  /** Statements here see every tenant's rows. `why` is the reason that the audited list of such places records. */
  acrossTenants(why: string): Unit
}

/** Defines a model at the first call, which loads Sequelize. */
export type LazyModel<Row extends object> = () => Promise<ModelStatic<Model<Row, Row>>>

/** Conditions on attributes. Undefined ones are ignored. */
export type Filter<Row> = { readonly [Name in keyof Row]?: WhereAttributeHashValue<Row[Name]> | undefined }

export interface PageQuery<Row> {
  /** From the query of a list; see `pageLimit`. */
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  /** Newest first by default. */
  readonly oldestFirst?: boolean | undefined
  /** A function receives Sequelize's operators. */
  readonly where?: Filter<Row> | ((op: typeof Op) => Filter<Row>)
}

/** Sequelize 6 models. Their statements join the surrounding unit of work, and fail outside one. */
export interface Models {
  /** Columns have the names of the attributes in snake case, unless an attribute has a `field`. */
  define<Row extends object>(
    name: string,
    attributes: (types: typeof import('sequelize').DataTypes) => ModelAttributes<Model<Row>, Row>,
    options: ModelOptions & { tableName: string },
  ): LazyModel<Row>
  /** Reads a page ordered by id. Throws `invalid_cursor`. */
  page<Row extends { readonly id: string }>(
    unit: Unit,
    model: LazyModel<Row>,
    query: PageQuery<Row>,
  ): Promise<PageOf<Row>>
  /** Reads one row. */
  find<Row extends object>(unit: Unit, model: LazyModel<Row>, where: Filter<Row>): Promise<Row | undefined>
}
