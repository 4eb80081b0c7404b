/** Authenticates credentials: the login or API key, its user and the rights in a tenant, in one statement. */
import { type Deps, HOUR, isSuspendedSql, MINUTE, statementTime } from '@larder-dev/larder/kernel'
import type {
  Authentication,
  Authenticator,
  Membership,
  Precondition,
  Principal,
  TenantChoice,
} from '@larder-dev/larder/kernel/internal'
import { REAUTHENTICATION_PATH } from '../domain/return-path.ts'
import { hashSecret, isApiKey, isCookieSecret, isDashboardToken } from '../domain/secrets.ts'
import { SLUG_PATTERN } from '../domain/slug.ts'
import { iso, isoOrNull, timeAt } from '../domain/time.ts'
import type { IdentitySettings } from '../options.ts'
import { apiKeyTable } from '../workspaces/keys/records.ts'
import type { LastWorkspace } from '../workspaces/last-workspace.ts'
import {
  joinMember,
  joinOperator,
  type Rights,
  type RightsRow,
  type RightsService,
  rightsColumns,
} from '../workspaces/roles/rights.ts'
import type { Impersonations } from './impersonation/impersonations.ts'
import { loginTable } from './records/login.ts'

/** Writes are rate limited: a login is extended, and the use of a key recorded, at most this often. */
const EXTEND_INTERVAL = 1 * HOUR
const LAST_USED_INTERVAL = 1 * MINUTE
const MAX_SLUG_LENGTH = 64
const SLUG = new RegExp(SLUG_PATTERN)

interface Row extends Omit<RightsRow, 'tenant_id'> {
  id: string
  user_id: string
  /** The only tenant of an API key and of an impersonation. */
  bound_tenant_id: string | null
  permissions: string[] | null
  expires_at: Date | null
  created_at: Date
  /** When the person at the login last proved who they are. */
  authenticated_at: Date | null
  /** When the login was extended, or the use of the key recorded. */
  refreshed_at: Date | null
  unverified: boolean
  impersonator_id: string | null
  impersonator_roles: string[] | null
  /** Revisions are bigint. */
  revision: string
  tenant_id: string | null
  tenant_revision: string | null
  suspended: boolean
}
/** A table with credentials, as `c`. */
interface Source {
  readonly credentials: string
  /** Join the membership `m` in the tenant of a request that names none. */
  readonly home: string
  readonly last: string
}

/** @param first whose membership comes first */
const joinFirst = (
  first: string,
): string => `left join lateral (select tenant_id, id, roles, suspended_at from identity_members
    where user_id = c.user_id and tenant_id = coalesce(c.bound_tenant_id, tenant_id)
    order by ${first}created_at, id limit 1) m on true`

/** Parameters: the hash of the secret; the time, null for the clock of the database; the operator's tenant as `$3`. */
const login = (column: string): Source => ({
  credentials: `
  (select id, user_id, null::text[] as permissions, expires_at, created_at, extended_at as refreshed_at,
     coalesce(authenticated_at, created_at) as authenticated_at,
     impersonated_tenant_id as bound_tenant_id, impersonator_id,
     (select m.roles from identity_members m
      where m.tenant_id = $3 and m.user_id = l.impersonator_id) as impersonator_roles
   from identity_logins l where ${column} = $1 and expires_at > coalesce($2::timestamptz, now())) c`,
  home: joinFirst(''),
  last: joinFirst('tenant_id is distinct from u.last_tenant_id, '),
})
// A key stops working when it expires or when its creator leaves the tenant.
const apiKey: Source = {
  credentials: `
  (select id, user_id, permissions, expires_at, created_at, last_used_at as refreshed_at,
     null::timestamptz as authenticated_at, tenant_id as bound_tenant_id, null::text as impersonator_id, null::text[] as impersonator_roles
   from identity_api_keys k
   where secret_hash = $1 and (expires_at is null or expires_at > coalesce($2::timestamptz, now()))
     and exists (select from identity_members m where m.tenant_id = k.tenant_id and m.user_id = k.user_id)) c`,
  home: joinMember('c.bound_tenant_id', 'c.user_id'),
  last: joinMember('c.bound_tenant_id', 'c.user_id'),
}

