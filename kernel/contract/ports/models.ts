/** Sequelize models, which join the unit of work. */
import type { Model, ModelAttributes, ModelOptions, ModelStatic, Op, WhereAttributeHashValue } from 'sequelize'
import type { PageOf } from '../../base/index.ts'
import type { Unit } from './database.ts'

/** Defines a model at the first call, which loads Sequelize. */
export type LazyModel<Row extends object> = () => Promise<ModelStatic<Model<Row, Row>>>

/** Conditions on attributes. Undefined ones are ignored. */
export type Filter<Row> = { readonly [Name in keyof Row]?: WhereAttributeHashValue<Row[Name]> | undefined }

/** A page of a list that `models.page` reads. */
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
