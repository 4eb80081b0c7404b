/** The database as part of a cluster: pooler, standbys, clock, and processes that use it. */
import { formatSize, MIB, packageVersion, SECOND } from '../../kernel/base/index.ts'
import type { Settings } from '../../kernel/index.ts'
import { withClient } from './client.ts'
import { judgeClock } from './clock.ts'
import { type Finding, reason } from './finding.ts'

type Query = (sql: string) => Promise<{ rows: Record<string, unknown>[] }>

const OLDEST = 15
/** The latest that the tests run with. */
const LATEST = 18

export function serverVersion(version: string): Finding {
  const major = Number.parseInt(version, 10)
  const what = `PostgreSQL ${version}`
  if (major < OLDEST)
    return { state: 'fail', what, fix: `Larder needs PostgreSQL ${OLDEST} to ${LATEST}: upgrade the server.` }
  if (major > LATEST)
    return {
      state: 'warn',
      what: `${what} is later than those that Larder is tested with`,
      fix: `Use PostgreSQL ${LATEST}, or a later version of Larder.`,
    }
  return { state: 'ok', what }
}

export async function databaseClock(query: Query): Promise<Finding[]> {
  const asked = Date.now()
  const { rows } = await query('select extract(epoch from clock_timestamp())::float8 as now')
  return [judgeClock('the database', Number(rows[0]?.now) * SECOND - (asked + Date.now()) / 2)]
}

/** Processes name their version: `larder web 0.1.0`. A login sees the names of its own connections only. */
export async function processes(appUrl: string): Promise<Finding[]> {
  return withClient(appUrl, async client => {
    const { rows } = await client.query<{ name: string; connections: number }>(
      `select application_name as name, count(*)::int as connections from pg_stat_activity
       where datname = current_database() and usename = current_user and application_name ~ '^larder (all|web|worker) '
       group by 1 order by 1`,
    )
    return judgeProcesses(rows)
  })
}

export function judgeProcesses(rows: readonly { readonly name: string; readonly connections: number }[]): Finding[] {
  const versions = [...new Set(rows.map(({ name }) => name.split(' ')[2] ?? ''))].sort()
  if (versions.length === 0) return [{ state: 'skip', what: 'no process of Larder is connected to the database' }]
  const list = rows.map(({ name, connections }) => `${name} (${connections})`).join(', ')
  const what = `processes with connections to the database: ${list}`
  if (versions.length > 1)
    return [
      { state: 'warn', what, fix: 'Several releases run side by side. Replace the processes of the earlier one.' },
    ]
  if (versions[0] !== packageVersion)
    return [
      {
        state: 'warn',
        what,
        fix: `This command is of Larder ${packageVersion}. Run that of the processes, or replace them.`,
      },
    ]
  return [{ state: 'ok', what }]
}

export interface Standby {
  readonly name: string
  /** Null without the right to see it. */
  readonly state: string | null
  readonly syncState: string | null
  readonly lagBytes: number | null
  readonly lagSeconds: number
}

const MAX_LAG_SECONDS = 30
const MAX_LAG_BYTES = 256 * MIB

export async function replication(query: Query): Promise<Finding[]> {
  const { rows } = await query(
    `select coalesce(application_name, '') as name, state, sync_state as "syncState",
       pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8 as "lagBytes",
       coalesce(extract(epoch from replay_lag), 0)::float8 as "lagSeconds" from pg_stat_replication`,
  )
  const { rows: settings } = await query(`select current_setting('synchronous_standby_names') as names`)
  return judgeReplication(rows as unknown as Standby[], String(settings[0]?.names ?? ''))
}

