import type { Deps } from 'larder/kernel'
import { OWNER } from '../domain/fixed-roles.ts'
import type { People, TenantPerson } from '../ports.ts'

const SELECT_PERSON = `select u.id as "userId", u.name, u.email, u.locale from identity_members m
  join identity_users u on u.id = m.user_id`

export function createPeople({ systemDatabase }: Deps<'systemDatabase'>): People {
  const acrossTenants = () =>
    systemDatabase.acrossTenants("members' profiles are read; row level security hides their locale from tenants")
  return {
    async owners(tenantId) {
      const { rows } = await acrossTenants().query<TenantPerson>(
        `${SELECT_PERSON} where m.tenant_id = $1 and $2 = any (m.roles)`,
        [tenantId, OWNER],
      )
      return rows
    },
    async members(tenantId, userIds) {
      if (userIds.length === 0) return []
      const { rows } = await acrossTenants().query<TenantPerson>(
        `${SELECT_PERSON} where m.tenant_id = $1 and m.user_id = any ($2)`,
        [tenantId, userIds],
      )
      return rows
    },
    async memberIds(tenantId, ids) {
      if (ids.length === 0) return []
      const { rows } = await acrossTenants().query<{ id: string }>(
        'select m.id from identity_members m where m.tenant_id = $1 and m.id = any ($2)',
        [tenantId, ids],
      )
      return rows.map(({ id }) => id)
    },
    async withConfirmedEmail(tenantId, emails) {
      if (emails.length === 0) return []
      const { rows } = await acrossTenants().query<TenantPerson>(
        `${SELECT_PERSON} where m.tenant_id = $1 and u.email_key = any ($2) and u.email_verified_at is not null`,
        [tenantId, emails],
      )
      return rows
    },
    async find(tenantId, { words, limit }) {
      const { rows } = await acrossTenants().query<TenantPerson>(
        `${SELECT_PERSON} where m.tenant_id = $1
             and ($2 = '' or strpos(lower(coalesce(u.name, '') || ' ' || u.email), lower($2)) > 0)
           order by lower(coalesce(u.name, u.email)), u.id limit $3`,
        [tenantId, words, limit],
      )
      return rows
    },
  }
}
