/**
 * Inserts logins: one record with a cookie secret and a dashboard token that grant the same access. Only the completion of
 * sign-ins uses it.
 */
import { type Deps, newId, statement, together, type Unit } from '@larder-dev/larder/kernel'
import type { AuditRecorder } from '../audit/audit-log.ts'
import { hashSecret, newCookieSecret, newDashboardToken } from '../domain/secrets.ts'
import { timeAt } from '../domain/time.ts'
import type { IdentitySettings } from '../options.ts'
import { userAgentOf } from './domain/user-agents.ts'
import type { KnownDevices } from './known-devices.ts'
import type { LoginOrigin, Logins, VerifiedCredential } from './logins.ts'
import { signInProblems } from './problems.ts'
import type { PendingLogins } from './second-factor/pending-logins.ts'
import type { UseUp } from './second-factor/second-factors.ts'
import type { TrustedDevices } from './second-factor/trusted-devices.ts'
import type { SsoRequirement } from './sso/sso-requirement.ts'

export interface IssuedLogin {
  readonly loginId: string
  readonly cookie: string
  /** Absent after a sign-in on a page: browsers use the cookie only. */
  readonly token: string | undefined
}
export interface IssueOptions {
  /** Whether the client gets a dashboard token. */
  readonly token: boolean
  readonly loginId?: string
  /** When the person proved who they are, if that isn't now. */
  readonly authenticatedAt?: string | undefined
}
export interface StartOptions extends Omit<IssueOptions, 'loginId'> {
  /** The login of the cookie that the browser sent, which stops working. */
  readonly previousLoginId: string | undefined
  /** True if the credential is both factors, such as a passkey. A function uses up what was verified. */
  readonly secondFactor?: true | UseUp | undefined
  /** See `SsoRequirement`. */
  readonly verifiedBy?: string | undefined
}
export interface LoginInserts {
  /**
   * Signs in. Throws `invalid_credentials` if the password changed since it was checked, `sso_required`, and
   * `second_factor_required` if the account needs a second factor that wasn't verified.
   */
  start(credential: VerifiedCredential, origin: LoginOrigin, options: StartOptions): Promise<IssuedLogin>
  /** Asks for neither a second factor nor single sign-on. Throws `invalid_credentials` as `start` does. */
  withoutGate(
    unit: Unit,
    credential: VerifiedCredential,
    origin: LoginOrigin,
    options: IssueOptions,
  ): Promise<IssuedLogin>
}
export type LoginInsertNeeds = Deps<'systemDatabase' | 'clock' | 'operator' | 'events'> & {
  readonly audit: AuditRecorder
  readonly devices: KnownDevices
  readonly logins: Logins
  readonly pendingLogins: PendingLogins
  readonly settings: IdentitySettings
  readonly ssoRequirement: SsoRequirement
  readonly trustedDevices: TrustedDevices
}
/** The inserted login, and whether neither a device cookie nor an earlier login of the same client is known. */
interface Inserted {
  readonly login: IssuedLogin
  readonly isNewDevice: boolean
}

const LOCK_USER = 'select from identity_users where id = $1 for no key update'

/** Whether the user of the login has another one from the same address and program. */
const SEEN = `exists (select from identity_logins k where k.user_id = $userId and k.id <> $id
  and k.ip is not distinct from $ip and k.user_agent is not distinct from $userAgent) as seen`

/** When the person last proved the second factor in this browser, which they trust. Null without an app. */
const TRUSTED_SINCE = `(select max(d.created_at) from identity_trusted_devices d
  where d.user_id = u.id and d.secret_hash = any ($deviceHashes::bytea[]) and d.expires_at > $now
    and exists (select from identity_totp where user_id = u.id))`
/** In the statement that signs in, so that no sign-in gets around it, and most cost no further statement. */
const WITHOUT_SECOND_FACTOR = `and (${TRUSTED_SINCE} is not null
  or not exists (select from identity_totp where user_id = u.id)
  and not exists (select from identity_members where user_id = u.id and roles && $secondFactorRoles::text[]))`

const insertLogin = (authenticatedAt: string, condition: string) =>
  statement(
    `insert into identity_logins
       (id, user_id, cookie_hash, token_hash, user_agent, ip, created_at, extended_at, expires_at, authenticated_at)
     select $id, u.id, $cookieHash, $tokenHash, $userAgent, $ip, $now, $now, $expiresAt, ${authenticatedAt}
     from identity_users u
     where u.id = $userId and u.password_version = $passwordVersion ${condition} for share of u
     returning (select email from identity_users where id = $userId) as email, ${SEEN}`,
  )
