/** How the operator of an installation becomes its owner: with a code that only their terminal shows. */
import { type Caller, type Deps, HOUR, type Unit } from 'larder/kernel'
import { OWNER, PLATFORM_ADMIN } from '../domain/fixed-roles.ts'
import { hashSecret, newClaimCode, readClaimCode } from '../domain/secrets.ts'
import { timeAt } from '../domain/time.ts'
import { problems } from '../problems.ts'
import type { Membership } from '../schemas.ts'
import type { Changes } from './access-changes.ts'
import { type Audit, BY_SYSTEM, byCaller } from './audit.ts'
import type { Memberships } from './memberships.ts'

const CLAIM_TTL = 1 * HOUR

interface Parts {
  readonly audit: Audit
  readonly changes: Changes
  readonly memberships: Memberships
}

export function createClaims(
  { database, clock, operator, product }: Deps<'database' | 'clock' | 'operator' | 'product'>,
  { audit, changes, memberships }: Parts,
) {
  async function isClaimed(unit: Unit): Promise<boolean> {
    const { rowCount } = await unit.query(
      'select 1 from identity_members where tenant_id = $1 and $2 = any (roles) limit 1',
      [operator.tenantId, PLATFORM_ADMIN],
    )
    return rowCount > 0
  }

  /** The operator's own tenant, as the recipe names it. */
  async function ensureTenant(unit: Unit): Promise<void> {
    const { tenantId } = operator
    const { rowCount } = await unit.query(
      `insert into identity_tenants (tenant_id, name, slug, created_at, updated_at) values ($1, $2, 'operator', $3, $3)
       on conflict (tenant_id) do nothing`,
      [tenantId, product.name, timeAt(clock)],
    )
    if (rowCount > 0) await audit.record(unit, { tenantId, action: 'tenant.created', by: BY_SYSTEM, subject: tenantId })
  }

  /** Null where somebody has claimed it, or a code that was shown is still good. */
  async function newCode(unit: Unit): Promise<string | null> {
    if (await isClaimed(unit)) return null
    await unit.query('delete from identity_claims where expires_at <= $1', [timeAt(clock)])
    const { rowCount } = await unit.query('select 1 from identity_claims')
    if (rowCount > 0) return null
    const code = newClaimCode()
    await unit.query('insert into identity_claims (code_hash, expires_at) values ($1, $2)', [
      hashSecret(readClaimCode(code)),
      timeAt(clock, CLAIM_TTL),
    ])
    return code
  }

  return {
    /** Returns the code to show, if one was made. Runs at each start, under the lock of the migrations. */
    async prepare(): Promise<string | null> {
      return database.system("the operator's tenant is made before anybody is there").transaction(async unit => {
        await ensureTenant(unit)
        return newCode(unit)
      })
    },

    /** Throws `invalid_claim`. Of two callers with one code, one. */
    async claim(typed: string, caller: Caller): Promise<Membership> {
      const { tenantId } = operator
      const roles = [OWNER, PLATFORM_ADMIN]
      return database.system("who claims the operator's tenant is no member yet").transaction(async unit => {
        const { rowCount } = await unit.query('delete from identity_claims where code_hash = $1 and expires_at > $2', [
          hashSecret(readClaimCode(typed)),
          timeAt(clock),
        ])
        if (rowCount === 0) throw problems.invalid_claim()
        const by = byCaller(caller)
        const joined = await memberships.join(unit, { tenantId, userId: caller.userId, roles }, by)
        await unit.query(
          `update identity_members set updated_at = $3,
             roles = array(select distinct unnest(roles || $2::text[]) order by 1) where id = $1`,
          [joined.id, roles, timeAt(clock)],
        )
        await audit.record(unit, { tenantId, action: 'operator.claimed', by, subject: joined.id })
        changes.widened({ userId: caller.userId })
        return { ...joined, roles: [...new Set([...joined.roles, ...roles])] }
      })
    },
  }
}
export type Claims = ReturnType<typeof createClaims>
