/** A copy of a schema, without rows, on a server that is deleted afterwards. */
import pg from 'pg'
import type { Schema } from './backup/catalog.ts'
import { operatorErrors } from './operator-errors.ts'
import { SHARED_ROLES } from './role-names.ts'

export interface SchemaCopy {
  /** As a superuser. */
  readonly client: pg.Client
  /** That of the server. */
  readonly version: string
  drop(): Promise<void>
}

export async function createCopy(
  schema: Schema,
  startServer: () => Promise<{ readonly url: string; stop(): Promise<void> }>,
): Promise<SchemaCopy> {
  const server = await startServer()
  const client = new pg.Client(server.url)
  client.on('error', () => undefined)
  const drop = async () => {
    await client.end().catch(() => undefined)
    await server.stop()
  }
  try {
    await client.connect()
    const name = pg.escapeIdentifier(schema.name)
    const roles = [SHARED_ROLES.app, SHARED_ROLES.system, ...schema.roles].map(role => pg.escapeIdentifier(role))
    await send(client, [
      ...roles.map(role => `create role ${role}`),
      'set check_function_bodies = off',
      `create schema if not exists ${name}`,
      `set search_path to ${name}`,
      ...schema.before,
      ...schema.after,
    ])
    const { rows } = await client.query(`select current_setting('server_version') as version`)
    return { client, version: rows[0].version, drop }
  } catch (error) {
    await drop()
    throw error
  }
}

async function send(client: pg.Client, statements: readonly string[]): Promise<void> {
  for (const statement of statements)
    await client.query(statement).catch(error => {
      throw operatorErrors.plan_copy_failed({ reason: error.message, statement }, { cause: error })
    })
}
