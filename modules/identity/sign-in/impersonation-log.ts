/** Audit entries of operators who act as a user: in the log of the workspace, and in that of the operator. */
import type { Deps, Unit } from '@larder-dev/larder/kernel'
import type { AuditActor, AuditRecorder } from '../audit/audit-log.ts'

/** The columns `LOGGED_LOGIN` of `identity_logins l`. */
export interface LoggedLogin {
  readonly id: string
  readonly user_id: string
  readonly impersonator_id: string | null
  readonly impersonated_tenant_id: string | null
  /** Name or address of the operator. */
  readonly impersonator: string | null
}
export const LOGGED_LOGIN = `l.id, l.user_id, l.impersonator_id, l.impersonated_tenant_id,
  (select coalesce(o.name, o.email) from identity_users o where o.id = l.impersonator_id) as impersonator`

export type Cause = 'ended' | 'expired' | 'revoked'

export interface ImpersonationLog {
  started(
    unit: Unit,
    login: LoggedLogin,
    actor: AuditActor,
    details: { readonly reason: string; readonly expiresAt: string },
  ): Promise<void>
  /** Ignores logins that aren't impersonations. */
  ended(unit: Unit, logins: readonly LoggedLogin[], actor: AuditActor, cause: Cause): Promise<void>
}

type Needs = Deps<'operator'> & {
  readonly audit: AuditRecorder
}

export function createImpersonationLog({ operator, audit }: Needs): ImpersonationLog {
  async function record(
    unit: Unit,
    action: string,
    { user_id: userId, impersonator_id: operatorId, impersonator, impersonated_tenant_id: tenantId }: LoggedLogin,
    actor: AuditActor,
    details: object,
  ): Promise<void> {
    const facts = { userId, operatorId, operator: impersonator, ...details }
    for (const logOf of new Set([tenantId ?? operator.tenantId, operator.tenantId]))
      await audit.record(unit, { tenantId: logOf, action, actor, subject: userId, details: facts })
  }
  return {
    started: (unit, login, actor, details) => record(unit, 'impersonation.started', login, actor, details),
    async ended(unit, logins, actor, cause) {
      for (const login of logins)
        if (login.impersonator_id !== null) await record(unit, 'impersonation.ended', login, actor, { cause })
    },
  }
}
