/** Metrics of webhooks, over all tenants and processes. */
import { type Deps, isSuspendedSql, type Registrations } from '@larder-dev/larder/kernel'

export const queueMetrics = ({ systemDatabase, clock }: Deps<'systemDatabase' | 'clock'>): Registrations['metrics'] => {
  const query = async <Row>(sql: string) =>
    (await systemDatabase.acrossTenants('waiting webhooks of every tenant are counted').query<Row>(sql)).rows
  return [
    {
      name: 'larder_webhooks_pending',
      help: 'Webhooks that wait for their first or next attempt. Every process reports the total of all processes',
      type: 'gauge',
      async read() {
        const [row] = await query<{ count: number }>(
          `select count(*)::int as count from webhooks_deliveries where status = 'pending'`,
        )
        return [{ labels: {}, value: row?.count ?? 0 }]
      },
    },
    {
      name: 'larder_webhooks_oldest_seconds',
      help: 'Age of the oldest pending webhook, without those of suspended workspaces; 0 without one',
      type: 'gauge',
      async read() {
        const [row] = await query<{ oldest: Date | null }>(
          `select min(created_at) as oldest from webhooks_deliveries
           where status = 'pending' and not ${isSuspendedSql('webhooks_deliveries.tenant_id')}`,
        )
        return [{ labels: {}, value: row?.oldest ? Math.max(0, clock.now() - row.oldest.getTime()) / 1000 : 0 }]
      },
    },
    {
      name: 'larder_webhooks_overdue_seconds',
      help: 'How long the webhook that is due since the earliest time has waited for an attempt; 0 without one',
      type: 'gauge',
      async read() {
        const [row] = await query<{ due: Date | null }>(
          `select min(next_attempt_at) as due from webhooks_deliveries
           where status = 'pending' and not ${isSuspendedSql('webhooks_deliveries.tenant_id')}`,
        )
        return [{ labels: {}, value: row?.due ? Math.max(0, clock.now() - row.due.getTime()) / 1000 : 0 }]
      },
    },
    {
      name: 'larder_webhook_endpoints',
      help: 'Webhook endpoints by status; paused ones failed for days or were paused by hand',
      type: 'gauge',
      async read() {
        const rows = await query<{ status: string; count: number }>(
          'select status, count(*)::int as count from webhooks_endpoints group by status',
        )
        const counts = new Map(rows.map(({ status, count }) => [status, count]))
        return ['active', 'paused'].map(status => ({ labels: { status }, value: counts.get(status) ?? 0 }))
      },
    },
  ]
}
