/** The port `models`: Sequelize 6 without a connection of its own. Its statements go through the surrounding unit. */
import type { Models } from 'larder/kernel'
import pg from 'pg'
import type { Model, ModelOptions, ModelStatic, Sequelize } from 'sequelize'
import type { WireResult } from './pg-internals.ts'
import type { Units } from './unit.ts'

/** What Sequelize's PostgreSQL dialect calls on a connection. */
interface BorrowedConnection {
  query(sql: string, ...rest: [values: unknown[], done: Done] | [done: Done]): void
}
type Done = (error: unknown, result?: WireResult) => void

/** The part of Sequelize's connection manager that is replaced. */
interface ConnectionManager {
  getConnection(): Promise<BorrowedConnection>
  releaseConnection(): void
}

export function createModels({ joined }: Pick<Units, 'joined'>): Models {
  let loading: Promise<typeof import('sequelize')> | undefined
  let made: Sequelize | undefined
  const load = () => {
    loading ??= import('sequelize')
    return loading
  }
  const connection: BorrowedConnection = {
    query(sql, ...rest) {
      const done = rest.at(-1) as Done
      const values = rest.length === 2 ? rest[0] : []
      joined([sql, values as unknown[]]).then(result => done(null, result), done)
    },
  }

  return {
    define<Row extends object>(...[name, attributes, options]: Parameters<Models['define']>) {
      type Defined = ModelStatic<Model<Row, Row>>
      const define = async (): Promise<Defined> => {
        const { DataTypes, Sequelize } = await load()
        made ??= withoutPool(Sequelize, connection)
        const given = { timestamps: false, ...options } as ModelOptions<Model<Row, Row>>
        return made.define<Model<Row, Row>, Row>(name, attributes(DataTypes) as never, given)
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
