/** The port `schemaOwner`. */
import type { Deps, Result } from '@larder-dev/larder/kernel'
import type pg from 'pg'
import { withoutBackup } from './backup/lock.ts'
import type { Connection } from './connection.ts'
import { createMigrator } from './migration.ts'
import type { InstalledRoles } from './open.ts'
import { withRoleNames } from './role-names.ts'
import { copyRights } from './role-rights.ts'
import type { OwnerSession, SchemaMigrator, SchemaOwner } from './schema-changes.ts'

type OwnerDeps = Deps<'log'> & { readonly connection: Connection }

export const createSchemaOwner = ({ connection, log }: OwnerDeps): SchemaOwner => ({
  connect: work => connection.db.withOwner(client => work(createSession(client, connection.db.roles, log))),
})

const READS = /^\s*(select|with|values|show|set|reset)\b/i

function createSession(
  client: pg.Client,
  { roles, formerRoles }: InstalledRoles,
  log: Deps<'log'>['log'],
): OwnerSession {
  const change = <T>(work: () => Promise<T>) =>
    withoutBackup(client, () => log.warn('a backup runs; changes of tables wait until it ends'), work)
  const send: OwnerSession['query'] = async <Row>(sql: string, values?: readonly unknown[]) => {
    // Without values, pg accepts several statements and returns an array of results.
    const answer = await client.query(sql, values as unknown[] | undefined)
    const last = Array.isArray(answer) ? answer.at(-1) : answer
    return { rows: last.rows, rowCount: last.rowCount ?? 0 } as Result<Row>
  }
  return {
    query: <Row>(sql: string, values?: readonly unknown[]) => {
      const run = () => send<Row>(withRoleNames(sql, roles), values)
      return READS.test(sql) ? run() : change(run)
    },
    transaction: work => change(() => transaction(work)),
  }

  async function transaction<T>(work: (migrator: SchemaMigrator) => Promise<T>): Promise<T> {
    await client.query('begin')
    try {
      const result = await work(createMigrator(send, roles))
      await client.query('commit')
      for (const former of formerRoles) await copyRights((sql, values) => client.query(sql, values), roles, former)
      return result
    } catch (error) {
      // The first error is the cause.
      await client.query('rollback').catch(() => undefined)
      throw error
    }
  }
}
