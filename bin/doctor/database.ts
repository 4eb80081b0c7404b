import { packageVersion } from '../../kernel/base/index.ts'
import type { Settings } from '../../kernel/index.ts'
import { loadSecrets } from '../../kernel/runtime/index.ts'
import {
  createConnection,
  currentRoles,
  isShared,
  otherDatabases,
  type RoleQuery,
  withoutPassword,
} from '../../services/postgres/connection.ts'
import { explain } from '../failure.ts'
import { toolLog } from '../log.ts'
import { withClient } from './client.ts'
import { databaseClock, processes, replication, serverVersion } from './cluster.ts'
import type { Finding } from './finding.ts'

type Env = Readonly<Record<string, string | undefined>>

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
      return await connection.db.withOwner(async client => {
        const query: RoleQuery = (sql, values) => client.query(sql, values)
        const { rows } = await client.query<{ versions: string | null }>(`select ${NAME_ORDER} as versions`)
        return [
          { state: 'ok', what: `${connection.place} accepts connections` },
          ...(await backups(query)),
          ...nameOrder(rows[0]?.versions ?? null),
          ...(await processes(connection.db.appUrl)),
        ]
      })
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
  try {
    return await withClient(url, async client => {
      const query: RoleQuery = (sql, values) => client.query(sql, values)
      const names = await currentRoles(query)
      const { rows } = await client.query<
        RoleFacts & { version: string; isReadOnly: boolean; nameOrder: string | null }
      >(
        `
      select current_setting('server_version') as version,
        (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as "canCreateRoles",
        exists (select from pg_roles where rolname = $1) as "appRoleExists",
        exists (select from pg_roles where rolname = $1 and (rolsuper or rolbypassrls)) as "appBypassesRls",
        pg_is_in_recovery() or current_setting('transaction_read_only')::bool as "isReadOnly",
        ${NAME_ORDER} as "nameOrder",
        exists (select from pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a
          where d.datname = current_database() and a.grantee = 0 and a.privilege_type = 'CONNECT') as "isOpen"`,
        [names.app],
      )
      if (rows[0]?.isReadOnly) return [readOnly(url)]
      const others = await otherDatabases(query, names)
      const findings = [
        ...(await backups(query)),
        ...(await replication(query)),
        ...(await databaseClock(query)),
        ...rows.flatMap(row => [
          { state: 'ok' as const, what: `${withoutPassword(url)} accepts connections` },
          serverVersion(row.version),
          ...judgeRoles(names.app, row, settings),
          ...judgeSharing(names, row, others),
          ...nameOrder(row.nameOrder),
        ]),
      ]
      return [...findings, ...(await asProcess(settings.databaseDirectUrl ?? url, settings, env))]
    })
  } catch (error) {
    return [{ state: 'fail', what: `${withoutPassword(url)} is unreachable`, fix: explain(error, env) }]
  }
}

export const BACKUP_AGE_DAYS = 7

/** The age of the last backup of `larder backup`, and whether a restored installation is held. */
async function backups(query: RoleQuery): Promise<Finding[]> {
  const { rows: known } = await query(
    `select from pg_attribute where attrelid = to_regclass('larder_installation') and attname = 'held_since'`,
  )
  if (known.length === 0) return []
  const { rows } = await query(
    `select backed_up_at as at, extract(day from now() - backed_up_at)::int as days, held_since is not null as held
     from larder_installation`,
  )
  return rows.flatMap(({ at, days, held }): Finding[] => [
    at instanceof Date
      ? judgeBackup(at, Number(days))
      : { state: 'skip', what: 'larder backup has not backed up this database: another tool may' },
    ...(held
      ? [
          {
            state: 'warn' as const,
            what: 'the installation was restored: mail, webhooks and automations wait',
            fix: 'If it takes the place of its original, run larder resume. A copy stays as it is.',
          },
        ]
      : []),
  ])
}

export const judgeBackup = (at: Date, days: number): Finding => {
  const what = `the last backup is of ${at.toISOString()}`
  return days < BACKUP_AGE_DAYS
    ? { state: 'ok', what }
    : { state: 'warn', what, fix: 'Run larder backup on a schedule: see docs/operations.md.' }
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

/** Connects as a process does. A pooler in transaction mode loses notifications. */
async function asProcess(url: string, settings: Settings, env: Env): Promise<Finding[]> {
  const connection = connectionWith(settings, await loadSecrets(settings))
  try {
    await connection.open()
    await connection.db.checkNotifications()
    return [
      { state: 'ok', what: `${withoutPassword(url)} delivers notifications` },
      ...(await processes(connection.db.appUrl).catch(() => [])),
    ]
  } catch (error) {
    return [{ state: 'fail', what: `${withoutPassword(url)} does not deliver notifications`, fix: explain(error, env) }]
  } finally {
    await connection.close()
  }
}

export interface RoleFacts {
  readonly canCreateRoles: boolean
  readonly appRoleExists: boolean
  readonly appBypassesRls: boolean
  /** Every login of the server may connect to the database. */
  readonly isOpen: boolean
}

/** The app role isolates tenants, so it must not bypass row level security. */
export function judgeRoles(app: string, row: RoleFacts, settings: Pick<Settings, 'databaseAppUrl'>): Finding[] {
  if (row.appBypassesRls)
    return [
      {
        state: 'fail',
        what: `the role ${app} bypasses row level security`,
        fix: `As a superuser: alter role ${app} nosuperuser nobypassrls`,
      },
    ]
  if (row.appRoleExists) return [{ state: 'ok', what: `the role ${app} exists and is subject to row level security` }]
  if (row.canCreateRoles) return [{ state: 'ok', what: `larder migrate creates the role ${app}` }]
  return settings.databaseAppUrl
    ? [{ state: 'ok', what: 'DATABASE_APP_URL names the role that requests use' }]
    : [
        {
          state: 'fail',
          what: `the user of DATABASE_URL is not allowed to create the role ${app}`,
          fix: 'Run larder migrate: it prints the SQL for an administrator; then set DATABASE_APP_URL.',
        },
      ]
}

/** Roles belong to the whole server, and so does the right of everybody to connect. */
export function judgeSharing(
  names: Parameters<typeof isShared>[0],
  { appRoleExists, isOpen }: RoleFacts,
  others: readonly string[],
): Finding[] {
  const findings: Finding[] = []
  if (others.length > 0)
    findings.push({
      state: 'warn',
      what: `the role ${names.app} also belongs to the database ${others.join(', ')}`,
      fix: isShared(names)
        ? 'Run larder migrate as an owner that may create roles: it gives this database roles of its own.'
        : 'A copy gets roles of its own with another LARDER_SECRET: set it, run larder secret rotate and larder migrate.',
    })
  if (appRoleExists && isOpen)
    findings.push({
      state: 'warn',
      what: 'every login of the server may connect to the database',
      fix: 'As the owner of the database, grant connect to the logins that need it, and revoke it from public.',
    })
  return findings
}
