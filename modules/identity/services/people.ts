/** The port `people`: who the members of a tenant are, for modules that write to them or name them. */
import type { Deps } from '../../../kernel/contract.ts'
import type { People, TenantPerson } from '../ports.ts'

export function createPeople({ database }: Deps<'database'>): People {
  return {
    async members(tenantId, userIds) {
      if (userIds.length === 0) return []
      const { rows } = await database
        .system('a module asks who its people are: their language is no column of the tenant')
        .query<TenantPerson>(
          `select u.id as "userId", u.name, u.email, u.locale from identity_members m
           join identity_users u on u.id = m.user_id where m.tenant_id = $1 and m.user_id = any ($2)`,
          [tenantId, userIds],
        )
      return rows
    },
  }
}
