/** The logins that exist: their list, and how they end. */
import {
  type Caller,
  common,
  type Deps,
  decodeCursor,
  type PageOf,
  pageLimit,
  type RequestFacts,
  toPage,
  type Unit,
} from '@larder-dev/larder/kernel'
import type { AuditActor, AuditRecorder } from '../audit/audit-log.ts'
import { timeAt } from '../domain/time.ts'
import type { AccessChanges } from '../workspaces/roles/access-changes.ts'
import { describeUserAgent } from './domain/user-agent.ts'
import { type ImpersonationLog, LOGGED_LOGIN, type LoggedLogin } from './impersonation-log.ts'
import { type Login, loginTable, type StoredLogin } from './records/login.ts'
import { FORGET_DEVICES } from './second-factor/second-factors.ts'

/** Where a sign-in request came from. */
export type LoginOrigin = Pick<RequestFacts, 'ip' | 'headers'>
/** A user whose password was checked. */
export interface VerifiedCredential {
  readonly userId: string
  /** Version of the checked password. A newer version invalidates the credential. */
  readonly passwordVersion: number
}
export interface Logins {
  /** Ends the login of a cookie that the browser replaces. A login that also has a token keeps it. */
  endCookie(unit: Unit, loginId: string): Promise<void>
  /** Ends all logins of the user but those that were used last. */
  endOldest(unit: Unit, userId: string, kept: number): Promise<void>
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
/** A person whom a method has verified. */
export interface SignedIn extends VerifiedCredential {
  readonly email: string
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
type Needs = Deps<'systemDatabase' | 'clock' | 'operator'> & {
  readonly audit: AuditRecorder
  readonly impersonationLog: ImpersonationLog
  readonly accessChanges: AccessChanges
}

export function createLogins({
  systemDatabase,
  clock,
  operator,
  audit,
  impersonationLog,
  accessChanges,
}: Needs): Logins {
  const acrossTenants = () => systemDatabase.acrossTenants('logins belong to a user, not to a tenant')
  const record = (unit: Unit, action: string, actor: AuditActor, subject: string) =>
    audit.record(unit, { tenantId: operator.tenantId, action, actor, subject })

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
    endCookie: invalidateCookie,
    endOldest,
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
