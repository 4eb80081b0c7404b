/** Resolves credentials to principals, and principals to memberships. Secrets are looked up by their hash. */
import { type Authenticator, DAY, type Deps, MINUTE, type Principal } from 'larder/kernel'
import { hashSecret, isApiKey, isCookieSecret, isDashboardToken } from '../domain/secrets.ts'
import { SLUG_PATTERN } from '../domain/slug.ts'
import { iso, isoOrNull, timeAt } from '../domain/time.ts'
import { type IdentityOptions, identitySettings } from '../options.ts'

/** Writes are rate limited: a login is extended, and the use of a key recorded, at most this often. */
const EXTEND_INTERVAL = 1 * DAY
const LAST_USED_INTERVAL = 1 * MINUTE
const MAX_SLUG_LENGTH = 64
const SLUG = new RegExp(SLUG_PATTERN)

interface LoginRow {
  id: string
  user_id: string
  expires_at: Date
  extended_at: Date
  created_at: Date
  home_tenant_id: string | null
  unverified: boolean
}
interface KeyRow {
  id: string
  user_id: string
  tenant_id: string
  permissions: string[] | null
  expires_at: Date | null
  last_used_at: Date | null
  unverified: boolean
}

export function createAuthenticator(
  deps: Deps<'systemDatabase' | 'clock' | 'identity' | 'product', 'mailer'>,
  options: IdentityOptions,
): Authenticator {
  const { systemDatabase, clock, identity, product } = deps
  const { loginTtl, loginMaxAge, requireVerifiedEmail } = identitySettings(options)
  // Without a mailer, users can't verify an address.
  const verification = requireVerifiedEmail ?? (product.production && deps.mailer !== undefined)
  const unverified = (userColumn: string): string =>
    verification
      ? `, (select u.email_verified_at is null from identity_users u where u.id = ${userColumn}) as unverified`
      : ', false as unverified'
  const credentials = () => systemDatabase.acrossTenants('a credential is looked up before its tenant is known')

  async function findLogin(column: 'cookie_hash' | 'token_hash', secret: string): Promise<Principal | null> {
    const { rows } = await credentials().query<LoginRow>(
      `select l.id, l.user_id, l.expires_at, l.extended_at, l.created_at,
         (select m.tenant_id from identity_members m where m.user_id = l.user_id
          order by m.created_at, m.id limit 1) as home_tenant_id${unverified('l.user_id')}
       from identity_logins l where l.${column} = $1 and l.expires_at > $2`,
      [hashSecret(secret), timeAt(clock)],
    )
    const [row] = rows
    if (!row) return null
    const isDue = clock.now() - row.extended_at.getTime() >= EXTEND_INTERVAL
    const { id, user_id: userId, home_tenant_id: homeTenantId } = row
    const expiresAt = isDue ? await extendLogin(row) : iso(row.expires_at)
    return { kind: 'login', id, userId, homeTenantId, mustVerifyEmail: row.unverified, expiresAt, permissions: null }
  }

  async function extendLogin(row: LoginRow): Promise<string> {
    const end = Math.min(clock.now() + loginTtl, row.created_at.getTime() + loginMaxAge)
    const expiresAt = new Date(Math.max(end, row.expires_at.getTime())).toISOString()
    await credentials().query('update identity_logins set extended_at = $2, expires_at = $3 where id = $1', [
      row.id,
      timeAt(clock),
      expiresAt,
    ])
    return expiresAt
  }

  /** A key stops working when it expires or when its creator leaves the tenant. */
  async function findApiKey(secret: string): Promise<Principal | null> {
    const { rows } = await credentials().query<KeyRow>(
      `select k.id, k.user_id, k.tenant_id, k.permissions, k.expires_at, k.last_used_at${unverified('k.user_id')}
       from identity_api_keys k
       join identity_members m on m.tenant_id = k.tenant_id and m.user_id = k.user_id
       where k.secret_hash = $1 and (k.expires_at is null or k.expires_at > $2)`,
      [hashSecret(secret), timeAt(clock)],
    )
    const [row] = rows
    if (!row) return null
    if (clock.now() - (row.last_used_at?.getTime() ?? 0) >= LAST_USED_INTERVAL)
      await credentials().query('update identity_api_keys set last_used_at = $2 where id = $1', [row.id, timeAt(clock)])
    return {
      kind: 'apiKey',
      id: row.id,
      userId: row.user_id,
      homeTenantId: row.tenant_id,
      mustVerifyEmail: row.unverified,
      expiresAt: isoOrNull(row.expires_at),
      permissions: row.permissions,
    }
  }

  return {
    signInPath: '/sign-in',
    async identify({ kind, secret }) {
      if (kind === 'cookie') return isCookieSecret(secret) ? findLogin('cookie_hash', secret) : null
      if (kind === 'bearer' && isDashboardToken(secret)) return findLogin('token_hash', secret)
      return isApiKey(secret) ? findApiKey(secret) : null
    },

    async membership(principal, tenant) {
      if (!isTenantId(tenant) && !(tenant.length <= MAX_SLUG_LENGTH && SLUG.test(tenant))) return null
      const rights = await identity.rights.find(credentials(), principal.userId, tenant)
      if (!rights) return null
      if (principal.kind === 'apiKey' && principal.homeTenantId !== rights.tenantId) return null
      const effective =
        principal.kind === 'apiKey' ? identity.rights.restrictToApiKey(rights, principal.permissions) : rights
      const { tenantId, memberId, roles } = effective
      return { tenantId, memberId, roles, permissions: effective.tenant, platformPermissions: effective.platform }
    },
  }
}

const isTenantId = (text: string): boolean => /^ten_[0-9a-z]{26}$/.test(text)