/** `tenant`: the table with the tenant of the request. */
const selectCredential = (credentials: string, tenant: string, joins: string): string => `
  select c.*, u.email_verified_at is null as unverified, v.revision, w.revision as tenant_revision,
    ${isSuspendedSql(`${tenant}.tenant_id`)} as suspended, ${rightsColumns(tenant)}
  from ${credentials}
  join identity_users u on u.id = c.user_id
  join identity_credential_revisions v on v.secret_hash = $1
  ${joins}
  left join identity_tenant_revisions w on w.id = ${tenant}.tenant_id
  ${joinOperator('c.user_id')}`
const named = (column: string): string =>
  `left join identity_tenants t on t.${column} = $4 ${joinMember('t.tenant_id', 'c.user_id')}`

/** By the choice of the tenant. */
const statementsOf = ({ credentials, home, last }: Source) => ({
  home: selectCredential(credentials, 'm', home),
  last: selectCredential(credentials, 'm', last),
  id: selectCredential(credentials, 't', named('tenant_id')),
  slug: selectCredential(credentials, 't', named('slug')),
})
const STATEMENTS = {
  cookie: statementsOf(login('cookie_hash')),
  token: statementsOf(login('token_hash')),
  apiKey: statementsOf(apiKey),
}
type SourceName = keyof typeof STATEMENTS

const unchanged = (tables: string): string => `(exists (select from identity_credential_revisions c${tables}
  and c.secret_hash = $1 and c.revision = $2 and (c.expires_at is null or c.expires_at > coalesce($3::timestamptz, now())))
  or identity_access_changed())`
const CREDENTIAL_UNCHANGED = unchanged(' where true')
const CREDENTIAL_AND_SUSPENSION_UNCHANGED = unchanged(` where ${isSuspendedSql('$4')} = $5`)
const CREDENTIAL_AND_TENANT_UNCHANGED = unchanged(
  `, identity_tenant_revisions t where t.id = $4 and t.revision = $6 and ${isSuspendedSql('$4')} = $5`,
)

type Needs = Deps<'systemDatabase' | 'clock' | 'product' | 'operator', 'mailer'> & {
  readonly impersonations: Pick<Impersonations, 'verify'>
  readonly lastWorkspace: LastWorkspace
  readonly rights: RightsService
  readonly settings: IdentitySettings
}

