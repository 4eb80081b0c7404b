/** The port `entitlements`: checked in the transaction that uses an entitlement, without a call to the provider. */
import { type Deps, type LocalText, MIB, SECOND, together } from '@larder-dev/larder/kernel'
import { periodStart } from '../domain/calendar.ts'
import { type Entitlement, isWithinLimit, limitOf, nameOf, plansAllowing, UNLIMITED } from '../domain/plans.ts'
import type { EntitlementStatus, Entitlements, TenantPlan } from '../ports.ts'
import { problems } from '../problems.ts'
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
}

const MAX_PREDICTIONS = 10_000

/** Row storage only: its usage is cached for the same time. */
const PLAN_CACHE_MS = 5 * SECOND

interface Prediction {
  readonly plan: TenantPlan
  readonly readAt: number
}

type EntitlementDeps = Deps<'database' | 'clock' | 'usage' | 'caches'> & {
  readonly catalog: PlanCatalog
  readonly subscriptionRows: SubscriptionRepository
  readonly rowStorage: RowStorage
}

export function createEntitlementService(deps: EntitlementDeps): EntitlementService {
  const { database, clock, usage, caches, catalog, subscriptionRows, rowStorage } = deps
  const usageKeys = new Set<string>()
  /**
   * The last plan of each tenant, which predicts whether a lock is necessary. It decides on row storage only, whose
   * usage is cached for the same time.
   */
  const predictions = caches.keep(new Map<string, Prediction>())

  async function planOf(tenantId: string): Promise<TenantPlan> {
    const readAt = clock.now()
    const { key, entitlements } = await catalog.planFor(tenantId, await subscriptionRows.planKey(tenantId))
    const plan = { planKey: key, entitlements }
    const [oldest] = predictions.keys()
    predictions.delete(tenantId)
    if (predictions.size >= MAX_PREDICTIONS && oldest !== undefined) predictions.delete(oldest)
    predictions.set(tenantId, { plan, readAt })
    return plan
  }

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

  async function remainingCredits(tenantId: string, key: string): Promise<number> {
    const { rows } = await database.tenant(tenantId).query<{ remaining: string }>(
      `select coalesce(sum(remaining), 0) as remaining from billing_credit_lots
       where tenant_id = $1 and key = $2 and remaining > 0 and (expires_at is null or expires_at > $3)`,
      [tenantId, key, new Date(clock.now())],
    )
    return Number(rows[0]?.remaining ?? 0)
  }

  /** The statements are pipelined. For credits, the limit is the remaining balance. */
  async function statusOf(
    tenantId: string,
    entitlement: Entitlement,
    requested: number,
    planning: TenantPlan | Promise<TenantPlan> = planOf(tenantId),
  ): Promise<EntitlementStatus> {
    const { key, kind } = entitlement
    const { plan, used, remaining } = await together({
      plan: planning,
      used: usedOf(tenantId, entitlement),
      remaining: kind === 'credit' ? remainingCredits(tenantId, key) : undefined,
    })
    const limit = remaining ?? limitOf(plan, key)
    const allowed = isWithinLimit(kind, limit, used, requested)
    const others = catalog.plans.filter(other => other.key !== plan.planKey)
    const upgrade = allowed ? [] : plansAllowing(others, entitlement, { used, requested })
    return { key, limit, used, requested, allowed, upgrade }
  }

  async function isUnlimited(tenantId: string, { key, kind }: Entitlement): Promise<boolean> {
    const predicted = predictions.get(tenantId)
    if (kind === 'credit' || !predicted || limitOf(predicted.plan, key) !== UNLIMITED) return false
    return limitOf(await planOf(tenantId), key) === UNLIMITED
  }

  function recentPlan(tenantId: string): TenantPlan | undefined {
    const { plan, readAt = 0 } = predictions.get(tenantId) ?? {}
    const age = clock.now() - readAt
    return age >= 0 && age < PLAN_CACHE_MS ? plan : undefined
  }

  /** Counts the bytes if the plan allows them. Returns the figures of the refusal otherwise. */
  async function storesRows(tenantId: string, entitlement: Entitlement, bytes: number, plan: TenantPlan) {
    if (limitOf(plan, ROW_STORAGE) === UNLIMITED) return undefined
    const { allowed, ...extras } = await statusOf(tenantId, entitlement, bytes / MIB, plan)
    if (allowed) rowStorage.add(tenantId, bytes)
    return allowed ? undefined : extras
  }

  async function addToMeter(tenantId: string, { key, period }: Entitlement, amount: number): Promise<void> {
    await database.tenant(tenantId).defer([
      [
        `insert into billing_meters (tenant_id, key, period_start, used) values ($1, $2, $3, $4)
         on conflict (tenant_id, key, period_start) do update set used = billing_meters.used + excluded.used`,
        [tenantId, key, periodStart(period, clock.now()), amount],
      ],
    ])
  }

  async function require(tenantId: string, key: string, amount = 1): Promise<void> {
    const entitlement = catalog.entitlements.get(key)
    if (!entitlement) return
    if (!(await isUnlimited(tenantId, entitlement))) {
      // Pipelined with the plan and the count. The count is a separate statement, so it sees what the previous holder of
      // the lock committed.
      const lock = database.tenant(tenantId).lock('billing', tenantId, key)
      const { status } = await together({ status: statusOf(tenantId, entitlement, amount), lock })
      const { allowed, ...extras } = status
      if (!allowed) throw problems.entitlement_exceeded({ name: nameOf(entitlement) }, extras)
    }
    if (entitlement.kind === 'meter') await addToMeter(tenantId, entitlement, amount)
  }

  return {
    of: planOf,
    async planKeys(tenantIds) {
      const stored = await subscriptionRows.planKeys(tenantIds)
      const plans = tenantIds.map(async id => [id, (await catalog.planFor(id, stored.get(id) ?? null)).key] as const)
      return new Map(await Promise.all(plans))
    },
    // Inside a unit of the tenant, a nested transaction would cost a savepoint for nothing.
    require: (tenantId, key, amount) =>
      database.currentTenant() === tenantId
        ? require(tenantId, key, amount)
        : database.tenant(tenantId).transaction(() => require(tenantId, key, amount)),
    async requireRowStorage(tenantId, bytes) {
      const entitlement = catalog.entitlements.get(ROW_STORAGE)
      if (!entitlement) return
      const recent = recentPlan(tenantId)
      if (recent && (await storesRows(tenantId, entitlement, bytes, recent)) === undefined) return
      const refused = await storesRows(tenantId, entitlement, bytes, await planOf(tenantId))
      if (refused) throw problems.entitlement_exceeded({ name: nameOf(entitlement) }, refused)
    },
    check(tenantId, key, requested = 1) {
      const entitlement = catalog.entitlements.get(key)
      if (entitlement) return statusOf(tenantId, entitlement, requested)
      return Promise.resolve({ key, limit: UNLIMITED, used: 0, requested, allowed: true, upgrade: [] })
    },
    async list(tenantId) {
      const plan = planOf(tenantId)
      const overviews = [...catalog.entitlements.values()].map(async entitlement => {
        const { kind, unit = null, name = null } = entitlement
        const period = kind === 'meter' ? (entitlement.period ?? 'month') : null
        return { ...(await statusOf(tenantId, entitlement, 0, plan)), kind, unit, name, period }
      })
      return Promise.all(overviews)
    },
  }
}
