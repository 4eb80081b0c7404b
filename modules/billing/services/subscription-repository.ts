/** Rows of subscriptions: one per tenant, created when it is first needed. */
import { type Deps, newId, together, type Unit } from '@larder-dev/larder/kernel'
import { type SubscriptionRow, subscriptionTable } from '../records.ts'

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

export function createSubscriptionRepository({
  database,
  systemDatabase,
  clock,
}: Deps<'database' | 'systemDatabase' | 'clock'>): SubscriptionRepository {
  async function create(unit: Unit, tenantId: string): Promise<void> {
    const now = new Date(clock.now())
    const row = { tenantId, id: newId('sub', clock.now()), state: 'free', createdAt: now, updatedAt: now } as const
    await unit.query(...subscriptionTable.insertStep(row, 'on conflict (tenant_id) do nothing'))
  }

  async function getOrCreate(tenantId: string): Promise<SubscriptionRow> {
    const unit = database.tenant(tenantId)
    const [row] = await subscriptionTable.query(
      unit,
      `with found as (select ${subscriptionTable.columns()} from billing_subscriptions where tenant_id = $1),
       created as (
         insert into billing_subscriptions (tenant_id, id, state, created_at, updated_at)
         select $1, $2, 'free', $3, $3 where not exists (select from found)
         on conflict (tenant_id) do nothing returning ${subscriptionTable.columns()})
       select * from found union all select * from created`,
      [tenantId, newId('sub', clock.now()), new Date(clock.now())],
    )
    // Nothing is returned if another transaction has created it since this statement began.
    return row ?? subscriptionTable.get(unit, { tenantId })
  }

  return {
    create,
    getOrCreate,
    get: async tenantId =>
      (await subscriptionTable.find(database.tenant(tenantId), { tenantId })) ?? getOrCreate(tenantId),
    async lock(unit, tenantId) {
      const lock = () => subscriptionTable.find(unit, { tenantId }, { lock: true })
      const row = await lock()
      if (row) return row
      const { created } = await together({ inserted: create(unit, tenantId), created: lock() })
      return created as SubscriptionRow
    },
    async planKey(tenantId) {
      const current = database.currentTenant()
      const unit =
        current === undefined || current === tenantId
          ? database.tenant(tenantId)
          : systemDatabase.acrossTenants("the plan of a new tenant is read inside another tenant's unit of work")
      return (await subscriptionTable.find(unit, { tenantId }))?.planKey ?? null
    },
    async planKeys(tenantIds) {
      const unit = systemDatabase.acrossTenants('a list of tenants shows their plans')
      const rows = await subscriptionTable.findMany(unit, { tenantId: tenantIds })
      return new Map(rows.map(({ tenantId, planKey }) => [tenantId, planKey]))
    },
  }
}
