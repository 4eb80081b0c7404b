/** The port `models`: Sequelize 6 without its own connections. Its statements run in the current unit of work. */
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  decodeCursor,
  type Filter,
  type LazyModel,
  type Models,
  Problem,
  pageLimit,
  toPage,
  type Unit,
} from '@larder-dev/larder/kernel'
import pg from 'pg'
import type { Model, ModelOptions, ModelStatic, Sequelize, WhereOptions } from 'sequelize'
import type { StatementResult } from './statement-result.ts'
import type { Units } from './unit.ts'

/** The methods of a connection that Sequelize's PostgreSQL dialect calls. */
interface BorrowedConnection {
  query(sql: string, ...rest: [values: unknown[], done: Done] | [done: Done]): void
}
type Done = (error: unknown, result?: StatementResult) => void

/** An error as Sequelize extends it. */
interface FailedQuery extends Error {
  sql?: string
  parameters?: unknown
}

/** The parts of Sequelize that are replaced. */
interface SequelizeInternals {
  readonly connectionManager: { getConnection(): Promise<BorrowedConnection>; releaseConnection(): void }
  dialect: { Query: new (...args: never[]) => { formatError(error: FailedQuery, stack?: string): Error } }
}

export function createModels({ queryInUnit }: Pick<Units, 'queryInUnit'>): Models {
  let loading: Promise<typeof import('sequelize')> | undefined
  let sequelize: Sequelize | undefined
  const load = () => {
    loading ??= import('sequelize')
    return loading
  }
  /** The unit of a single read, which needs no transaction around it. */
  const readingUnit = new AsyncLocalStorage<Unit>()
  const connection: BorrowedConnection = {
    query(sql, ...rest) {
      const done = rest.at(-1) as Done
      const values = rest.length === 2 ? rest[0] : []
      queryInUnit([sql, values as unknown[]], readingUnit.getStore()).then(result => done(null, result), done)
    },
  }

  return {
    define<Row extends object>(...[name, attributes, options]: Parameters<Models['define']>) {
      type Defined = ModelStatic<Model<Row, Row>>
      const define = async (): Promise<Defined> => {
        const { DataTypes, Sequelize } = await load()
        sequelize ??= withoutPool(Sequelize, connection)
        const given = { timestamps: false, underscored: true, ...options } as ModelOptions<Model<Row, Row>>
        return sequelize.define<Model<Row, Row>, Row>(name, attributes(DataTypes) as never, given)
      }
      let defining: Promise<Defined> | undefined
      return () => {
        defining ??= define()
        return defining
      }
    },

    async page(unit, model, query) {
      const [last = null] = decodeCursor(query.cursor, 1) ?? []
      const limit = pageLimit(query)
      const [Rows, { Op }] = await Promise.all([model(), load()])
      const where = typeof query.where === 'function' ? query.where(Op) : query.where
      const isAfter = { [query.oldestFirst ? Op.gt : Op.lt]: String(last) }
      const rows = await readingUnit.run(unit, () =>
        Rows.findAll({
          where: { [Op.and]: [definedOnly(where), last === null ? {} : { id: isAfter }] },
          order: [['id', query.oldestFirst ? 'ASC' : 'DESC']],
          limit: limit + 1,
          raw: true,
        }),
      )
      return toPage(rows as unknown as RowOf<typeof model>[], limit, row => [row.id])
    },

    async find(unit, model, where) {
      const Rows = await model()
      const row = await readingUnit.run(unit, () => Rows.findOne({ where: where as WhereOptions, raw: true }))
      return (row as RowOf<typeof model> | null) ?? undefined
    },
  }
}

/** With `raw`, Sequelize returns plain objects but declares instances. */
type RowOf<Load> = Load extends LazyModel<infer Row> ? Row : never

const definedOnly = <Row>(where: Filter<Row> = {}): WhereOptions =>
  Object.fromEntries(Object.entries(where).filter(([, value]) => value !== undefined))

function withoutPool(Make: typeof Sequelize, connection: BorrowedConnection): Sequelize {
  const sequelize = new Make({ dialect: 'postgres', dialectModule: pg, logging: false })
  const { connectionManager, dialect } = sequelize as unknown as SequelizeInternals
  connectionManager.getConnection = async () => connection
  connectionManager.releaseConnection = () => {}
  dialect.Query = class extends dialect.Query {
    override formatError(error: FailedQuery, stack?: string): Error {
      // Errors are logged, and both contain values.
      delete error.sql
      delete error.parameters
      // Wrapped, a Problem such as `database_unavailable` would become an internal error.
      return Problem.is(error) ? error : super.formatError(error, stack)
    }
  }
  return sequelize
}
