/** Rows of subscriptions: one per tenant, created when it is first needed. */
import { type Deps, newId, together, type Unit } from '@larder-dev/larder/kernel'
import type { History } from '../domain/event-history.ts'
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
  /** The plan whose entitlements hold. Null: the default plan, also while payment is paused. */
  planKey(tenantId: string): Promise<string | null>
  /** The newest events of the tenant's subscription; undefined for none. */
  history(unit: Unit, tenantId: string): Promise<History | undefined>
  writeHistory(unit: Unit, tenantId: string, history: History): Promise<void>
  /** Whether a checkout of this subscription of the provider was recorded before. */
  hasCheckout(unit: Unit, tenantId: string, subscription: string | null): Promise<boolean>
  recordCheckout(unit: Unit, tenantId: string, subscription: string): Promise<void>
  /** Tenant ID → the plan whose entitlements hold, without tenants that have no subscription. Across tenants. */
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
      return effectivePlan(await subscriptionTable.find(unit, { tenantId }))
    },
    async history(unit, tenantId) {
      const { rows } = await unit.query<{ history: History }>(
        'select history from billing_event_histories where tenant_id = $1',
        [tenantId],
      )
      return rows[0]?.history
    },
    async writeHistory(unit, tenantId, history) {
      await unit.defer([
        [
          `insert into billing_event_histories (tenant_id, history) values ($1, $2)
           on conflict (tenant_id) do update set history = excluded.history`,
          [tenantId, JSON.stringify(history)],
        ],
      ])
    },
    async hasCheckout(unit, tenantId, subscription) {
      const { rowCount } = await unit.query(
        'select from billing_checkouts where tenant_id = $1 and subscription = $2',
        [tenantId, subscription],
      )
      return rowCount > 0
    },
    async recordCheckout(unit, tenantId, subscription) {
      await unit.defer([
        ['insert into billing_checkouts (tenant_id, subscription) values ($1, $2)', [tenantId, subscription]],
      ])
    },
    async planKeys(tenantIds) {
      const unit = systemDatabase.acrossTenants('a list of tenants shows their plans')
      const rows = await subscriptionTable.findMany(unit, { tenantId: tenantIds })
      return new Map(rows.map(row => [row.tenantId, effectivePlan(row)]))
    },
  }
}

const effectivePlan = (row: Pick<SubscriptionRow, 'planKey' | 'paymentPaused'> | undefined): string | null =>
  row === undefined || row.paymentPaused ? null : row.planKey
