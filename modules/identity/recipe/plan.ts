import type { Deps, RecipeChange } from 'larder/kernel'
import { FIXED_ROLES } from '../domain/fixed-roles.ts'

/** Who holds a role that neither the recipe, nor a module, nor their tenant has any more. */
export async function plan({ database, access }: Deps<'database' | 'access'>): Promise<readonly RecipeChange[]> {
  const { rows } = await database.system('whom a role that goes would hurt, in every tenant').query<{
    role: string
    members: number
    tenants: number
  }>(
    `select role, count(*)::int as members, count(distinct m.tenant_id)::int as tenants
       from identity_members m cross join unnest(m.roles) as role
      where role <> all ($1)
        and not exists (select 1 from identity_roles r where r.tenant_id = m.tenant_id and r.key = role)
      group by role order by role`,
    [[...FIXED_ROLES, ...access.roles()].map(({ key }) => key)],
  )
  return rows.map(({ role, members, tenants }) => ({
    change: 'remove',
    subject: `role ${role}, where it is held`,
    breaks: `members that hold it and then may nothing by it: ${members}, in tenants: ${tenants}`,
  }))
}
