/** The operator's view of the users and tenants of the installation. */
import {
  common,
  type Deps,
  decodeCursor,
  foldedContaining,
  type PageOf,
  pageLimit,
  together,
  toPage,
} from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { isoOrNull } from '../domain/time.ts'
import { type StoredUser, userTable } from '../users/records/account.ts'
import { toUser } from '../users/users.ts'
import type { Memberships } from '../workspaces/members/memberships.ts'
import { type StoredTenant, tenantTable } from '../workspaces/records.ts'
import { requireTenant, withPlans } from '../workspaces/tenant-record.ts'
import type { TenantSummary, UserDetails, UserSummary } from './records/admin.ts'

interface PageQuery {
  readonly limit?: number
  readonly cursor?: string
  /** Part of a name, an email address or a slug. */
  readonly q?: string
}
export interface Directory {
  /** Newest first. */
  users(query: PageQuery & { readonly email?: string }): Promise<PageOf<UserSummary>>
  /** Throws `not_found`. */
  user(
    userId: string,
  ): Promise<Omit<UserDetails, 'profile' | 'isCustomer' | 'isStaff' | 'impersonable' | 'impersonationEnabled'>>
  /** Newest first. */
  tenants(query: PageQuery): Promise<PageOf<TenantSummary>>
  /** Throws `not_found`. */
  tenant(tenantId: string): Promise<TenantSummary>
  /** Those that exist, in no particular order. */
  tenantsById(ids: readonly string[]): Promise<TenantSummary[]>
}

interface Activity {
  readonly tenants: number
  readonly last_sign_in_at: Date | null
}
interface TenantDetails {
  readonly members: number
  readonly suspended_at: Date | null
  readonly suspensionReason: string | null
}
/** A column, of the user `u`. */
export const LAST_SIGN_IN = `(select max(l.created_at) from identity_logins l
  where l.user_id = u.id and l.impersonator_id is null) as last_sign_in_at`
const SELECT_USER = `select ${userTable.columns('u')},
    (select count(*) from identity_members m where m.user_id = u.id)::int as tenants,
    ${LAST_SIGN_IN}
  from identity_users u`
const SELECT_TENANT = `select ${tenantTable.columns('t')},
    (select count(*) from identity_members m where m.tenant_id = t.tenant_id)::int as members,
    s.suspended_at, s.reason as "suspensionReason"
  from identity_tenants t left join larder_suspended_tenants s on s.id = t.tenant_id`

type Needs = Deps<'systemDatabase', 'entitlements'> & {
  readonly memberships: Memberships
}

export function createDirectory({ systemDatabase, entitlements, memberships }: Needs): Directory {
  const all = () => systemDatabase.acrossTenants('an operator lists the users and tenants of the installation')
  async function tenantsById(ids: readonly string[]): Promise<TenantSummary[]> {
    const rows = await tenantTable.query<TenantDetails>(all(), `${SELECT_TENANT} where t.tenant_id = any ($1)`, [ids])
    return withPlans({ entitlements }, rows.map(toSummary))
  }

  return {
    async users(query) {
      const limit = pageLimit(query)
      const [before = null] = decodeCursor(query.cursor, 1) ?? []
      const rows = await userTable.query<Activity>(
        all(),
        `${SELECT_USER} where ($1::text is null or u.id < $1) and ($2::text is null or u.email_key = $2)
           and ($3::text is null or larder_folded(u.email) like $3 or larder_folded(u.name) like $3)
         order by u.id desc limit $4`,
        [before, query.email === undefined ? null : emailKey(query.email), patternOf(query.q), limit + 1],
      )
      const { data, nextCursor } = toPage(rows, limit, ({ id }) => [id])
      return { data: data.map(toListedUser), nextCursor }
    },
    async user(userId) {
      const {
        found: [user],
        memberOf,
        apps,
        suspended: {
          rows: [suspension],
        },
      } = await together({
        found: userTable.query<Activity>(all(), `${SELECT_USER} where u.id = $1`, [userId]),
        memberOf: memberships.ofUser(userId),
        apps: all().query('select from identity_totp where user_id = $1', [userId]),
        suspended: all().query<{ suspended_at: Date; suspension_reason: string }>(
          'select suspended_at, suspension_reason from identity_members where user_id = $1 and suspended_at is not null',
          [userId],
        ),
      })
      if (!user) throw common.not_found({ what: 'user' })
      return {
        ...toListedUser(user),
        memberships: memberOf,
        secondFactor: apps.rowCount > 0,
        suspendedAt: isoOrNull(suspension?.suspended_at ?? null),
        suspensionReason: suspension?.suspension_reason ?? null,
      }
    },
    async tenants(query) {
      const limit = pageLimit(query)
      const [before = null] = decodeCursor(query.cursor, 1) ?? []
      const rows = await tenantTable.query<TenantDetails>(
        all(),
        `${SELECT_TENANT} where ($1::text is null or t.tenant_id < $1)
           and ($2::text is null or larder_folded(t.name) like $2 or t.slug like $2)
         order by t.tenant_id desc limit $3`,
        [before, patternOf(query.q), limit + 1],
      )
      const { data, nextCursor } = toPage(rows, limit, ({ id }) => [id])
      return { data: await withPlans({ entitlements }, data.map(toSummary)), nextCursor }
    },
    tenant: async tenantId => requireTenant((await tenantsById([tenantId]))[0]),
    tenantsById,
  }
}

const toSummary = ({ suspended_at: suspendedAt, ...tenant }: StoredTenant & TenantDetails) => ({
  ...tenant,
  suspendedAt: isoOrNull(suspendedAt),
})

const patternOf = (words: string | undefined): string | null => (words ? foldedContaining(words) : null)

const toListedUser = ({ last_sign_in_at: lastSignInAt, ...user }: StoredUser & Activity): UserSummary => ({
  ...toUser(user),
  tenants: user.tenants,
  lastSignInAt: isoOrNull(lastSignInAt),
})
