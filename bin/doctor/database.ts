import { Client } from 'pg'
import { packageVersion, SECOND } from '../../kernel/base/index.ts'
import type { Settings } from '../../kernel/index.ts'
import { loadSecrets } from '../../kernel/runtime/index.ts'
import { createConnection, withoutPassword } from '../../services/postgres/connection.ts'
import { explain } from '../failure.ts'
import { toolLog } from '../log.ts'
import type { Finding } from './machine.ts'

type Env = Readonly<Record<string, string | undefined>>
const TIMEOUT_MS = 10 * SECOND

export const database = (settings: Settings, env: Env): Promise<Finding[]> =>
  settings.databaseUrl ? external(settings.databaseUrl, settings, env) : embedded(settings, env)

async function embedded(settings: Settings, env: Env): Promise<Finding[]> {
  if (!(await connectionWith(settings, []).exists()))
    return [{ state: 'ok', what: `the first start creates the embedded PostgreSQL in ${settings.dataDir}` }]
  try {
    const connection = connectionWith(settings, await loadSecrets(settings))
    try {
      await connection.open()
      await connection.db.ready()
      const { rows } = await connection.db.withOwner(client =>
        client.query<{ versions: string | null }>(`select ${NAME_ORDER} as versions`),
      )
      return [{ state: 'ok', what: `${connection.place} accepts connections` }, ...nameOrder(rows[0]?.versions ?? null)]
    } finally {
      await connection.close()
    }
  } catch (error) {
    return [{ state: 'fail', what: 'the embedded PostgreSQL failed to start', fix: explain(error, env) }]
  }
}

const connectionWith = (settings: Settings, secrets: readonly string[]) =>
  createConnection({
    settings: { ...settings, secrets },
    log: toolLog(settings.logLevel),
    process: { role: 'tool', version: packageVersion, reload: false, connected: true, readOnly: false },
  })

async function external(url: string, settings: Settings, env: Env): Promise<Finding[]> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    application_name: 'larder doctor',
  })
  // The query below rejects as well.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{
      version: string
      canCreateRoles: boolean
      appRoleExists: boolean
      appBypassesRls: boolean
      isReadOnly: boolean
      nameOrder: string | null
    }>(`
      select current_setting('server_version') as version,
        (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as "canCreateRoles",
        exists (select from pg_roles where rolname = 'larder_app') as "appRoleExists",
        exists (select from pg_roles where rolname = 'larder_app' and (rolsuper or rolbypassrls)) as "appBypassesRls",
        pg_is_in_recovery() or current_setting('transaction_read_only')::bool as "isReadOnly",
        ${NAME_ORDER} as "nameOrder"`)
    if (rows[0]?.isReadOnly) return [readOnly(url)]
    const findings = rows.flatMap(row => [
      { state: 'ok' as const, what: `${withoutPassword(url)} accepts connections: PostgreSQL ${row.version}` },
      ...roles(row, settings),
      ...nameOrder(row.nameOrder),
    ])
    return [...findings, await notifications(settings.databaseDirectUrl ?? url, settings, env)]
  } catch (error) {
    return [{ state: 'fail', what: `${withoutPassword(url)} is unreachable`, fix: explain(error, env) }]
  } finally {
    await client.end()
  }
}

/** The versions of ICU, if the server orders names with another one than the indexes. */
const NAME_ORDER = `(select collversion || ' → ' || pg_collation_actual_version(oid) from pg_collation
  where collname = 'larder_names' and collversion is distinct from pg_collation_actual_version(oid) limit 1)`

const nameOrder = (versions: string | null): Finding[] =>
  versions === null
    ? []
    : [
        {
          state: 'warn',
          what: `the server has another version of ICU (${versions}), which may order names otherwise than the indexes`,
          fix: 'Run larder recipe apply: it rebuilds the indexes, and lists can be used meanwhile.',
        },
      ]

const readOnly = (url: string): Finding => ({
  state: 'fail',
  what: `${withoutPassword(url)} is read-only: it is a standby, or \`default_transaction_read_only\` is on`,
  fix: 'Set DATABASE_URL to an address that leads to the primary.',
})

/** A pooler in transaction mode loses notifications. */
async function notifications(url: string, settings: Settings, env: Env): Promise<Finding> {
  const connection = connectionWith(settings, await loadSecrets(settings))
  try {
    await connection.open()
    await connection.db.checkNotifications()
    return { state: 'ok', what: `${withoutPassword(url)} delivers notifications` }
  } catch (error) {
    return { state: 'fail', what: `${withoutPassword(url)} does not deliver notifications`, fix: explain(error, env) }
  } finally {
    await connection.close()
  }
}

/** `larder_app` isolates tenants, so it must not bypass row level security. */
function roles(
  row: { canCreateRoles: boolean; appRoleExists: boolean; appBypassesRls: boolean },
  settings: Settings,
): Finding[] {
  if (row.appBypassesRls)
    return [
      {
        state: 'fail',
        what: 'the role larder_app bypasses row level security',
        fix: 'As a superuser: alter role larder_app nosuperuser nobypassrls',
      },
    ]
  if (row.appRoleExists)
    return [{ state: 'ok', what: 'the role larder_app exists and is subject to row level security' }]
  if (row.canCreateRoles) return [{ state: 'ok', what: 'larder migrate creates the role larder_app' }]
  return settings.databaseAppUrl
    ? [{ state: 'ok', what: 'DATABASE_APP_URL names the role that requests use' }]
    : [
        {
          state: 'fail',
          what: 'the user of DATABASE_URL is not allowed to create the role larder_app',
          fix: 'Run larder migrate: it prints the SQL for an administrator; then set DATABASE_APP_URL.',
        },
      ]
}
