/** Logins: one record with a cookie secret and a dashboard token that grant the same access. */
import {
  type Caller,
  common,
  type Deps,
  decodeCursor,
  newId,
  type PageOf,
  pageLimit,
  type RequestFacts,
  statement,
  together,
  toPage,
  type Unit,
} from '@larder-dev/larder/kernel'
import { hashSecret, newCookieSecret, newDashboardToken } from '../../domain/secrets.ts'
import { timeAt } from '../../domain/time.ts'
import { describeUserAgent } from '../../domain/user-agent.ts'
import { userAgentOf } from '../../domain/user-agents.ts'
import type { IdentitySettings } from '../../options.ts'
import { problems } from '../../problems.ts'
import { type Login, loginTable, type StoredLogin } from '../../records/account.ts'
import type { AccessChanges } from '../access/access-changes.ts'
import type { AuditActor, AuditRecorder } from '../access/audit-log.ts'
import { type ImpersonationLog, LOGGED_LOGIN, type LoggedLogin } from '../operators/impersonation-log.ts'
import type { SsoRequirement } from '../sso/sso-requirement.ts'
import type { KnownDevices } from './known-devices.ts'
import type { PendingLogins } from './pending-logins.ts'
import { FORGET_DEVICES, type UseUp } from './second-factors.ts'
import type { TrustedDevices } from './trusted-devices.ts'

/** Where a sign-in request came from. */
export type LoginOrigin = Pick<RequestFacts, 'ip' | 'headers'>
export interface IssuedLogin {
  readonly loginId: string
  readonly cookie: string
  /** Absent after a sign-in on a page: browsers use the cookie only. */
  readonly token: string | undefined
  /** Whether neither a device cookie nor an earlier login of the same client is known. */
  readonly isNewDevice: boolean
}
/** A user whose password was checked. */
export interface VerifiedCredential {
  readonly userId: string
  /** Version of the checked password. A newer version invalidates the credential. */
  readonly passwordVersion: number
}
export interface LoginOptions {
  readonly token: boolean
  /** The login of the cookie that the browser sent, which stops working. */
  readonly previousLoginId: string | undefined
  /** True if the credential is both factors, such as a passkey. A function uses up what was verified. */
  readonly secondFactor?: true | UseUp | undefined
  /** See `SsoRequirement`. */
  readonly verifiedBy?: string
  /** When the person proved who they are, if that isn't now. */
  readonly authenticatedAt?: string | undefined
}
export interface IssueOptions {
  readonly token: boolean
  readonly loginId?: string
  /** When the person last proved who they are, if that was before: for a login that replaces another one. */
  readonly authenticatedAt?: string | undefined
}
export interface Logins {
  /** Issues new secrets. Throws `invalid_credentials` if the password changed since it was checked. */
  issue(unit: Unit, credential: VerifiedCredential, origin: LoginOrigin, options: IssueOptions): Promise<IssuedLogin>
  /**
   * A new login for a caller whose login of the account ends. It is no newer proof of who they are. Null for other callers,
   * and for an operator who acts as the user.
   */
  reissue(
    unit: Unit,
    credential: VerifiedCredential,
    caller: Caller | undefined,
    origin: LoginOrigin,
  ): Promise<IssuedLogin | null>
  /** Signs in. Throws `sso_required`, and `second_factor_required` if the account needs a second factor that wasn't verified. */
  start(credential: VerifiedCredential, origin: LoginOrigin, options: LoginOptions): Promise<IssuedLogin>
  /** Ends the login of a cookie that the browser replaces. A login that also has a token keeps it. */
  endCookie(loginId: string): Promise<void>
  /** Returns how many logins of the user ended. Also ends those with which the user acts as someone else. */
  endAll(unit: Unit, userId: string, actor: AuditActor): Promise<number>
  /** Undefined for a login that has ended. */
  find(loginId: string): Promise<StoredLogin | undefined>
  /** Ends all logins of the user but this one, and returns how many. */
  endOthers(userId: string, loginId: string, actor: AuditActor): Promise<number>
  /** Does nothing if the login has already ended. */
  signOut(userId: string, loginId: string, actor: AuditActor): Promise<void>
  /** Throws `not_found` if the user has no such login. */
  revoke(userId: string, loginId: string, actor: AuditActor): Promise<void>
  list(userId: string, currentLoginId: string, query: { limit?: number; cursor?: string }): Promise<PageOf<Login>>
}
/** Whether the caller is this user at a login, and no operator who acts as them. */
export const isOwnLogin = (caller: Caller | undefined, userId: string): boolean =>
  caller?.kind === 'login' && caller.userId === userId && caller.impersonatedBy === undefined

