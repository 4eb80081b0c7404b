import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { packageVersion, SECOND } from '../../kernel/base/index.ts'
import type { Settings } from '../../kernel/index.ts'
import { loadSecrets } from '../../kernel/runtime/index.ts'
import { createConnection, withoutPassword } from '../../services/postgres/connection.ts'
import { explain } from '../failure.ts'
import { toolLog } from '../log.ts'
import type { Finding } from './machine.ts'

type Env = Readonly<Record<string, string | undefined>>
const PATIENCE = 10 * SECOND

export const database = (settings: Settings, env: Env): Promise<Finding[]> =>
  settings.databaseUrl ? external(settings.databaseUrl, settings, env) : embedded(settings, env)

async function embedded(settings: Settings, env: Env): Promise<Finding[]> {
  if (!existsSync(join(settings.dataDir, 'postgres')))
    return [{ state: 'ok', what: `the embedded PostgreSQL will be made in ${settings.dataDir} at the first start` }]
  try {
    const connection = createConnection({
      settings: { ...settings, secrets: await loadSecrets(settings) },
      log: toolLog(settings.logLevel),
      process: { role: 'tool', version: packageVersion, reload: false, connected: true, readOnly: false },
    })
    try {
      await connection.open()
      await connection.db.ready()
      return [{ state: 'ok', what: `${connection.place} answers` }]
    } finally {
      await connection.close()
    }
  } catch (error) {
    return [{ state: 'fail', what: 'the embedded PostgreSQL does not start', fix: explain(error, env) }]
  }
}

async function external(url: string, settings: Settings, env: Env): Promise<Finding[]> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE,
    application_name: 'larder doctor',
  })
  // What is asked of it fails by itself.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string; makesRoles: boolean; hasApp: boolean; appIsFree: boolean }>(`
      select current_setting('server_version') as version,
        (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as "makesRoles",
        exists (select from pg_roles where rolname = 'larder_app') as "hasApp",
        exists (select from pg_roles where rolname = 'larder_app' and (rolsuper or rolbypassrls)) as "appIsFree"`)
    return rows.flatMap(row => [
      { state: 'ok' as const, what: `${withoutPassword(url)} answers: PostgreSQL ${row.version}` },
      ...roles(row, settings),
    ])
  } catch (error) {
    return [{ state: 'fail', what: `${withoutPassword(url)} does not answer`, fix: explain(error, env) }]
  } finally {
    await client.end()
  }
}

/** `larder_app` is what tenants are kept apart by: it must not be able to look past row level security. */
function roles(row: { makesRoles: boolean; hasApp: boolean; appIsFree: boolean }, settings: Settings): Finding[] {
  if (row.appIsFree)
    return [
      {
        state: 'fail',
        what: 'the role larder_app can look past row level security',
        fix: 'As a superuser: alter role larder_app nosuperuser nobypassrls',
      },
    ]
  if (row.hasApp) return [{ state: 'ok', what: 'the role larder_app is there, and bound by row level security' }]
  if (row.makesRoles) return [{ state: 'ok', what: 'the role larder_app will be made by migrate' }]
  return settings.databaseAppUrl
    ? [{ state: 'ok', what: 'DATABASE_APP_URL names the role that requests use' }]
    : [
        {
          state: 'fail',
          what: 'the user of DATABASE_URL may not make the roles that requests use',
          fix: 'Run larder migrate: it prints the SQL for an administrator; then set DATABASE_APP_URL.',
        },
      ]
}
