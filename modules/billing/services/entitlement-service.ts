/** The port `entitlements`: checked in the transaction that uses an entitlement, without a call to the provider. */
import { type Deps, type LocalText, MIB } from 'larder/kernel'
import { periodStart } from '../domain/calendar.ts'
import { type Entitlement, isWithinLimit, limitOf, plansAllowing, UNLIMITED } from '../domain/plans.ts'
import type { EntitlementStatus, Entitlements } from '../ports.ts'
import { problems } from '../problems.ts'
import { createPlanCache } from './plan-cache.ts'
import type { PlanCatalog } from './plan-catalog.ts'
import { ROW_STORAGE, type RowStorage } from './row-storage.ts'
import type { SubscriptionRepository } from './subscription-repository.ts'

export interface EntitlementOverview extends EntitlementStatus {
  readonly kind: Entitlement['kind']
  readonly name: LocalText | null
  readonly unit: string | null
  readonly period: 'day' | 'month' | null
}
export interface EntitlementService extends Entitlements {
  /** Every entitlement of the recipe, in its order. */
  list(tenantId: string): Promise<EntitlementOverview[]>
  stop(): void
}

interface Collaborators {
  readonly catalog: PlanCatalog
  readonly subscriptionRows: SubscriptionRepository
  readonly rowStorage: RowStorage
}

export function createEntitlementService(
  deps: Deps<'database' | 'bus' | 'clock' | 'usage'>,
  { catalog, subscriptionRows, rowStorage }: Collaborators,
): EntitlementService {
  const { database, clock, usage } = deps
  const usageKeys = new Set<string>()
  const plans = createPlanCache(deps, async tenantId => {
    const { key, entitlements } = await catalog.planFor(tenantId, await subscriptionRows.planKey(tenantId))
    return { planKey: key, entitlements }
  })

  /** The keys are complete once every module is created, so they are read on first use. */
  function hasUsage(key: string): boolean {
    if (usageKeys.size === 0) for (const known of usage.keys()) usageKeys.add(known)
    return usageKeys.has(key)
  }

  async function usedOf(tenantId: string, { key, kind, period }: Entitlement): Promise<number> {
    if (kind === 'gauge') return hasUsage(key) ? usage.count(key, tenantId) : 0
    if (kind !== 'meter') return 0
    const { rows } = await database
      .tenant(tenantId)
      .query<{ used: string }>(
        'select used from billing_meters where tenant_id = $1 and key = $2 and period_start = $3',
        [tenantId, key, periodStart(period, clock.now())],
      )
    return Number(rows[0]?.used ?? 0)
  }

  /** For credits, the remaining balance. */
  async function limitFor(tenantId: string, entitlement: Entitlement): Promise<number> {
    if (entitlement.kind !== 'credit') return limitOf(await plans.of(tenantId), entitlement.key)
    const { rows } = await database.tenant(tenantId).query<{ remaining: string }>(
      `select coalesce(sum(remaining), 0) as remaining from billing_credit_lots
       where tenant_id = $1 and key = $2 and remaining > 0 and (expires_at is null or expires_at > $3)`,
      [tenantId, entitlement.key, new Date(clock.now())],
    )
    return Number(rows[0]?.remaining ?? 0)
  }

  async function statusOf(tenantId: string, entitlement: Entitlement, requested: number): Promise<EntitlementStatus> {
    const [limit, used] = await Promise.all([limitFor(tenantId, entitlement), usedOf(tenantId, entitlement)])
    const allowed = isWithinLimit(entitlement.kind, limit, used, requested)
    const { planKey } = await plans.of(tenantId)
    const others = catalog.plans.filter(({ key }) => key !== planKey)
    const upgrade = allowed ? [] : plansAllowing(others, entitlement, { used, requested })
    return { key: entitlement.key, limit, used, requested, allowed, upgrade }
  }

  async function addToMeter(tenantId: string, { key, period }: Entitlement, amount: number): Promise<void> {
    await database.tenant(tenantId).query(
      `insert into billing_meters (tenant_id, key, period_start, used) values ($1, $2, $3, $4)
       on conflict (tenant_id, key, period_start) do update set used = billing_meters.used + excluded.used`,
      [tenantId, key, periodStart(period, clock.now()), amount],
    )
  }

  async function require(tenantId: string, key: string, amount = 1): Promise<void> {
    const entitlement = catalog.entitlements.get(key)
    if (!entitlement) return
    const isUnlimited = entitlement.kind !== 'credit' && limitOf(await plans.of(tenantId), key) === UNLIMITED
    if (!isUnlimited) {
      // The lock and the count are pipelined. The count is a separate statement, so it sees what the previous holder
      // of the lock committed.
      const lock = database
        .tenant(tenantId)
        .query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`billing ${tenantId} ${key}`])
      const [status] = await Promise.all([statusOf(tenantId, entitlement, amount), lock])
      const { allowed, ...extras } = status
      if (!allowed) throw problems.entitlement_exceeded({ key }, extras)
    }
    if (entitlement.kind === 'meter') await addToMeter(tenantId, entitlement, amount)
  }

  return {
    of: plans.of,
    stop: plans.stop,
    // Inside a unit of the tenant, a nested transaction would cost a savepoint for nothing.
    require: (tenantId, key, amount) =>
      database.currentTenant() === tenantId
        ? require(tenantId, key, amount)
        : database.tenant(tenantId).transaction(() => require(tenantId, key, amount)),
    async requireRowStorage(tenantId, bytes) {
      const entitlement = catalog.entitlements.get(ROW_STORAGE)
      if (!entitlement || limitOf(await plans.of(tenantId), ROW_STORAGE) === UNLIMITED) return
      const { allowed, ...extras } = await statusOf(tenantId, entitlement, bytes / MIB)
      if (!allowed) throw problems.entitlement_exceeded({ key: ROW_STORAGE }, extras)
      rowStorage.add(tenantId, bytes)
    },
    check(tenantId, key, requested = 1) {
      const entitlement = catalog.entitlements.get(key)
      if (entitlement) return statusOf(tenantId, entitlement, requested)
      return Promise.resolve({ key, limit: UNLIMITED, used: 0, requested, allowed: true, upgrade: [] })
    },
    async list(tenantId) {
      const overviews = []
      for (const entitlement of catalog.entitlements.values()) {
        const { kind, unit = null, name = null } = entitlement
        const period = kind === 'meter' ? (entitlement.period ?? 'month') : null
        overviews.push({ ...(await statusOf(tenantId, entitlement, 0)), kind, unit, name, period })
      }
      return overviews
    },
  }
}
