/** The port `models`: Sequelize 6 without its own connections. Its statements run in the current unit of work. */
import type { Models } from 'larder/kernel'
import pg from 'pg'
import type { Model, ModelOptions, ModelStatic, Sequelize } from 'sequelize'
import type { PgResult } from './pg-internals.ts'
import type { Units } from './unit.ts'

/** The methods of a connection that Sequelize's PostgreSQL dialect calls. */
interface BorrowedConnection {
  query(sql: string, ...rest: [values: unknown[], done: Done] | [done: Done]): void
}
type Done = (error: unknown, result?: PgResult) => void

/** The part of Sequelize's connection manager that is replaced. */
interface ConnectionManager {
  getConnection(): Promise<BorrowedConnection>
  releaseConnection(): void
}

export function createModels({ queryInUnit }: Pick<Units, 'queryInUnit'>): Models {
  let loading: Promise<typeof import('sequelize')> | undefined
  let sequelize: Sequelize | undefined
  const load = () => {
    loading ??= import('sequelize')
    return loading
  }
  const connection: BorrowedConnection = {
    query(sql, ...rest) {
      const done = rest.at(-1) as Done
      const values = rest.length === 2 ? rest[0] : []
      queryInUnit([sql, values as unknown[]]).then(result => done(null, result), done)
    },
  }

  return {
    define<Row extends object>(...[name, attributes, options]: Parameters<Models['define']>) {
      type Defined = ModelStatic<Model<Row, Row>>
      const define = async (): Promise<Defined> => {
        const { DataTypes, Sequelize } = await load()
        sequelize ??= withoutPool(Sequelize, connection)
        const given = { timestamps: false, ...options } as ModelOptions<Model<Row, Row>>
        return sequelize.define<Model<Row, Row>, Row>(name, attributes(DataTypes) as never, given)
      }
      let defining: Promise<Defined> | undefined
      return () => {
        defining ??= define()
        return defining
      }
    },
  }
}

function withoutPool(Make: typeof Sequelize, connection: BorrowedConnection): Sequelize {
  const sequelize = new Make({ dialect: 'postgres', dialectModule: pg, logging: false })
  const manager = (sequelize as unknown as { connectionManager: ConnectionManager }).connectionManager
  manager.getConnection = async () => connection
  manager.releaseConnection = () => {}
  return sequelize
}
