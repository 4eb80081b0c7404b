/** The port `people`: who the members of a tenant are, for modules that write to them or name them. */
import type { Deps } from 'larder/kernel'
import type { People, TenantPerson } from '../ports.ts'

const PEOPLE = `select u.id as "userId", u.name, u.email, u.locale from identity_members m
  join identity_users u on u.id = m.user_id`

export function createPeople({ database }: Deps<'database'>): People {
  const everywhere = () =>
    database.system('a module asks who its people are: their language is no column of the tenant')
  return {
    async members(tenantId, userIds) {
      if (userIds.length === 0) return []
      const { rows } = await everywhere().query<TenantPerson>(
        `${PEOPLE} where m.tenant_id = $1 and m.user_id = any ($2)`,
        [tenantId, userIds],
      )
      return rows
    },
    async find(tenantId, { words, limit }) {
      const { rows } = await everywhere().query<TenantPerson>(
        `${PEOPLE} where m.tenant_id = $1
             and ($2 = '' or strpos(lower(coalesce(u.name, '') || ' ' || u.email), lower($2)) > 0)
           order by lower(coalesce(u.name, u.email)), u.id limit $3`,
        [tenantId, words, limit],
      )
      return rows
    },
  }
}
