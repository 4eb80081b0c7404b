/** Charts of the console: emails of each day, and those that failed or bounced. */
import type { Deps, Registrations } from '@larder-dev/larder/kernel'

type Statistic = Registrations['statistics'][number]

export const statistics = ({
  database,
  systemDatabase,
}: Deps<'database' | 'systemDatabase'>): Registrations['statistics'] => {
  const countWhere =
    (condition: string): Statistic['read'] =>
    async ({ tenantId, since, idBefore }) => {
      const unit =
        tenantId === null
          ? systemDatabase.acrossTenants('emails of every tenant are counted')
          : database.tenant(tenantId)
      const { rows } = await unit.query<{ at: Date; value: number }>(
        `select date_trunc('day', created_at at time zone 'UTC') at time zone 'UTC' as at, count(*)::int as value from comms_messages
         where id > $1 and created_at >= $2 and ${condition} group by 1`,
        [idBefore('msg'), since.toISOString()],
      )
      return rows
    }
  return [
    {
      name: 'emails',
      title: { en: 'Emails', de: 'E-Mails' },
      unit: 'count',
      step: 'day',
      scopes: ['tenant', 'installation'],
      read: countWhere(`status <> 'suppressed'`),
    },
    {
      name: 'failed-emails',
      title: { en: 'Failed emails', de: 'Fehlgeschlagene E-Mails' },
      unit: 'count',
      step: 'day',
      scopes: ['tenant', 'installation'],
      read: countWhere(`status in ('failed', 'bounced', 'complained')`),
    },
  ]
}
