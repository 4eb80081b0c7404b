/** Metrics of events and their deliveries, over all tenants and processes. */
import { type Deps, isSuspendedSql, type Registrations } from '@larder-dev/larder/kernel'

type MetricSources = Registrations['metrics']

export function metrics({ systemDatabase, clock }: Deps<'systemDatabase' | 'clock'>): MetricSources {
  const query = async <Row>(sql: string) =>
    (await systemDatabase.acrossTenants('waiting events of every tenant are counted').query<Row>(sql)).rows
  const waiting = 'larder_events where dispatched_at is null'
  return [
    {
      name: 'larder_events_pending',
      help: 'Events that no worker has handled yet. Every process reports the total of all processes',
      type: 'gauge',
      async read() {
        const [row] = await query<{ count: number }>(`select count(*)::int as count from ${waiting}`)
        return [{ labels: {}, value: row?.count ?? 0 }]
      },
    },
    {
      name: 'larder_events_oldest_seconds',
      help: 'Age of the oldest event that no worker has handled yet, without those of suspended workspaces; 0 without one',
      type: 'gauge',
      async read() {
        const [row] = await query<{ oldest: Date | null }>(
          `select min(occurred_at) as oldest from ${waiting} and not ${isSuspendedSql('larder_events.tenant_id')}`,
        )
        const age = row?.oldest ? clock.now() - row.oldest.getTime() : 0
        return [{ labels: {}, value: Math.max(0, age / 1000) }]
      },
    },
    {
      name: 'larder_deliveries',
      help: 'Deliveries of events that failed: pending ones are retried, dead ones are dead letters',
      type: 'gauge',
      async read() {
        const [row] = await query<{ pending: number; dead: number }>(
          `select (select count(*) from larder_deliveries where state = 'pending')::int as pending,
             (select count(*) from larder_deliveries where state = 'dead')::int as dead`,
        )
        const { pending = 0, dead = 0 } = row ?? {}
        return [
          { labels: { state: 'pending' }, value: pending },
          { labels: { state: 'dead' }, value: dead },
        ]
      },
    },
  ]
}
