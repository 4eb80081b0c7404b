/** Members who must sign in with the single sign-on of their workspace. */
import type { Deps, Unit } from '@larder-dev/larder/kernel'
import { OWNER } from '../../domain/fixed-roles.ts'
import { problems } from '../../problems.ts'
import type { AuditRecorder } from '../access/audit-log.ts'
import { includesSso } from './sso-entitlement.ts'

/** An earlier sign-in of the same person, which was allowed. */
export const EARLIER_LOGIN = 'login'

export interface SsoRequirement {
  /**
   * Throws `sso_required` if a workspace of the user requires its single sign-on for their address. Owners of the
   * workspace may sign in another way, because the provider can be down; this is recorded.
   * @param verifiedBy the workspace whose provider verified the user, or `EARLIER_LOGIN`
   */
  assertMet(unit: Unit, userId: string, verifiedBy: string | undefined): Promise<void>
}
type Needs = Deps<never, 'entitlements'> & { readonly audit: AuditRecorder }

interface Row {
  readonly id: string
  readonly tenant_id: string
  readonly roles: readonly string[]
}

export function createSsoRequirement({ entitlements, audit }: Needs): SsoRequirement {
  return {
    async assertMet(unit, userId, verifiedBy) {
      if (verifiedBy === EARLIER_LOGIN) return
      const { rows } = await unit.query<Row>(
        `select c.id, c.tenant_id, m.roles from identity_users u
         join identity_sso_domains d on d.domain = split_part(u.email_key, '@', 2) and d.verified_at is not null
         join identity_sso_connections c on c.tenant_id = d.tenant_id and c.enabled and c.required
         join identity_members m on m.tenant_id = c.tenant_id and m.user_id = u.id
         where u.id = $1`,
        [userId],
      )
      // A domain belongs to one workspace.
      const [found] = rows
      if (!found || found.tenant_id === verifiedBy || !(await includesSso({ entitlements }, found.tenant_id))) return
      if (!found.roles.includes(OWNER)) throw problems.sso_required()
      const { tenant_id: tenantId, id: subject } = found
      const actor = { kind: 'system', id: 'single sign-on', userId } as const
      await audit.record(unit, { tenantId, action: 'sso.bypassed', actor, subject, details: { userId } })
    },
  }
}