/** The columns of an impersonation, and of the operator who started it. */
interface ImpersonationColumns {
  readonly reason: string | null
  readonly operator_id: string | null
  readonly operator_email: string | null
  readonly operator_name: string | null
}
type Needs = Deps<'systemDatabase' | 'clock' | 'operator' | 'events'> & {
  readonly devices: KnownDevices
  readonly audit: AuditRecorder
  readonly impersonationLog: ImpersonationLog
  readonly accessChanges: AccessChanges
  readonly pendingLogins: PendingLogins
  readonly settings: IdentitySettings
  readonly ssoRequirement: SsoRequirement
  readonly trustedDevices: TrustedDevices
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
const INSERT = insertLogin('$authenticatedAt', '')
const INSERT_GATED = insertLogin(`least($authenticatedAt::timestamptz, ${TRUSTED_SINCE})`, WITHOUT_SECOND_FACTOR)

export function createLogins({
  systemDatabase,
  clock,
  operator,
  events,
  devices,
  audit,
  impersonationLog,
  accessChanges,
  pendingLogins,
  settings,
  ssoRequirement,
  trustedDevices,
}: Needs): Logins {
  const acrossTenants = () => systemDatabase.acrossTenants('logins belong to a user, not to a tenant')
  const record = (unit: Unit, action: string, actor: AuditActor, subject: string) =>
    audit.record(unit, { tenantId: operator.tenantId, action, actor, subject })

  /** The event mails the person. */
  async function announceNewDevice(loginId: string, userId: string): Promise<void> {
    const payload = { loginId, userId }
    await events.publish('identity.login.new_device', { tenantId: operator.tenantId, subject: userId, payload })
  }

  /** Ends the logins that were not used for the longest time. */
  async function endOldest(unit: Unit, userId: string, kept: number): Promise<void> {
    const { rows } = await unit.query<LoggedLogin>(
      `delete from identity_logins l using (
         select id from identity_logins where user_id = $1 and impersonator_id is null
         order by extended_at desc, id desc offset $2) o
       where l.id = o.id or l.impersonator_login_id = o.id returning ${LOGGED_LOGIN}`,
      [userId, kept],
    )
    const actor: AuditActor = { kind: 'system', id: 'limit of logins', userId }
    for (const { id, impersonator_id } of rows)
      if (impersonator_id === null) await record(unit, 'login.ended', actor, id)
    await logEnded(unit, rows, actor)
  }

  /** Null unless the credential is current and, if the second factor is still missing, enough. */
  async function insert(
    unit: Unit,
    credential: VerifiedCredential,
    origin: LoginOrigin,
    options: IssueOptions & { readonly isGated: boolean },
  ): Promise<IssuedLogin | null> {
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
      : INSERT(values)
    const { rows } = await unit.query<{ email: string; seen: boolean }>(...step)
    const [row] = rows
    if (!row) return null
    const { userId } = credential
    await record(unit, 'login.created', { kind: 'login', id: loginId, userId }, loginId)
    return { loginId, cookie, token, isNewDevice: !row.seen && !devices.find(origin.headers, row.email) }
  }

  const issue: Logins['issue'] = async (unit, credential, origin, options) => {
    const login = await insert(unit, credential, origin, { ...options, isGated: false })
    if (!login) throw problems.invalid_credentials()
    return login
  }

  const reissue: Logins['reissue'] = async (unit, credential, caller, origin) => {
    if (!caller || !isOwnLogin(caller, credential.userId)) return null
    const { authenticatedAt } = caller
    return issue(unit, credential, origin, { token: caller.credential === 'bearer', authenticatedAt })
  }

  /** Ends the logins, with the impersonations that they started. `condition` is about the login of $1. */
  async function deleteLogin(unit: Unit, loginId: string, condition: string, values: string[]): Promise<LoggedLogin[]> {
    const { deleted } = await unit.all({
      // Waits for an impersonation that starts at the same time.
      lock: ['select from identity_logins where id = $1 for update', [loginId]],
      deleted: [
        `delete from identity_logins l where (l.id = $1 or l.impersonator_login_id = $1)
           and exists (select from identity_logins e where e.id = $1 and ${condition})
         returning ${LOGGED_LOGIN}`,
        [loginId, ...values],
      ],
    })
    return deleted.rows as unknown as LoggedLogin[]
  }

  async function logEnded(unit: Unit, rows: readonly LoggedLogin[], actor: AuditActor): Promise<void> {
    await impersonationLog.ended(unit, rows, actor, 'ended')
    for (const { id } of rows) accessChanges.revoked({ principalId: id })
  }

  /** Invalidates the cookie of a login. A login that also has a token keeps it. */
  async function invalidateCookie(unit: Unit, loginId: string): Promise<void> {
    const rows = await deleteLogin(unit, loginId, 'token_hash is null', [])
    await unit.defer([loginTable.updateStep({ id: loginId }, { cookieHash: null })])
    const userId = rows.find(({ id }) => id === loginId)?.user_id ?? null
    await logEnded(unit, rows, { kind: 'login', id: loginId, userId })
    accessChanges.revoked({ principalId: loginId })
  }

  /** Returns false if the user has no such login. */
  async function end(unit: Unit, userId: string, loginId: string, actor: AuditActor): Promise<boolean> {
    const rows = await deleteLogin(unit, loginId, 'user_id = $2', [userId])
    const row = rows.find(({ id }) => id === loginId)
    if (!row) return false
    if (row.impersonator_id === null) await record(unit, 'login.ended', actor, loginId)
    await logEnded(unit, rows, actor)
    return true
  }

  return {
    issue,
    reissue,
    async start(credential, origin, { token, previousLoginId, verifiedBy, secondFactor, authenticatedAt }) {
      const isGated = settings.totp && secondFactor === undefined
      const { maxLogins } = settings
      const started = await acrossTenants().transaction(async unit => {
        const { login } = await together({
          // Sign-ins of the same user wait for each other: otherwise none would count the others.
          lock: maxLogins === undefined ? undefined : unit.query(LOCK_USER, [credential.userId]),
          usedUp: typeof secondFactor === 'function' ? secondFactor(unit) : undefined,
          login: isGated
            ? insert(unit, credential, origin, { token, authenticatedAt, isGated })
            : issue(unit, credential, origin, { token, authenticatedAt }),
          requirement:
            settings.enterprise && ssoRequirement.assertMet(unit, credential.userId, verifiedBy, origin.headers),
        })
        if (!login) return null
        if (login.isNewDevice) await announceNewDevice(login.loginId, credential.userId)
        if (previousLoginId !== undefined) await invalidateCookie(unit, previousLoginId)
        if (maxLogins !== undefined) await endOldest(unit, credential.userId, maxLogins)
        return login
      })
      if (started) return started
      await pendingLogins.startIfNeeded(credential, { token, authenticatedAt })
      throw problems.invalid_credentials()
    },
    async endCookie(loginId) {
      await acrossTenants().transaction(unit => invalidateCookie(unit, loginId))
    },
    async endAll(unit, userId, actor) {
      const { rows } = await unit.query<LoggedLogin>(
        `delete from identity_logins l where user_id = $1 or impersonator_id = $1 returning ${LOGGED_LOGIN}`,
        [userId],
      )
      await unit.defer([[FORGET_DEVICES, [userId]]])
      await record(unit, 'login.all_ended', actor, userId)
      await impersonationLog.ended(unit, rows, actor, 'ended')
      accessChanges.revoked({ userId })
      return rows.filter(({ user_id }) => user_id === userId).length
    },
    find: loginId => loginTable.find(acrossTenants(), { id: loginId }),
    async endOthers(userId, loginId, actor) {
      return acrossTenants().transaction(async unit => {
        const { rows } = await unit.query<LoggedLogin>(
          `delete from identity_logins l where (user_id = $1 and id <> $2)
             or (impersonator_id = $1 and impersonator_login_id is distinct from $2) returning ${LOGGED_LOGIN}`,
          [userId, loginId],
        )
        await unit.defer([[FORGET_DEVICES, [userId]]])
        await record(unit, 'login.others_ended', actor, userId)
        await logEnded(unit, rows, actor)
        return rows.filter(({ user_id }) => user_id === userId).length
      })
    },
    async signOut(userId, loginId, actor) {
      await acrossTenants().transaction(unit => end(unit, userId, loginId, actor))
    },
    async revoke(userId, loginId, actor) {
      const ended = await acrossTenants().transaction(unit => end(unit, userId, loginId, actor))
      if (!ended) throw common.not_found({ what: 'login' })
    },
    async list(userId, currentLoginId, query) {
      const [before = null] = decodeCursor(query.cursor, 1) ?? []
      const limit = pageLimit(query)
      const rows = await loginTable.query<ImpersonationColumns>(
        acrossTenants(),
        `select ${loginTable.columns('l')}, l.impersonation_reason as reason, o.id as operator_id, o.email as operator_email, o.name as operator_name
         from identity_logins l left join identity_users o on o.id = l.impersonator_id
         where l.user_id = $1 and l.expires_at > $2 and ($3::text is null or l.id < $3) order by l.id desc limit $4`,
        [userId, timeAt(clock), before, limit + 1],
      )
      const { data, nextCursor } = toPage(rows, limit, row => [row.id])
      return { data: data.map(row => toLogin(row, currentLoginId)), nextCursor }
    },
  }
}

function toLogin(
  {
    reason,
    operator_id: id,
    operator_email: email,
    operator_name: name,
    extendedAt,
    ...login
  }: StoredLogin & ImpersonationColumns,
  currentLoginId: string,
): Login {
  const isImpersonation = id !== null && email !== null && reason !== null
  return {
    ...login,
    device: describeUserAgent(login.userAgent),
    lastUsedAt: extendedAt,
    current: login.id === currentLoginId,
    impersonation: isImpersonation ? { by: { id, email, name }, reason, expiresAt: login.expiresAt } : null,
  }
}
