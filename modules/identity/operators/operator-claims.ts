/** Claiming a new installation: a code printed to the terminal makes a user the owner of the operator's tenant. */
import { type Caller, type Deps, HOUR, together, type Unit } from '@larder-dev/larder/kernel'
import { type AuditRecorder, actorOf, SYSTEM_ACTOR } from '../audit/audit-log.ts'
import { OWNER, PLATFORM_ADMIN } from '../domain/fixed-roles.ts'
import { assertInPerson } from '../domain/in-person.ts'
import { hashSecret, newClaimCode, normalizeClaimCode } from '../domain/secrets.ts'
import { timeAt } from '../domain/time.ts'
import { isClaimed } from '../workspaces/claimed.ts'
import type { LastWorkspace } from '../workspaces/last-workspace.ts'
import type { Memberships } from '../workspaces/members/memberships.ts'
import { type Membership, tenantTable } from '../workspaces/records.ts'
import { lockTenant } from '../workspaces/tenant-record.ts'
import type { ProductAudience } from './audience.ts'
import { operatorProblems } from './problems.ts'
import { claimTable } from './records/claim.ts'

const CLAIM_TTL = 1 * HOUR

export interface OperatorClaims {
  /**
   * Creates the operator's tenant, and settles the audience of the product. Returns a new claim code, or null if the installation is claimed or an earlier code
   * is still valid. Runs at each start under the migration lock.
   */
  prepare(): Promise<string | null>
  /** False once the installation has an owner. */
  isOpen(): Promise<boolean>
  /** Throws `invalid_claim`, and `impersonated`. Each code works once. */
  claim(code: string, caller: Caller): Promise<Membership>
}
type Needs = Deps<'systemDatabase' | 'clock' | 'operator' | 'product'> & {
  readonly audit: AuditRecorder
  readonly lastWorkspace: LastWorkspace
  readonly memberships: Memberships
  readonly productAudience: ProductAudience
}

export function createOperatorClaims({
  systemDatabase,
  clock,
  operator,
  product,
  audit,
  lastWorkspace,
  memberships,
  productAudience,
}: Needs): OperatorClaims {
  async function createTenant(unit: Unit): Promise<void> {
    const { tenantId } = operator
    const now = timeAt(clock)
    const values = { id: tenantId, name: product.name, slug: 'operator', createdAt: now, updatedAt: now }
    const { rowCount } = await unit.query(...tenantTable.insertStep(values, 'on conflict (tenant_id) do nothing'))
    if (rowCount === 0) return
    await audit.record(unit, { tenantId, action: 'tenant.created', actor: SYSTEM_ACTOR, subject: tenantId })
  }

  async function createCode(unit: Unit): Promise<string | null> {
    if (await isClaimed(unit, operator.tenantId)) return null
    await unit.query('delete from identity_claims where expires_at <= $1', [timeAt(clock)])
    const { rowCount } = await unit.query('select 1 from identity_claims')
    if (rowCount > 0) return null
    const code = newClaimCode()
    await claimTable.insert(unit, {
      codeHash: hashSecret(normalizeClaimCode(code)),
      expiresAt: timeAt(clock, CLAIM_TTL),
    })
    return code
  }

  return {
    async prepare() {
      return systemDatabase
        .acrossTenants("the operator's tenant is created before it has members")
        .transaction(async unit => {
          await createTenant(unit)
          await productAudience.settle(unit)
          return createCode(unit)
        })
    },

    isOpen: async () =>
      !(await isClaimed(
        systemDatabase.acrossTenants('anyone may see whether the installation has an owner'),
        operator.tenantId,
      )),

    async claim(code, caller) {
      assertInPerson(caller)
      const { tenantId } = operator
      const roles = [OWNER, PLATFORM_ADMIN]
      const { userId } = caller
      const unit = systemDatabase.acrossTenants("a user claims the operator's tenant before they are a member")
      return unit.transaction(async unit => {
        const actor = actorOf(caller)
        const {
          claim: { rowCount },
          member,
        } = await together({
          claim: unit.query('delete from identity_claims where code_hash = $1 and expires_at > $2', [
            hashSecret(normalizeClaimCode(code)),
            timeAt(clock),
          ]),
          lock: lockTenant(unit, tenantId),
          member: memberships.find(unit, tenantId, userId),
        })
        if (rowCount === 0) throw operatorProblems.invalid_claim()
        const membership = member ?? (await memberships.insert(unit, { tenantId, userId, roles }))
        await unit.defer([
          [
            `update identity_members set updated_at = $3, suspended_at = null, suspension_reason = null,
               roles = array(select distinct unnest(roles || $2::text[]) order by 1) where id = $1`,
            [membership.id, roles, timeAt(clock)],
          ],
        ])
        await lastWorkspace.keepIn(unit, caller, tenantId)
        await audit.record(unit, { tenantId, action: 'operator.claimed', actor, subject: membership.id })
        return { ...membership, roles: [...new Set([...membership.roles, ...roles])] }
      })
    },
  }
}
