/** Operators who act as a user, in one workspace and for a limited time. */
import {
  type Caller,
  common,
  type Deps,
  invalidField,
  newId,
  together,
  type Unit,
  wording,
} from '@larder-dev/larder/kernel'
import { type AuditActor, actorOf, SYSTEM_ACTOR } from '../../audit/audit-log.ts'
import { isCustomer } from '../../domain/customers.ts'
import { IMPERSONATION_TTL_MS } from '../../domain/lifetimes.ts'
import { hashSecret, newCookieSecret, newDashboardToken } from '../../domain/secrets.ts'
import { iso, timeAt } from '../../domain/time.ts'
import type { IdentitySettings } from '../../options.ts'
import type { Membership } from '../../workspaces/records.ts'
import type { AccessChanges } from '../../workspaces/roles/access-changes.ts'
import { IMPERSONATE, type RightsService } from '../../workspaces/roles/rights.ts'
import { userAgentOf } from '../domain/user-agents.ts'
import { type Cause, type ImpersonationLog, LOGGED_LOGIN, type LoggedLogin } from '../impersonation-log.ts'
import type { LoginOrigin, Logins } from '../logins.ts'
import type { Impersonation } from '../records/impersonation.ts'
import { loginTable } from '../records/login.ts'
import { impersonationProblems } from './problems.ts'

export interface NewImpersonation {
  readonly userId: string
  /** The workspace in which the operator acts as the user. */
  readonly tenantId: string
  readonly reason: string
}
export interface StartedImpersonation {
  /** The cookie of a caller that has one. */
  readonly cookie: string | null
  readonly token: string | null
  readonly tenantId: string
  readonly expiresAt: string
}
/** What the authenticator reads of a login. */
export interface ImpersonationRow {
  /** ID of the login. */
  readonly id: string
  /** Roles of the operator in the operator's tenant. */
  readonly impersonator_roles: string[] | null
  /** Roles of the user there. */
  readonly operator_roles: string[] | null
}
export interface Impersonations {
  /** Ends an earlier one of the caller. Throws `impersonation_off`, `operator_account`, `not_found`, and 422. */
  start(input: NewImpersonation, caller: Caller, origin: LoginOrigin): Promise<StartedImpersonation>
  /** Whether `start` would accept the user. */
  isPossible(caller: Caller, userId: string, memberships: readonly Pick<Membership, 'tenantId' | 'roles'>[]): boolean
  /** Null for a login of the user themselves. */
  find(caller: Caller): Promise<(Impersonation & { readonly tenantId: string }) | null>
  /** Does nothing if it has already ended. */
  end(caller: Caller): Promise<void>
  /** Also ends the operator's own login with this cookie. */
  signOut(caller: Caller, ownCookie: string | undefined): Promise<void>
  /** Whether the operator still has the permission, and the user is no operator. Otherwise ends the login. */
  verify(row: ImpersonationRow): Promise<boolean>
}
type Needs = Deps<'systemDatabase' | 'clock' | 'operator'> & {
  readonly accessChanges: AccessChanges
  readonly impersonationLog: ImpersonationLog
  readonly logins: Logins
  readonly rights: RightsService
  readonly settings: IdentitySettings
}
interface Operator {
  readonly id: string
  readonly name: string | null
}
interface Row {
  impersonated_tenant_id: string
  impersonation_reason: string
  expires_at: Date
  id: string
  email: string
  name: string | null
}