const INSERT_WITHOUT_GATE = insertLogin('$authenticatedAt', '')
const INSERT_GATED = insertLogin(`least($authenticatedAt::timestamptz, ${TRUSTED_SINCE})`, WITHOUT_SECOND_FACTOR)

export function createLoginInserts({
  systemDatabase,
  clock,
  operator,
  events,
  audit,
  devices,
  logins,
  pendingLogins,
  settings,
  ssoRequirement,
  trustedDevices,
}: LoginInsertNeeds): LoginInserts {
  const acrossTenants = () => systemDatabase.acrossTenants('logins belong to a user, not to a tenant')

  /** The event mails the person. */
  async function announceNewDevice(loginId: string, userId: string): Promise<void> {
    const payload = { loginId, userId }
    await events.publish('identity.login.new_device', { tenantId: operator.tenantId, subject: userId, payload })
  }

  /** Null unless the credential is current and, if the second factor is still missing, enough. */
  async function insert(
    unit: Unit,
    credential: VerifiedCredential,
    origin: LoginOrigin,
    options: IssueOptions & { readonly isGated: boolean },
  ): Promise<Inserted | null> {
    const { loginId = newId('lgn'), authenticatedAt = null, isGated } = options
    const cookie = newCookieSecret()
    const token = options.token ? newDashboardToken() : undefined
    const values = {
      id: loginId,
      userId: credential.userId,
      passwordVersion: credential.passwordVersion,
      cookieHash: hashSecret(cookie),
      tokenHash: token ? hashSecret(token) : null,
      userAgent: userAgentOf(origin.headers),
      ip: origin.ip,
      now: timeAt(clock),
      expiresAt: timeAt(clock, settings.loginTtl),
      authenticatedAt,
    }
    const step = isGated
      ? INSERT_GATED({
          ...values,
          secondFactorRoles: settings.secondFactorRoles,
          deviceHashes: trustedDevices.hashesIn(origin.headers),
        })
      : INSERT_WITHOUT_GATE(values)
    const { rows } = await unit.query<{ email: string; seen: boolean }>(...step)
    const [row] = rows
    if (!row) return null
    const { userId } = credential
    const actor = { kind: 'login', id: loginId, userId } as const
    await audit.record(unit, { tenantId: operator.tenantId, action: 'login.created', actor, subject: loginId })
    const isNewDevice = !row.seen && !devices.find(origin.headers, row.email)
    return { login: { loginId, cookie, token }, isNewDevice }
  }

  async function insertWithoutGate(
    unit: Unit,
    credential: VerifiedCredential,
    origin: LoginOrigin,
    options: IssueOptions,
  ): Promise<Inserted> {
    const inserted = await insert(unit, credential, origin, { ...options, isGated: false })
    if (!inserted) throw signInProblems.invalid_credentials()
    return inserted
  }

  return {
    withoutGate: async (...given) => (await insertWithoutGate(...given)).login,

    async start(credential, origin, { token, previousLoginId, verifiedBy, secondFactor, authenticatedAt }) {
      const isGated = settings.totp && secondFactor === undefined
      const { maxLogins } = settings
      const { userId } = credential
      const started = await acrossTenants().transaction(async unit => {
        const { inserted } = await together({
          // Sign-ins of the same user wait for each other: otherwise none would count the others.
          lock: maxLogins === undefined ? undefined : unit.query(LOCK_USER, [userId]),
          usedUp: typeof secondFactor === 'function' ? secondFactor(unit) : undefined,
          inserted: isGated
            ? insert(unit, credential, origin, { token, authenticatedAt, isGated })
            : insertWithoutGate(unit, credential, origin, { token, authenticatedAt }),
          requirement: settings.enterprise && ssoRequirement.assertMet(unit, userId, verifiedBy, origin.headers),
        })
        if (!inserted) return null
        const { login, isNewDevice } = inserted
        if (isNewDevice) await announceNewDevice(login.loginId, userId)
        if (previousLoginId !== undefined) await logins.endCookie(unit, previousLoginId)
        if (maxLogins !== undefined) await logins.endOldest(unit, userId, maxLogins)
        return login
      })
      if (started) return started
      await pendingLogins.startIfNeeded(credential, { token, authenticatedAt })
      throw signInProblems.invalid_credentials()
    },
  }
}
