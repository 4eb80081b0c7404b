import type { Deps, RecipeChange } from '@larder-dev/larder/kernel'

/** Lists assigned roles that the recipe, the modules and the tenant no longer define. */
export async function planRoleRemovals({
  systemDatabase,
  access,
}: Deps<'systemDatabase' | 'access'>): Promise<readonly RecipeChange[]> {
  const { rows } = await systemDatabase
    .acrossTenants('members of every tenant who would lose a role are counted')
    .query<{ role: string; members: number; tenants: number }>(
      `select role, count(*)::int as members, count(distinct m.tenant_id)::int as tenants
         from identity_members m cross join unnest(m.roles) as role
        where role <> all ($1)
          and not exists (select 1 from identity_roles r where r.tenant_id = m.tenant_id and r.key = role)
        group by role order by role`,
      [access.roles().map(({ key }) => key)],
    )
  return rows.map(({ role, members, tenants }) => ({
    change: 'remove',
    subject: `assigned role ${role}`,
    breaks: `${members} members in ${tenants} tenants lose the permissions of this role`,
  }))
}
