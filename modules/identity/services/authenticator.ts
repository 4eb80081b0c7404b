/** Tells the kernel who a credential is and what it may: every secret is looked up by its hash. */
import { type Authenticator, type Credential, DAY, type Deps, MINUTE, type Principal } from 'larder/kernel'
import { hashSecret, isApiKey, isCookieSecret, isToken } from '../domain/secrets.ts'
import { SLUG_PATTERN } from '../domain/slug.ts'
import { iso, isoOrNull, timeAt } from '../domain/time.ts'
import { type IdentityOptions, identitySettings } from '../options.ts'

const EXTEND_EVERY = 1 * DAY
const USED_EVERY = 1 * MINUTE
const SLUG = new RegExp(SLUG_PATTERN)

interface LoginRow {
  id: string
  user_id: string
  expires_at: Date
  extended_at: Date
  created_at: Date
  home: string | null
}
interface KeyRow {
  id: string
  user_id: string
  tenant_id: string
  permissions: string[] | null
  expires_at: Date | null
  last_used_at: Date | null
}

export function createAuthenticator(
  { database, clock, identity }: Deps<'database' | 'clock' | 'identity'>,
  options: IdentityOptions,
): Authenticator {
  const { loginTtl, loginMax } = identitySettings(options)
  const everybody = () => database.system('a credential is looked up before any tenant is known')

  async function login(column: 'cookie_hash' | 'token_hash', secret: string): Promise<Principal | null> {
    const { rows } = await everybody().query<LoginRow>(
      `select l.id, l.user_id, l.expires_at, l.extended_at, l.created_at,
         (select m.tenant_id from identity_members m where m.user_id = l.user_id
          order by m.created_at, m.id limit 1) as home
       from identity_logins l where l.${column} = $1 and l.expires_at > $2`,
      [hashSecret(secret), timeAt(clock)],
    )
    const [row] = rows
    if (!row) return null
    const due = clock.now() - row.extended_at.getTime() >= EXTEND_EVERY
    const { id, user_id: userId, home: homeTenantId } = row
    const expiresAt = due ? await extend(row) : iso(row.expires_at)
    return { kind: 'login', id, userId, homeTenantId, expiresAt, permissions: null }
  }

  /** What is used lives on, up to its greatest age; written at most once a day. */
  async function extend(row: LoginRow): Promise<string> {
    const end = Math.min(clock.now() + loginTtl, row.created_at.getTime() + loginMax)
    const expiresAt = new Date(Math.max(end, row.expires_at.getTime())).toISOString()
    await everybody().query('update identity_logins set extended_at = $2, expires_at = $3 where id = $1', [
      row.id,
      timeAt(clock),
      expiresAt,
    ])
    return expiresAt
  }

  /** Dead when it expires, and when its creator is no member any more. */
  async function apiKey(secret: string): Promise<Principal | null> {
    const { rows } = await everybody().query<KeyRow>(
      `select k.id, k.user_id, k.tenant_id, k.permissions, k.expires_at, k.last_used_at from identity_api_keys k
       join identity_members m on m.tenant_id = k.tenant_id and m.user_id = k.user_id
       where k.secret_hash = $1 and (k.expires_at is null or k.expires_at > $2)`,
      [hashSecret(secret), timeAt(clock)],
    )
    const [row] = rows
    if (!row) return null
    if (clock.now() - (row.last_used_at?.getTime() ?? 0) >= USED_EVERY)
      await everybody().query('update identity_api_keys set last_used_at = $2 where id = $1', [row.id, timeAt(clock)])
    return {
      kind: 'apiKey',
      id: row.id,
      userId: row.user_id,
      homeTenantId: row.tenant_id,
      expiresAt: isoOrNull(row.expires_at),
      permissions: row.permissions,
    }
  }

  return {
    async identify({ kind, secret }: Credential) {
      if (kind === 'cookie') return isCookieSecret(secret) ? login('cookie_hash', secret) : null
      if (kind === 'bearer' && isToken(secret)) return login('token_hash', secret)
      return isApiKey(secret) ? apiKey(secret) : null
    },

    async membership(principal, tenant) {
      if (!isTenantId(tenant) && !(tenant.length <= 64 && SLUG.test(tenant))) return null
      const rights = await identity.rights.lookUp(everybody(), principal.userId, tenant)
      if (!rights) return null
      if (principal.kind === 'apiKey' && principal.homeTenantId !== rights.tenantId) return null
      const held = principal.kind === 'apiKey' ? identity.rights.underKey(rights, principal.permissions) : rights
      const { tenantId, memberId, roles } = held
      return { tenantId, memberId, roles, permissions: held.tenant, platformPermissions: held.platform }
    },
  }
}

const isTenantId = (text: string): boolean => /^ten_[0-9a-z]{26}$/.test(text)
