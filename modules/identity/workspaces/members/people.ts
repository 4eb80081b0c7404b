import type { Deps } from '@larder-dev/larder/kernel'
import { anyCovers } from '@larder-dev/larder/kernel/internal'
import { isCustomerSql } from '../../domain/customers.ts'
import { OWNER } from '../../domain/fixed-roles.ts'
import type { IdentitySettings } from '../../options.ts'
import type { People, TenantMember, TenantPerson } from '../../ports.ts'
import type { Profiles } from '../../users/profiles.ts'
import { coveringPatterns } from '../roles/domain/permission-patterns.ts'
import type { RightsService } from '../roles/rights.ts'

const PERSON = 'u.id as "userId", u.name, u.email, u.locale'
const OF_MEMBERS = 'from identity_members m join identity_users u on u.id = m.user_id'
const SELECT_PERSON = `select ${PERSON} ${OF_MEMBERS}`
const SELECT_MEMBER = `select m.id as "memberId", ${PERSON} ${OF_MEMBERS}`
const contains = (words: string) =>
  `strpos(larder_folded(coalesce(u.name, '') || ' ' || u.email), larder_folded(${words})) > 0`
const BY_NAME = 'coalesce(u.name, u.email) collate larder_names, u.id'

type Needs = Deps<'database' | 'systemDatabase'> & {
  readonly rights: RightsService
  readonly profiles: Profiles
  readonly settings: Pick<IdentitySettings, 'customerRole'>
}

export function createPeople({ database, systemDatabase, rights, profiles, settings }: Needs): People {
  const acrossTenants = () =>
    systemDatabase.acrossTenants("members' profiles are read; row level security hides their locale from tenants")

  /** Keys of the built-in roles of a tenant that grant the permission. */
  const rolesWith = (permission: string): string[] =>
    [...rights.builtIn().values()]
      .filter(({ scope, permissions }) => scope === 'tenant' && anyCovers(permissions, permission))
      .map(({ key }) => key)

  /** A condition on the member `m`, and its values, which follow `first - 1` others. */
  function soughtBy(userId: string | undefined, first: number): readonly [string, readonly string[]] {
    const { customerRole } = settings
    if (userId === undefined || customerRole === undefined) return ['', []]
    const [user, role] = [`$${first}`, `$${first + 1}`]
    const isStaff = `exists (select from identity_members s where s.tenant_id = m.tenant_id and s.user_id = ${user}
      and not ${isCustomerSql('s.roles', role)})`
    const condition = ` and (m.user_id = ${user} or not ${isCustomerSql('m.roles', role)} or ${isStaff})`
    return [condition, [userId, customerRole]]
  }

  return {
    profile: profiles.ofUser,
    async owners(tenantId) {
      const { rows } = await acrossTenants().query<TenantPerson>(
        `${SELECT_PERSON} where m.tenant_id = $1 and $2 = any (m.roles)`,
        [tenantId, OWNER],
      )
      return rows
    },
    async members(tenantId, userIds, { by } = {}) {
      if (userIds.length === 0) return []
      const [condition, values] = soughtBy(by, 3)
      const { rows } = await acrossTenants().query<TenantPerson>(
        `${SELECT_PERSON} where m.tenant_id = $1 and m.user_id = any ($2)${condition}`,
        [tenantId, userIds, ...values],
      )
      return rows
    },
    async byMemberIds(tenantId, ids) {
      if (ids.length === 0) return []
      const { rows } = await acrossTenants().query<TenantMember>(
        `${SELECT_MEMBER} where m.tenant_id = $1 and m.id = any ($2)`,
        [tenantId, ids],
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
    async customers(tenantId, memberIds) {
      if (settings.customerRole === undefined || memberIds.length === 0) return []
      const { rows } = await database
        .tenant(tenantId)
        .query<{ id: string }>(
          `select id from identity_members where tenant_id = $1 and id = any ($2) and ${isCustomerSql('roles', '$3')}`,
          [tenantId, memberIds, settings.customerRole],
        )
      return rows.map(({ id }) => id)
    },
    async isSuspended(tenantId, memberId) {
      const { rowCount } = await database
        .tenant(tenantId)
        .query('select from identity_members where tenant_id = $1 and id = $2 and suspended_at is not null', [
          tenantId,
          memberId,
        ])
      return rowCount > 0
    },
    async withConfirmedEmail(tenantId, emails) {
      if (emails.length === 0) return []
      const { rows } = await acrossTenants().query<TenantPerson>(
        `${SELECT_PERSON} where m.tenant_id = $1 and u.email_key = any ($2) and u.email_verified_at is not null`,
        [tenantId, emails],
      )
      return rows
    },
    async withPermission(tenantId, permission, { userId = null, limit }) {
      const { rows } = await acrossTenants().query<TenantPerson>(
        // A role of the recipe overrides a custom role with the same key.
        `${SELECT_PERSON} where m.tenant_id = $1 and ($3::text is null or m.user_id = $3) and (m.roles && $2::text[]
             or exists (select from identity_roles r where r.tenant_id = m.tenant_id and r.key = any (m.roles)
               and r.key <> all ($5::text[]) and r.permissions && $6::text[]))
           order by ${BY_NAME} limit $4`,
        [tenantId, rolesWith(permission), userId, limit, [...rights.builtIn().keys()], coveringPatterns(permission)],
      )
      return rows
    },
    async withRole(tenantId, role, { limit }) {
      const { rows } = await acrossTenants().query<TenantPerson>(
        `${SELECT_PERSON} where m.tenant_id = $1 and $2 = any (m.roles) order by ${BY_NAME} limit $3`,
        [tenantId, role, limit],
      )
      return rows
    },
    async find(tenantId, { words, limit, by }) {
      const [condition, values] = soughtBy(by, 4)
      const { rows } = await acrossTenants().query<TenantPerson>(
        `${SELECT_PERSON} where m.tenant_id = $1
             and ($2 = '' or ${contains('$2')})${condition}
           order by ${BY_NAME} limit $3`,
        [tenantId, words, limit, ...values],
      )
      return rows
    },
    async byUserIds(userIds) {
      if (userIds.length === 0) return []
      const { rows } = await acrossTenants().query<TenantPerson>(
        `select ${PERSON} from identity_users u where u.id = any ($1)`,
        [userIds],
      )
      return rows
    },
    async findEverywhere({ words, limit }) {
      const { rows } = await acrossTenants().query<TenantPerson>(
        `select ${PERSON} from identity_users u where $1 = '' or ${contains('$1')}
           order by ${BY_NAME} limit $2`,
        [words, limit],
        { scans: true },
      )
      return rows
    },
  }
}
