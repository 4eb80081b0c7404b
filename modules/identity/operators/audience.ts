/** The audience of the product, which stays what it was when people signed up. */
import type { Deps, RecipeChange, Unit } from '@larder-dev/larder/kernel'
import { isCustomerSql } from '../domain/customers.ts'
import { timeAt } from '../domain/time.ts'
import type { IdentitySettings } from '../options.ts'
import { operatorErrors } from './problems.ts'
import { audienceTable } from './records/audience.ts'

export interface ProductAudience {
  /**
   * Records the audience. Customers follow when the role of the registration changes. Throws `audience_in_use` if people have
   * signed up with another audience. Runs at each start under the migration lock.
   */
  settle(unit: Unit): Promise<void>
  /** What `settle` would change, or refuse. */
  plan(): Promise<readonly RecipeChange[]>
}
interface Recorded {
  readonly audience: 'teams' | 'people'
  readonly customer_role: string | null
}
type Needs = Deps<'systemDatabase' | 'clock' | 'operator' | 'product'> & {
  readonly settings: Pick<IdentitySettings, 'customerRole'>
}

/** Installations of earlier versions have no record. */
const TEAMS: Recorded = { audience: 'teams', customer_role: null }

/** People who belong to a workspace of their own, or to none. */
const COUNT_OUTSIDE = `select count(*)::int as people from identity_users u
  where exists (select from identity_members m where m.user_id = u.id and m.tenant_id <> $1)
     or not exists (select from identity_members m where m.user_id = u.id)`
const COUNT_CUSTOMERS = `select count(*)::int as people from identity_members
  where tenant_id = $1 and ${isCustomerSql('roles', '$2')}`

export function createAudience({ systemDatabase, clock, operator, product, settings }: Needs): ProductAudience {
  const { audience } = product
  const role = settings.customerRole ?? null

  async function recorded(unit: Unit): Promise<Recorded> {
    const { rows } = await unit.query<Recorded>('select audience, customer_role from identity_audience')
    return rows[0] ?? TEAMS
  }

  /** The number of people for whom another audience would be wrong. */
  async function peopleOf(unit: Unit, before: Recorded): Promise<number> {
    const { rows } = await (before.audience === 'teams'
      ? unit.query<{ people: number }>(COUNT_OUTSIDE, [operator.tenantId])
      : unit.query<{ people: number }>(COUNT_CUSTOMERS, [operator.tenantId, before.customer_role]))
    return rows[0]?.people ?? 0
  }

  return {
    async settle(unit) {
      const before = await recorded(unit)
      const count = before.audience === audience ? 0 : await peopleOf(unit, before)
      if (count > 0) throw operatorErrors.audience_in_use({ before: before.audience, after: audience, count })
      if (before.audience === audience && before.customer_role !== role)
        await unit.query(
          `update identity_members set roles = array[$3::text], updated_at = $4
           where tenant_id = $1 and ${isCustomerSql('roles', '$2')}`,
          [operator.tenantId, before.customer_role, role, timeAt(clock)],
        )
      const values = { id: true, audience, customerRole: role }
      const replace =
        'on conflict (id) do update set audience = excluded.audience, customer_role = excluded.customer_role'
      await unit.query(...audienceTable.insertStep(values, replace))
    },

    async plan() {
      const unit = systemDatabase.acrossTenants('people who signed up with another audience are counted')
      const before = await recorded(unit)
      if (before.audience !== audience) {
        const count = await peopleOf(unit, before)
        const breaks = `${count} people have signed up to a product of ${before.audience}; the product cannot start`
        const detail = `${before.audience} → ${audience}`
        return [{ change: 'change', subject: 'audience of the product', detail, ...(count > 0 && { breaks }) }]
      }
      if (before.customer_role === role) return []
      const { rows } = await unit.query<{ people: number }>(COUNT_CUSTOMERS, [operator.tenantId, before.customer_role])
      const detail = `${before.customer_role} → ${role}, which ${rows[0]?.people ?? 0} customers get`
      return [{ change: 'change', subject: 'role of the registration', detail }]
    },
  }
}