export function createImpersonations({
  systemDatabase,
  clock,
  operator,
  accessChanges,
  impersonationLog,
  logins,
  rights,
  settings,
}: Needs): Impersonations {
  const acrossTenants = () => systemDatabase.acrossTenants('an operator acts as a user of the installation')

  /** Customers of a product of people are members of the operator's tenant, too. */
  const isOperators = ({ tenantId, roles }: Pick<Membership, 'tenantId' | 'roles'>): boolean =>
    tenantId === operator.tenantId && !isCustomer(settings, roles)

  const deleteWhere = async (unit: Unit, condition: string, values: string[]): Promise<LoggedLogin[]> => {
    const { rows } = await unit.query<LoggedLogin>(
      `delete from identity_logins l where impersonator_id is not null and ${condition} returning ${LOGGED_LOGIN}`,
      values,
    )
    return rows
  }

  async function logEnded(unit: Unit, logins: readonly LoggedLogin[], actor: AuditActor, cause: Cause) {
    await impersonationLog.ended(unit, logins, actor, cause)
    for (const { id } of logins) accessChanges.revoked({ principalId: id })
  }

  const endLogin = (loginId: string, actor: AuditActor, cause: Cause) =>
    acrossTenants().transaction(async unit =>
      logEnded(unit, await deleteWhere(unit, 'id = $1', [loginId]), actor, cause),
    )

  /** The locks serialize this with changes of the operator's roles and with another start. */
  async function assertAllowed(unit: Unit, { userId, tenantId }: NewImpersonation, caller: Caller): Promise<Operator> {
    const found = await unit.all({
      users: [
        `select id, coalesce(name, email) as name from identity_users where id = any ($1)
         order by id for no key update`,
        [[caller.userId, userId]],
      ],
      joined: [
        'select tenant_id, roles from identity_members where user_id = $1 and tenant_id = any ($2)',
        [userId, [tenantId, operator.tenantId]],
      ],
    })
    const users = found.users.rows as unknown as Operator[]
    const joined = found.joined.rows as { tenant_id: string; roles: string[] }[]
    if (!users.some(({ id }) => id === userId)) throw common.not_found({ what: 'user' })
    const isMemberOf = (id: string) => joined.some(({ tenant_id }) => tenant_id === id)
    const isStaff = joined.some(({ tenant_id, roles }) => isOperators({ tenantId: tenant_id, roles }))
    if (userId === caller.userId || isStaff) throw impersonationProblems.operator_account()
    if (!isMemberOf(tenantId))
      throw invalidField('/tenantId', 'not_a_member', wording('must be a workspace of the user'))
    return users.find(({ id }) => id === caller.userId) ?? { id: caller.userId, name: null }
  }

  /** The impersonation ends with the login that starts it. Returns when that expires. */
  async function lockLogin(unit: Unit, loginId: string): Promise<Date> {
    const { rows } = await unit.query<{ expires_at: Date }>(
      'select expires_at from identity_logins where id = $1 for key share',
      [loginId],
    )
    if (!rows[0]) throw common.unauthenticated()
    return rows[0].expires_at
  }

  const end: Impersonations['end'] = caller => endLogin(caller.principalId, actorOf(caller), 'ended')

  return {
    end,
    isPossible: (caller, userId, memberships) =>
      settings.impersonation &&
      caller.kind === 'login' &&
      caller.can(IMPERSONATE) &&
      userId !== caller.userId &&
      memberships.length > 0 &&
      !memberships.some(isOperators),

    async start(input, caller, { ip, headers }) {
      if (!settings.impersonation) throw impersonationProblems.impersonation_off()
      const { userId, tenantId, reason } = input
      return acrossTenants().transaction(async unit => {
        const {
          allowed: { name },
          endOfLogin,
          earlier,
        } = await together({
          allowed: assertAllowed(unit, input, caller),
          endOfLogin: lockLogin(unit, caller.principalId),
          earlier: deleteWhere(unit, 'impersonator_id = $1', [caller.userId]),
        })
        const actor = actorOf(caller)
        await logEnded(unit, earlier, actor, 'ended')
        const cookie = caller.credential === 'cookie' ? newCookieSecret() : null
        const token = cookie === null ? newDashboardToken() : null
        const expiresAt = iso(new Date(Math.min(clock.now() + IMPERSONATION_TTL_MS, endOfLogin.getTime())))
        const id = newId('lgn')
        const now = timeAt(clock)
        const login = {
          id,
          userId,
          cookieHash: hashOf(cookie),
          tokenHash: hashOf(token),
          userAgent: userAgentOf(headers),
          ip,
          createdAt: now,
          extendedAt: now,
          expiresAt,
          impersonatorId: caller.userId,
          impersonatorLoginId: caller.principalId,
          impersonatedTenantId: tenantId,
          impersonationReason: reason,
        }
        await unit.defer([loginTable.insertStep(login)])
        const owners = { user_id: userId, impersonator_id: caller.userId, impersonated_tenant_id: tenantId }
        await impersonationLog.started(unit, { id, ...owners, impersonator: name }, actor, { reason, expiresAt })
        return { cookie, token, tenantId, expiresAt }
      })
    },

    async find({ impersonatedBy, principalId }) {
      if (impersonatedBy === undefined) return null
      const { rows } = await acrossTenants().query<Row>(
        `select l.impersonated_tenant_id, l.impersonation_reason, l.expires_at, o.id, o.email, o.name
         from identity_logins l join identity_users o on o.id = l.impersonator_id where l.id = $1`,
        [principalId],
      )
      const [row] = rows
      if (!row) throw common.unauthenticated()
      const { id, email, name, impersonated_tenant_id: tenantId, impersonation_reason: reason } = row
      return { by: { id, email, name }, reason, expiresAt: iso(row.expires_at), tenantId }
    },

    async signOut(caller, ownCookie) {
      await end(caller)
      if (ownCookie === undefined || caller.impersonatedBy === undefined) return
      const userId = caller.impersonatedBy
      const own = await loginTable.find(acrossTenants(), { cookieHash: hashSecret(ownCookie), userId })
      if (own) await logins.signOut(userId, own.id, { kind: 'login', id: own.id, userId })
    },

    async verify({ id, impersonator_roles: roles, operator_roles: userRoles }) {
      const isStaff = userRoles !== null && !isCustomer(settings, userRoles)
      if (settings.impersonation && !isStaff && rights.mayImpersonate(roles ?? [])) return true
      await endLogin(id, SYSTEM_ACTOR, 'revoked')
      return false
    },
  }
}

const hashOf = (secret: string | null): Buffer | null => (secret === null ? null : hashSecret(secret))
