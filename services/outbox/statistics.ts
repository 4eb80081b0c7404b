/** Charts of the console: logins that caused events, and deliveries and jobs that failed permanently. */
import type { Deps, Registrations, Unit } from '@larder-dev/larder/kernel'

type Statistic = Registrations['statistics'][number]
type Range = Parameters<Statistic['read']>[0]

interface Row {
  readonly at: Date
  readonly value: number
}

export const statistics = ({
  database,
  systemDatabase,
}: Deps<'database' | 'systemDatabase'>): Registrations['statistics'] => [
  {
    name: 'active-logins',
    title: { en: 'Active logins', de: 'Angemeldete Geräte' },
    unit: 'count',
    step: 'day',
    summary: 'latest',
    scopes: ['tenant', 'installation'],
    async read({ tenantId, since, idBefore }) {
      const unit: Pick<Unit, 'query'> =
        tenantId === null
          ? systemDatabase.acrossTenants('active logins of every tenant are counted')
          : database.tenant(tenantId)
      const { rows } = await unit.query<Row>(
        `select date_trunc('day', occurred_at at time zone 'UTC') at time zone 'UTC' as at, count(distinct actor ->> 'id')::int as value
         from larder_events where id > $1 and occurred_at >= $2 and actor ->> 'kind' = 'login' group by 1`,
        [idBefore('evt'), since.toISOString()],
      )
      return rows
    },
  },
  {
    name: 'failures',
    title: { en: 'Failed events and jobs', de: 'Fehlgeschlagene Ereignisse und Jobs' },
    unit: 'count',
    step: 'day',
    scopes: ['tenant', 'installation'],
    read: range => countFailures(systemDatabase, range),
  },
]

/** Deliveries have no time of their failure: they count on the day of their event. */
async function countFailures(
  systemDatabase: Deps<'systemDatabase'>['systemDatabase'],
  { tenantId, since }: Range,
): Promise<readonly Row[]> {
  const { rows } = await systemDatabase
    .acrossTenants('failed deliveries and jobs are counted, which are in no table of a tenant')
    .query<Row>(
      `select date_trunc('day', failed.at at time zone 'UTC') at time zone 'UTC' as at, count(*)::int as value from (
         select e.occurred_at as at, d.tenant_id from larder_deliveries d join larder_events e on e.id = d.event_id
         where d.state = 'dead'
         union all select finished_at, tenant_id from larder_jobs where state = 'dead') failed
       where failed.at >= $1 and ($2::text is null or failed.tenant_id = $2) group by 1`,
      [since.toISOString(), tenantId],
    )
  return rows
}
