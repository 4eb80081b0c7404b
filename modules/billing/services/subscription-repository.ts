/** Subscriptions in the database: one for each tenant, made when it is first needed. */
import { type Deps, newId, type Unit } from 'larder/kernel'
import type { State } from '../domain/subscription-states.ts'

export interface SubscriptionRow {
  readonly id: string
  readonly tenantId: string
  readonly state: State
  /** Null: the default plan. */
  readonly planKey: string | null
  readonly trialUsed: boolean
  readonly trialEndsAt: Date | null
  readonly currentPeriodEnd: Date | null
  readonly graceEndsAt: Date | null
  readonly cancelAtPeriodEnd: boolean
  readonly customer: string | null
  /** The provider's id of it. */
  readonly reference: string | null
  readonly pays: boolean
  readonly lastEventAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

const COLUMNS = `id, tenant_id as "tenantId", state, plan_key as "planKey", trial_used as "trialUsed",
  trial_ends_at as "trialEndsAt", current_period_end as "currentPeriodEnd", grace_ends_at as "graceEndsAt",
  cancel_at_period_end as "cancelAtPeriodEnd", provider_customer as customer, provider_subscription as reference,
  pays, last_event_at as "lastEventAt", created_at as "createdAt", updated_at as "updatedAt"`

export function createSubscriptionRows({ database, clock }: Deps<'database' | 'clock'>) {
  const read = async (unit: Unit, tenantId: string, lock = ''): Promise<SubscriptionRow | undefined> => {
    const sql = `select ${COLUMNS} from billing_subscriptions where tenant_id = $1 ${lock}`
    return (await unit.query<SubscriptionRow>(sql, [tenantId])).rows[0]
  }

  /** As it is, or a new one on the default plan. */
  async function open(unit: Unit, tenantId: string): Promise<void> {
    const now = new Date(clock.now())
    await unit.query(
      `insert into billing_subscriptions (tenant_id, id, state, created_at, updated_at)
       values ($1, $2, 'free', $3, $3) on conflict (tenant_id) do nothing`,
      [tenantId, newId('sub', clock.now()), now],
    )
  }

  return {
    open,
    async get(tenantId: string): Promise<SubscriptionRow> {
      const unit = database.tenant(tenantId)
      const found = await read(unit, tenantId)
      if (found) return found
      await open(unit, tenantId)
      return (await read(unit, tenantId)) as SubscriptionRow
    },
    /** Held until the unit ends. */
    async hold(unit: Unit, tenantId: string): Promise<SubscriptionRow> {
      const found = await read(unit, tenantId, 'for update')
      if (found) return found
      await open(unit, tenantId)
      return (await read(unit, tenantId, 'for update')) as SubscriptionRow
    },
    /** Null: the default plan. */
    async planKey(tenantId: string): Promise<string | null> {
      const { rows } = await database
        .system('the plan of a new workspace is asked for in the unit of work of another')
        .query<{ planKey: string | null }>(
          'select plan_key as "planKey" from billing_subscriptions where tenant_id = $1',
          [tenantId],
        )
      return rows[0]?.planKey ?? null
    },
  }
}
export type SubscriptionRows = ReturnType<typeof createSubscriptionRows>
