/** The port `schemaOwner`. */
import type { Result } from '@larder-dev/larder/kernel'
import type pg from 'pg'
import type { Connection } from './connection.ts'
import { createMigrator } from './migration.ts'
import type { InstalledRoles } from './open.ts'
import { withRoleNames } from './role-names.ts'
import { copyRights } from './role-rights.ts'
import type { OwnerSession, SchemaOwner } from './schema-changes.ts'

export const createSchemaOwner = ({ connection }: { connection: Connection }): SchemaOwner => ({
  connect: work => connection.db.withOwner(client => work(createSession(client, connection.db.roles))),
})

function createSession(client: pg.Client, { roles, formerRoles }: InstalledRoles): OwnerSession {
  const send: OwnerSession['query'] = async <Row>(sql: string, values?: readonly unknown[]) => {
    // Without values, pg accepts several statements and returns an array of results.
    const answer = await client.query(sql, values as unknown[] | undefined)
    const last = Array.isArray(answer) ? answer.at(-1) : answer
    return { rows: last.rows, rowCount: last.rowCount ?? 0 } as Result<Row>
  }
  return {
    query: (sql, values) => send(withRoleNames(sql, roles), values),
    async transaction(work) {
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
    },
  }
}
