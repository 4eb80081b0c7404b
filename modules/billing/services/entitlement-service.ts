/** The port `entitlements`: asked in the transaction that uses what was bought, without a call to anybody else. */
import type { Deps } from 'larder/kernel'
import { type Entitlement, fits, limitOf, UNLIMITED, upgradesOf } from '../domain/plans.ts'
import { periodStart } from '../domain/calendar.ts'
import type { Entitlements, Standing } from '../ports.ts'
import { problems } from '../problems.ts'
import type { Catalogue } from './plan-catalog.ts'
import { createPlanMemory } from './plan-cache.ts'
import type { SubscriptionRows } from './subscription-repository.ts'

interface Parts {
  readonly catalogue: Catalogue
  readonly rows: SubscriptionRows
}

export interface ShownStanding extends Standing {
  readonly kind: Entitlement['kind']
  readonly name: string | null
  readonly unit: string | null
  readonly period: 'day' | 'month' | null
}

export interface EntitlementService extends Entitlements {
  /** Every entitlement of the recipe, in its order. */
  all(tenantId: string): Promise<ShownStanding[]>
  stop(): void
}

export function createEntitlements(
  deps: Deps<'database' | 'bus' | 'clock' | 'usage'>,
  { catalogue, rows }: Parts,
): EntitlementService {
  const { database, clock, usage } = deps
  const counted = new Set<string>()
  const memory = createPlanMemory(deps, async tenantId => {
    const { key, entitlements } = await catalogue.planOf(tenantId, await rows.planKey(tenantId))
    return { planKey: key, entitlements }
  })

  /** Which keys are counted is known once every module is made. */
  function isCounted(key: string): boolean {
    if (counted.size === 0) for (const known of usage.keys()) counted.add(known)
    return counted.has(key)
  }

  async function usedOf(tenantId: string, { key, kind, period }: Entitlement): Promise<number> {
    if (kind === 'gauge') return isCounted(key) ? usage.count(key, tenantId) : 0
    if (kind !== 'meter') return 0
    const { rows } = await database
      .tenant(tenantId)
      .query<{ used: string }>(
        'select used from billing_meters where tenant_id = $1 and key = $2 and period_start = $3',
        [tenantId, key, periodStart(period, clock.now())],
      )
    return Number(rows[0]?.used ?? 0)
  }

  /** What is left of credits is their limit. */
  async function limitFor(tenantId: string, entitlement: Entitlement): Promise<number> {
    if (entitlement.kind !== 'credit') return limitOf(await memory.of(tenantId), entitlement.key)
    const { rows } = await database.tenant(tenantId).query<{ left: string }>(
      `select coalesce(sum(remaining), 0) as left from billing_credit_lots
       where tenant_id = $1 and key = $2 and remaining > 0 and (expires_at is null or expires_at > $3)`,
      [tenantId, entitlement.key, new Date(clock.now())],
    )
    return Number(rows[0]?.left ?? 0)
  }

  async function standingOf(tenantId: string, entitlement: Entitlement, requested: number): Promise<Standing> {
    const [limit, used] = await Promise.all([limitFor(tenantId, entitlement), usedOf(tenantId, entitlement)])
    const allowed = fits(entitlement.kind, limit, used, requested)
    const { planKey } = await memory.of(tenantId)
    const others = catalogue.plans.filter(({ key }) => key !== planKey)
    const upgrade = allowed ? [] : upgradesOf(others, entitlement, { used, requested })
    return { key: entitlement.key, limit, used, requested, allowed, upgrade }
  }

  async function meter(tenantId: string, { key, period }: Entitlement, amount: number): Promise<void> {
    await database.tenant(tenantId).query(
      `insert into billing_meters (tenant_id, key, period_start, used) values ($1, $2, $3, $4)
       on conflict (tenant_id, key, period_start) do update set used = billing_meters.used + excluded.used`,
      [tenantId, key, periodStart(period, clock.now()), amount],
    )
  }

  async function require(tenantId: string, key: string, amount = 1): Promise<void> {
    const entitlement = catalogue.entitlements.get(key)
    if (!entitlement) return
    const unlimited = entitlement.kind !== 'credit' && limitOf(await memory.of(tenantId), key) === UNLIMITED
    if (!unlimited) {
      // Sent one behind the other without waiting: the count is a statement of its own, and sees what the lock's last
      // holder committed.
      const lock = database
        .tenant(tenantId)
        .query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`billing ${tenantId} ${key}`])
      const [standing] = await Promise.all([standingOf(tenantId, entitlement, amount), lock])
      const { allowed, ...said } = standing
      if (!allowed) throw problems.entitlement_exceeded({ key }, said)
    }
    if (entitlement.kind === 'meter') await meter(tenantId, entitlement, amount)
  }

  return {
    of: memory.of,
    stop: memory.stop,
    require: (tenantId, key, amount) =>
      // A unit of its own inside the tenant's would be one more thing to open and to close.
      database.currentTenant() === tenantId
        ? require(tenantId, key, amount)
        : database.tenant(tenantId).transaction(() => require(tenantId, key, amount)),
    standing(tenantId, key, requested = 1) {
      const entitlement = catalogue.entitlements.get(key)
      if (entitlement) return standingOf(tenantId, entitlement, requested)
      return Promise.resolve({ key, limit: UNLIMITED, used: 0, requested, allowed: true, upgrade: [] })
    },
    async all(tenantId) {
      const found = []
      for (const entitlement of catalogue.entitlements.values()) {
        const { kind, unit = null, name = null } = entitlement
        const period = kind === 'meter' ? (entitlement.period ?? 'month') : null
        found.push({ ...(await standingOf(tenantId, entitlement, 0)), kind, unit, name, period })
      }
      return found
    },
  }
}
