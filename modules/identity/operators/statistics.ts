/** Charts of the console: new accounts of the installation, new members of a workspace. */
import type { Deps, Registrations } from '@larder-dev/larder/kernel'

interface Row {
  readonly at: Date
  readonly value: number
}

export const statistics = ({
  database,
  systemDatabase,
}: Deps<'database' | 'systemDatabase'>): Registrations['statistics'] => [
  {
    name: 'sign-ups',
    title: { en: 'Sign-ups', de: 'Registrierungen' },
    unit: 'count',
    step: 'day',
    scopes: ['installation'],
    async read({ since, idBefore }) {
      const { rows } = await systemDatabase
        .acrossTenants('accounts belong to no tenant')
        .query<Row>(countPerDay('identity_users'), [idBefore('usr'), since.toISOString()])
      return rows
    },
  },
  {
    name: 'new-members',
    title: { en: 'New members', de: 'Neue Mitglieder' },
    unit: 'count',
    step: 'day',
    scopes: ['tenant'],
    async read({ tenantId, since, idBefore }) {
      if (tenantId === null) return []
      const values = [idBefore('mem'), since.toISOString()]
      return (await database.tenant(tenantId).query<Row>(countPerDay('identity_members'), values)).rows
    },
  },
]

const countPerDay = (table: 'identity_users' | 'identity_members'): string =>
  `select date_trunc('day', created_at at time zone 'UTC') at time zone 'UTC' as at, count(*)::int as value from ${table}
   where id > $1 and created_at >= $2 group by 1`
