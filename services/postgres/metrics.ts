/** Metrics of the database, as this process sees it. */
import { type Registrations, SECOND } from '@larder-dev/larder/kernel'
import type { Connection } from './connection.ts'

type MetricSources = Registrations['metrics']

/** A database that doesn't answer in this time is down for the scrape. */
const ANSWER_TIMEOUT_MS = 1.5 * SECOND
const INSTALLATION = `select extract(epoch from backed_up_at)::float8 as backup, held_since is not null as held
  from larder_installation`
/** Logins without the role `pg_read_all_stats` see no position. A standby that has replayed everything has no lag in time. */
const REPLICAS = `select application_name as replica,
    max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::float8 as bytes,
    max(coalesce(extract(epoch from replay_lag), 0))::float8 as seconds
  from pg_stat_replication where replay_lsn is not null group by 1`

interface Replica {
  readonly replica: string
  readonly bytes: number
  readonly seconds: number
}

export function metrics({ connection }: { readonly connection: Connection }): MetricSources {
  const query = async <Row>(text: string) =>
    (await connection.db.systemDatabase.acrossTenants('the state of the database is measured').query<Row>(text)).rows
  const ofReplicas = async (value: (replica: Replica) => number) =>
    (await query<Replica>(REPLICAS)).map(each => ({ labels: { replica: each.replica }, value: value(each) }))
  return [
    // First, so that the reads of the scrape itself don't count.
    {
      name: 'larder_database_connections',
      help: 'Connections of this process to PostgreSQL, and units of work that wait for one',
      type: 'gauge',
      perProcess: true,
      read: async () =>
        Object.entries(connection.db.connectionCounts()).map(([state, value]) => ({ labels: { state }, value })),
    },
    {
      name: 'larder_database_up',
      help: `Whether this process gets an answer of the database that accepts writes within ${ANSWER_TIMEOUT_MS / SECOND} s`,
      type: 'gauge',
      perProcess: true,
      read: async () => [{ labels: {}, value: (await answers(connection)) ? 1 : 0 }],
    },
    {
      name: 'larder_database_replica_lag_bytes',
      help: 'Write-ahead log that a standby has not replayed. Needs the role pg_read_all_stats',
      type: 'gauge',
      read: () => ofReplicas(({ bytes }) => bytes),
    },
    {
      name: 'larder_database_replica_lag_seconds',
      help: 'Time from a commit to its replay on a standby. Needs the role pg_read_all_stats',
      type: 'gauge',
      read: () => ofReplicas(({ seconds }) => seconds),
    },
    {
      name: 'larder_backup_timestamp_seconds',
      help: 'Time of the last backup by larder backup, in seconds since 1970; absent without one',
      type: 'gauge',
      async read() {
        const [row] = await query<{ backup: number | null }>(INSTALLATION)
        return row?.backup == null ? [] : [{ labels: {}, value: row.backup }]
      },
    },
    {
      name: 'larder_installation_held',
      help: 'Whether a restored installation sends nothing, until larder resume',
      type: 'gauge',
      async read() {
        const [row] = await query<{ held: boolean }>(INSTALLATION)
        return [{ labels: {}, value: row?.held ? 1 : 0 }]
      },
    },
  ]
}

async function answers(connection: Connection): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>(resolve => {
    timer = setTimeout(() => resolve(false), ANSWER_TIMEOUT_MS)
  })
  const answer = connection.db.ready().then(
    () => true,
    () => false,
  )
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
