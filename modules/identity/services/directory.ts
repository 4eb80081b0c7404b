/** The operator's view of the users and tenants of the installation. */
import { common, type Deps, decodeCursor, type PageOf, pageLimit, toPage } from 'larder/kernel'
import { emailKey } from '../domain/email.ts'
import { iso, isoOrNull } from '../domain/time.ts'
import type { TenantSummary, UserDetails, UserSummary } from '../routes/admin-schemas.ts'
import type { Memberships } from './memberships.ts'
import { type TenantRow, toTenant, withPlan } from './tenant-record.ts'

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
  user(userId: string): Promise<UserDetails>
  /** Newest first. */
  tenants(query: PageQuery): Promise<PageOf<TenantSummary>>
  /** Throws `not_found`. */
  tenant(tenantId: string): Promise<TenantSummary>
}

interface UserRow {
  id: string
  email: string
  name: string | null
  locale: string | null
  time_zone: string | null
  email_verified_at: Date | null
  created_at: Date
  updated_at: Date
  tenants: number
  last_sign_in_at: Date | null
}
const SELECT_USER = `select u.id, u.email, u.name, u.locale, u.time_zone, u.email_verified_at, u.created_at, u.updated_at,
    (select count(*) from identity_members m where m.user_id = u.id)::int as tenants,
    (select max(l.created_at) from identity_logins l where l.user_id = u.id) as last_sign_in_at
  from identity_users u`
const SELECT_TENANT = `select t.tenant_id, t.name, t.slug, t.created_at, t.updated_at,
    (select count(*) from identity_members m where m.tenant_id = t.tenant_id)::int as members
  from identity_tenants t`

export function createDirectory(
  deps: Deps<'systemDatabase', 'entitlements'>,
  { memberships }: { readonly memberships: Memberships },
): Directory {
  const all = () => deps.systemDatabase.acrossTenants('an operator lists the users and tenants of the installation')
  const toSummary = async (row: TenantRow & { members: number }): Promise<TenantSummary> => ({
    ...(await withPlan(deps, toTenant(row))),
    members: row.members,
  })
  return {
    async users(query) {
      const limit = pageLimit(query)
      const [before = null] = decodeCursor(query.cursor, 1) ?? []
      const { rows } = await all().query<UserRow>(
        `${SELECT_USER} where ($1::text is null or u.id < $1) and ($2::text is null or u.email_key = $2)
           and ($3::text is null or u.email ilike $3 or u.name ilike $3)
         order by u.id desc limit $4`,
        [before, query.email === undefined ? null : emailKey(query.email), contains(query.q), limit + 1],
      )
      const { data, nextCursor } = toPage(rows, limit, ({ id }) => [id])
      return { data: data.map(toUser), nextCursor }
    },
    async user(userId) {
      const [{ rows }, memberOf] = await Promise.all([
        all().query<UserRow>(`${SELECT_USER} where u.id = $1`, [userId]),
        memberships.ofUser(userId),
      ])
      if (!rows[0]) throw common.not_found({ what: 'user' })
      return { ...toUser(rows[0]), memberships: memberOf }
    },
    async tenants(query) {
      const limit = pageLimit(query)
      const [before = null] = decodeCursor(query.cursor, 1) ?? []
      const { rows } = await all().query<TenantRow & { members: number }>(
        `${SELECT_TENANT} where ($1::text is null or t.tenant_id < $1)
           and ($2::text is null or t.name ilike $2 or t.slug ilike $2)
         order by t.tenant_id desc limit $3`,
        [before, contains(query.q), limit + 1],
      )
      const { data, nextCursor } = toPage(rows, limit, row => [row.tenant_id])
      return { data: await Promise.all(data.map(toSummary)), nextCursor }
    },
    async tenant(tenantId) {
      const { rows } = await all().query<TenantRow & { members: number }>(`${SELECT_TENANT} where t.tenant_id = $1`, [
        tenantId,
      ])
      if (!rows[0]) throw common.not_found({ what: 'workspace' })
      return toSummary(rows[0])
    },
  }
}

/** A pattern for `ilike`. */
const contains = (words: string | undefined): string | null =>
  words === undefined || words === '' ? null : `%${words.replace(/[\\%_]/g, '\\$&')}%`

const toUser = (row: UserRow): UserSummary => ({
  id: row.id,
  email: row.email,
  name: row.name,
  locale: row.locale,
  timeZone: row.time_zone,
  emailVerified: row.email_verified_at !== null,
  tenants: row.tenants,
  lastSignInAt: isoOrNull(row.last_sign_in_at),
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
})
