/** Members who must sign in with the single sign-on of their workspace. */
import type { Deps, Unit } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import type { AuditRecorder } from '../../audit/audit-log.ts'
import { isCustomer } from '../../domain/customers.ts'
import { OWNER } from '../../domain/fixed-roles.ts'
import type { IdentitySettings } from '../../options.ts'
import type { SignInFlows } from '../sign-in-flows.ts'
import { ssoProblems } from './problems.ts'
import { includesSso } from './sso-entitlement.ts'

/** An earlier sign-in of the same person, which was allowed. */
export const EARLIER_LOGIN = 'login'

/** The headers of the request: the browser may keep whom a provider identified, until they have proved their account. */
type Headers = Parameters<SignInFlows['read']>[0]

export interface SsoRequirement {
  /**
   * Throws `sso_required` if a workspace of the user requires its single sign-on for their address, or for them as a
   * member. Owners of the workspace may sign in another way, because the provider can be down; this is recorded.
   * @param verifiedBy the workspace whose provider verified the user, or `EARLIER_LOGIN`
   */
  assertMet(unit: Unit, userId: string, verifiedBy: string | undefined, headers: Headers): Promise<void>
  /** Whether the member stays under the single sign-on of the workspace, also with an address of another domain. */
  isBound(unit: Unit, tenantId: string, userId: string): Promise<boolean>
  /** Whether another member who stays under it had this address before. */
  hadBound(unit: Unit, tenantId: string, email: string, userId: string | undefined): Promise<boolean>
}
type Needs = Deps<never, 'entitlements'> & {
  readonly audit: AuditRecorder
  readonly flows: SignInFlows
  readonly settings: Pick<IdentitySettings, 'customerRole'>
}

interface Row {
  readonly id: string
  readonly tenant_id: string
  readonly roles: readonly string[]
  readonly email_key: string
}

export function createSsoRequirement({ entitlements, audit, flows, settings }: Needs): SsoRequirement {
  /** The provider of the workspace identified the person with this address, in this browser and this sign-in. */
  function isIdentified({ tenant_id: tenantId, email_key: key }: Row, headers: Headers): boolean {
    const { person } = flows.read(headers) ?? {}
    return person?.tenantId === tenantId && person.email !== undefined && emailKey(person.email) === key
  }

  return {
    async assertMet(unit, userId, verifiedBy, headers) {
      if (verifiedBy === EARLIER_LOGIN) return
      const { rows } = await unit.query<Row>(
        `select c.id, c.tenant_id, m.roles, u.email_key from identity_users u
         join identity_members m on m.user_id = u.id
         join identity_sso_connections c on c.tenant_id = m.tenant_id and c.enabled and c.required
         where u.id = $1 and exists (
           select from identity_sso_domains d where d.tenant_id = c.tenant_id and d.verified_at is not null
             and (m.sso_bound_at is not null or d.domain = split_part(u.email_key, '@', 2)))
         order by c.id`,
        [userId],
      )
      for (const row of rows) {
        const { id: subject, tenant_id: tenantId, roles } = row
        if (tenantId === verifiedBy || isIdentified(row, headers)) continue
        // Single sign-on is for the staff of a product of people.
        if (isCustomer(settings, roles)) continue
        if (!(await includesSso({ entitlements }, tenantId))) continue
        if (!roles.includes(OWNER)) throw ssoProblems.sso_required()
        const actor = { kind: 'system', id: 'single sign-on', userId } as const
        await audit.record(unit, { tenantId, action: 'sso.bypassed', actor, subject, details: { userId } })
      }
    },

    async isBound(unit, tenantId, userId) {
      const { rowCount } = await unit.query(
        'select from identity_members where tenant_id = $1 and user_id = $2 and sso_bound_at is not null',
        [tenantId, userId],
      )
      return rowCount > 0
    },

    async hadBound(unit, tenantId, email, userId) {
      const { rows } = await unit.query<{ id: string; former_emails: readonly string[] }>(
        `select u.id, u.former_emails from identity_members m join identity_users u on u.id = m.user_id
         where m.tenant_id = $1 and m.sso_bound_at is not null and u.former_emails <> '{}'`,
        [tenantId],
      )
      const key = emailKey(email)
      return rows.some(({ id, former_emails: former }) => id !== userId && former.some(old => emailKey(old) === key))
    },
  }
}
