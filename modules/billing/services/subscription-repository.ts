/** Rows of subscriptions: one per tenant, created when it is first needed. */
import { type Deps, inOrder, newId, type Unit } from 'larder/kernel'
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
  /** The provider's id of the customer. */
  readonly customerId: string | null
  readonly providerSubscriptionId: string | null
  /** Whether the development provider's next payment succeeds. */
  readonly paymentsSucceed: boolean
  readonly lastEventAt: Date | null
  /** Day of the month on which periods end. */
  readonly anchorDay: number | null
  /** Days by which the dates were moved back. */
  readonly shiftedDays: number
  readonly createdAt: Date
  readonly updatedAt: Date
}
export interface SubscriptionRepository {
  /** Creates the tenant's subscription on the default plan unless it has one. */
  create(unit: Unit, tenantId: string): Promise<void>
  /** Creates the row if necessary. */
  get(tenantId: string): Promise<SubscriptionRow>
  /** The same in one statement, which can write and is never repeated. */
  getOrCreate(tenantId: string): Promise<SubscriptionRow>
  /** The row, locked until the unit ends. Creates it if necessary. */
  lock(unit: Unit, tenantId: string): Promise<SubscriptionRow>
  /** Null: the default plan. */
  planKey(tenantId: string): Promise<string | null>
  /** Tenant ID → the same, without tenants that have no subscription. Across tenants. */
  planKeys(tenantIds: readonly string[]): Promise<ReadonlyMap<string, string | null>>
}

const COLUMNS = `id, tenant_id as "tenantId", state, plan_key as "planKey", trial_used as "trialUsed",
  trial_ends_at as "trialEndsAt", current_period_end as "currentPeriodEnd", grace_ends_at as "graceEndsAt",
  cancel_at_period_end as "cancelAtPeriodEnd", provider_customer as "customerId",
  provider_subscription as "providerSubscriptionId", payments_succeed as "paymentsSucceed",
  last_event_at as "lastEventAt", anchor_day as "anchorDay", shifted_days as "shiftedDays", created_at as "createdAt", updated_at as "updatedAt"`

export function createSubscriptionRepository({
  database,
  systemDatabase,
  clock,
}: Deps<'database' | 'systemDatabase' | 'clock'>): SubscriptionRepository {
  const read = async (unit: Unit, tenantId: string, lock = ''): Promise<SubscriptionRow | undefined> => {
    const sql = `select ${COLUMNS} from billing_subscriptions where tenant_id = $1 ${lock}`
    return (await unit.query<SubscriptionRow>(sql, [tenantId])).rows[0]
  }

  const newRow = (tenantId: string) => [tenantId, newId('sub', clock.now()), new Date(clock.now())]

  async function create(unit: Unit, tenantId: string): Promise<void> {
    await unit.query(
      `insert into billing_subscriptions (tenant_id, id, state, created_at, updated_at)
       values ($1, $2, 'free', $3, $3) on conflict (tenant_id) do nothing`,
      newRow(tenantId),
    )
  }

  async function getOrCreate(tenantId: string): Promise<SubscriptionRow> {
    const unit = database.tenant(tenantId)
    const { rows } = await unit.query<SubscriptionRow>(
      `with found as (select ${COLUMNS} from billing_subscriptions where tenant_id = $1),
       created as (
         insert into billing_subscriptions (tenant_id, id, state, created_at, updated_at)
         select $1, $2, 'free', $3, $3 where not exists (select from found)
         on conflict (tenant_id) do nothing returning ${COLUMNS})
       select * from found union all select * from created`,
      newRow(tenantId),
    )
    // Nothing is returned if another transaction has created it since this statement began.
    return rows[0] ?? ((await read(unit, tenantId)) as SubscriptionRow)
  }

  return {
    create,
    getOrCreate,
    get: async tenantId => (await read(database.tenant(tenantId), tenantId)) ?? getOrCreate(tenantId),
    async lock(unit, tenantId) {
      const row = await read(unit, tenantId, 'for update')
      if (row) return row
      const [, created] = await inOrder(create(unit, tenantId), read(unit, tenantId, 'for update'))
      return created as SubscriptionRow
    },
    async planKey(tenantId) {
      const current = database.currentTenant()
      const unit =
        current === undefined || current === tenantId
          ? database.tenant(tenantId)
          : systemDatabase.acrossTenants("the plan of a new tenant is read inside another tenant's unit of work")
      const { rows } = await unit.query<{ planKey: string | null }>(
        'select plan_key as "planKey" from billing_subscriptions where tenant_id = $1',
        [tenantId],
      )
      return rows[0]?.planKey ?? null
    },
    async planKeys(tenantIds) {
      const { rows } = await systemDatabase
        .acrossTenants('a list of tenants shows their plans')
        .query<Pick<SubscriptionRow, 'tenantId' | 'planKey'>>(
          'select tenant_id as "tenantId", plan_key as "planKey" from billing_subscriptions where tenant_id = any ($1)',
          [tenantIds],
        )
      return new Map(rows.map(({ tenantId, planKey }) => [tenantId, planKey]))
    },
  }
}