export function judgeReplication(standbys: readonly Standby[], synchronousNames: string): Finding[] {
  if (
    synchronousNames !== '' &&
    !standbys.some(({ syncState }) => syncState === null || (/sync|quorum/.test(syncState) && syncState !== 'async'))
  )
    return [
      {
        state: 'fail',
        what: `commits wait for a standby (synchronous_standby_names = ${synchronousNames}), and none is connected`,
        fix: 'Start the standby, or let Patroni decide (synchronous_mode).',
      },
    ]
  if (standbys.length === 0) return [{ state: 'skip', what: 'no standby is connected to the database' }]
  if (standbys.every(({ lagBytes }) => lagBytes === null))
    return [
      {
        state: 'skip',
        what: `${standbys.length} standbys are connected, and this login may not see their position`,
        fix: 'As a superuser, grant pg_read_all_stats to the login of DATABASE_URL: see docs/operations.md#replication.',
      },
    ]
  return standbys.map(({ name, state, syncState, lagBytes, lagSeconds }): Finding => {
    const what = `the standby ${name} (${syncState}) is ${lagSeconds.toFixed(0)} s and ${formatSize(lagBytes ?? 0)} behind`
    if (state !== 'streaming')
      return {
        state: 'warn',
        what: `${what}, and its state is ${state ?? 'unknown'}`,
        fix: 'Read the log of the standby.',
      }
    return lagSeconds > MAX_LAG_SECONDS || (lagBytes ?? 0) > MAX_LAG_BYTES
      ? { state: 'warn', what, fix: 'Examine the disk and the network of the standby, and long queries on it.' }
      : { state: 'ok', what }
  })
}

type Sharing = 'own' | 'transaction' | 'statement'

/** Whether DATABASE_URL leads to a pooler, and DATABASE_DIRECT_URL past it where that is needed. */
export async function pooler({ databaseUrl, databaseDirectUrl }: Settings): Promise<Finding[]> {
  if (databaseUrl === undefined) return [{ state: 'skip', what: 'the embedded database has no pooler' }]
  const sharing = await sharingOf(databaseUrl)
  const direct = databaseDirectUrl === undefined ? undefined : await sharingOf(databaseDirectUrl)
  return [judgePooler(sharing, direct)]
}

export function judgePooler(sharing: Sharing, direct: Sharing | undefined): Finding {
  if (sharing === 'statement')
    return {
      state: 'fail',
      what: 'DATABASE_URL leads to a pooler in statement mode, which has no transactions',
      fix: 'Set pool_mode = transaction, as in deploy/pgbouncer/pgbouncer.ini.',
    }
  if (direct !== undefined && direct !== 'own')
    return {
      state: 'fail',
      what: `DATABASE_DIRECT_URL leads to a pooler in ${direct} mode: notifications, locks and migrations fail there`,
      fix: 'Let it lead to PostgreSQL, or to the proxy in front of it.',
    }
  if (sharing === 'own')
    return {
      state: 'ok',
      what: 'DATABASE_URL leads to a connection of its own: to the server, or a pooler in session mode',
    }
  return direct === undefined
    ? {
        state: 'fail',
        what: 'DATABASE_URL leads to a pooler in transaction mode, and DATABASE_DIRECT_URL is not set',
        fix: 'Set DATABASE_DIRECT_URL to PostgreSQL, or to the proxy in front of it, for notifications, locks and migrations.',
      }
    : { state: 'ok', what: 'DATABASE_URL leads to a pooler in transaction mode, and DATABASE_DIRECT_URL past it' }
}

const TRIES = 5
const PID = 'select pg_backend_pid() as pid'

/** In transaction mode, two open connections take turns with one of the server. */
async function sharingOf(url: string): Promise<Sharing> {
  return withClient(url, first =>
    withClient(url, async second => {
      for (let tries = 0; tries < TRIES; tries++) {
        const before = (await first.query(PID)).rows[0]?.pid
        try {
          await second.query('begin')
          const pid = (await second.query(PID)).rows[0]?.pid
          await second.query('rollback')
          if (pid === before) return 'transaction'
        } catch (error) {
          if (/statement pooling/.test(reason(error))) return 'statement'
          throw error
        }
      }
      return 'own'
    }),
  )
}
