import { type AuditRecorder, actorOf } from '../audit/audit-log.ts'
import type { RecordOperatorAction } from '../ports.ts'

/** Records an action in the log of the workspace and in that of the operator. */
export const recordOperatorAction =
  (audit: Pick<AuditRecorder, 'record'>, operatorTenantId: string): RecordOperatorAction =>
  async (unit, { caller, tenantId, action, subject, details }) => {
    const actor = actorOf(caller)
    for (const logOf of new Set([tenantId, operatorTenantId]))
      await audit.record(unit, { tenantId: logOf, action, actor, subject, details: { ...details, tenantId } })
  }