export function createAuthenticator({
  systemDatabase,
  clock,
  product,
  operator,
  mailer,
  impersonations,
  lastWorkspace,
  rights,
  settings: { loginTtl, loginMaxAge, requireVerifiedEmail },
}: Needs): Authenticator {
  // Without a mailer, users can't verify an address.
  const verification = requireVerifiedEmail ?? (product.production && mailer !== undefined)
  const credentials = () => systemDatabase.acrossTenants('a credential is looked up before its tenant is known')
  /** Null: the clock of the database decides, which is the same for all processes. */
  const now = () => statementTime(clock)

  async function find(source: SourceName, hash: Buffer, tenant: TenantChoice): Promise<Row | undefined> {
    const { home, last, id, slug } = STATEMENTS[source]
    const values = [hash, now(), operator.tenantId]
    const named = namedTenant(tenant) ?? null
    const { rows } = await (tenant === 'home' || tenant === 'last'
      ? credentials().query<Row>(tenant === 'home' ? home : last, values)
      : credentials().query<Row>(named?.includes('_') ? id : slug, [...values, named]))
    return rows[0]
  }

  /** Extends the login, or records the use of the key, if it is due. Returns until when the row is valid. */
  async function refresh(kind: Principal['kind'], row: Row): Promise<number> {
    // An impersonation isn't extended.
    if (row.impersonator_id !== null) return row.expires_at?.getTime() ?? 0
    const interval = kind === 'login' ? EXTEND_INTERVAL : LAST_USED_INTERVAL
    const due = (row.refreshed_at?.getTime() ?? 0) + interval
    if (clock.now() < due) return due
    if (kind === 'login') await extendLogin(row)
    else await credentials().query(...apiKeyTable.updateStep({ id: row.id }, { lastUsedAt: timeAt(clock) }))
    // The extension changed the revision.
    return kind === 'login' ? clock.now() : clock.now() + interval
  }

  async function extendLogin(row: Row): Promise<void> {
    const end = Math.min(clock.now() + loginTtl, row.created_at.getTime() + loginMaxAge)
    row.expires_at = new Date(Math.max(end, row.expires_at?.getTime() ?? 0))
    const patch = { extendedAt: timeAt(clock), expiresAt: iso(row.expires_at) }
    await credentials().query(...loginTable.updateStep({ id: row.id }, patch))
  }

  /** A tenant can be suspended and resumed at any time. Its revision matters for its own roles, for its slug, and for those who aren't its members. */
  function preconditionOf(hash: Buffer, row: Row, tenant: TenantChoice): () => Precondition {
    const { tenant_id: tenantId, revision, tenant_revision: tenantRevision, suspended } = row
    const named = namedTenant(tenant)
    const readsTenant =
      tenantId !== null &&
      (row.member_id === null || rights.hasCustomRoles(row.roles ?? []) || (named !== undefined && named !== tenantId))
    const precondition = (at: string | null): Precondition => {
      const credential = [hash, revision, at]
      if (tenantId === null) return { condition: CREDENTIAL_UNCHANGED, values: credential }
      const values = [...credential, tenantId, suspended]
      return readsTenant
        ? { condition: CREDENTIAL_AND_TENANT_UNCHANGED, values: [...values, tenantRevision] }
        : { condition: CREDENTIAL_AND_SUSPENSION_UNCHANGED, values }
    }
    const unchanging = precondition(null)
    return () => (clock.isSystem ? unchanging : precondition(now()))
  }

  function membershipOf(principal: Principal, row: Row): Membership | null {
    const { tenant_id: tenantId } = row
    if (tenantId === null) return null
    if (row.bound_tenant_id !== null && row.bound_tenant_id !== tenantId) return null
    const held = rights.fromRow({ ...row, tenant_id: tenantId })
    if (!held) return null
    const suspended = held.isSuspended ? 'customer' : row.suspended ? 'tenant' : undefined
    if (row.impersonator_id !== null) return toMembership(rights.restrictToImpersonation(held), suspended)
    return toMembership(
      principal.kind === 'apiKey' ? rights.restrictToApiKey(held, principal.permissions) : held,
      suspended,
    )
  }

  async function authenticateWith(
    source: SourceName,
    secret: string,
    tenant: TenantChoice,
  ): Promise<Authentication | null> {
    const hash = hashSecret(secret)
    const row = await find(source, hash, tenant)
    if (!row || (row.impersonator_id !== null && !(await impersonations.verify(row)))) return null
    const kind = source === 'apiKey' ? 'apiKey' : 'login'
    const reusableUntil = await refresh(kind, row)
    const principal: Principal = {
      kind,
      id: row.id,
      userId: row.user_id,
      ...(row.impersonator_id !== null && { impersonatedBy: row.impersonator_id }),
      homeTenantId: row.bound_tenant_id ?? (tenant === 'home' || tenant === 'last' ? row.tenant_id : null),
      mustVerifyEmail: verification && row.unverified,
      ...(row.authenticated_at !== null && { authenticatedAt: iso(row.authenticated_at) }),
      expiresAt: isoOrNull(row.expires_at),
      permissions: row.permissions,
    }
    return {
      principal,
      membership: membershipOf(principal, row),
      precondition: preconditionOf(hash, row, tenant),
      reusableUntil,
    }
  }

  return {
    signInPath: '/sign-in',
    reauthenticationPath: REAUTHENTICATION_PATH,
    keepTenant: lastWorkspace.keep,
    async authenticate({ kind, secret }, tenant) {
      if (kind === 'cookie') return isCookieSecret(secret) ? authenticateWith('cookie', secret, tenant) : null
      if (kind === 'bearer' && isDashboardToken(secret)) return authenticateWith('token', secret, tenant)
      return isApiKey(secret) ? authenticateWith('apiKey', secret, tenant) : null
    },
  }
}

const isTenantId = (text: string): boolean => /^ten_[0-9a-z]{26}$/.test(text)

/** The ID or slug; undefined for text that can be neither. */
function namedTenant(tenant: TenantChoice): string | undefined {
  if (typeof tenant === 'string') return undefined
  const { named } = tenant
  return isTenantId(named) || (named.length <= MAX_SLUG_LENGTH && SLUG.test(named)) ? named : undefined
}

const toMembership = (
  { tenantId, memberId, roles, isCustomer, tenant, platform }: Rights,
  suspended: Membership['suspended'],
): Membership => ({
  tenantId,
  memberId,
  roles,
  isCustomer,
  permissions: tenant,
  platformPermissions: platform,
  suspended,
})
