/** The port `models`: Sequelize 6 without its own connections. Its statements run in the current unit of work. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { decodeCursor, once, Problem, pageLimit, type Table, toPage, type Unit } from '@larder-dev/larder/kernel'
import pg from 'pg'
import type { DataTypes, ModelAttributes, Sequelize } from 'sequelize'
import type { Filter, LazyModel, Models, SequelizeModel } from './ports.ts'
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
  let sequelize: Sequelize | undefined
  const load = once(() => import('sequelize'))
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
    of<Row extends object, Columns, New extends object>({ name, visible }: Table<Row, Columns, New>): LazyModel<Row> {
      return once(async () => {
        const { DataTypes, Sequelize } = await load()
        sequelize ??= withoutPool(Sequelize, connection)
        const model = sequelize.define(name, attributesOf(visible, DataTypes), { tableName: name, timestamps: false })
        return model as SequelizeModel<object> as SequelizeModel<Row>
      })
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
      return toPage(rows, limit, row => [row.id])
    },

    async find(unit, model, where) {
      const Rows = await model()
      const row = await readingUnit.run(unit, () => Rows.findOne({ where, raw: true }))
      return row ?? undefined
    },
  }
}

const TYPES = {
  text: 'TEXT',
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  timestamp: 'DATE',
  bytes: 'BLOB',
  array: 'JSONB',
  json: 'JSONB',
} as const

/** Rows are read as the driver returns them. */
const attributesOf = (columns: Table<object, object, object>['visible'], types: typeof DataTypes): ModelAttributes =>
  Object.fromEntries(
    columns.map(({ property, name, kind }) => [
      property,
      { type: types[TYPES[kind]], field: name, primaryKey: property === 'id' },
    ]),
  )

const definedOnly = <Row>(where: Filter<Row> = {}): object =>
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
