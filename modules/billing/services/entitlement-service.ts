/** The port `entitlements`: checked in the transaction that uses an entitlement, without a call to the provider. */
import { type Deps, type LocalText, MIB, type Problem, SECOND, together } from '@larder-dev/larder/kernel'
import { periodStart } from '../domain/calendar.ts'
import { type Entitlement, isWithinLimit, limitOf, nameOf, plansAllowing, UNLIMITED } from '../domain/plans.ts'
import { type Subject, subjectId, workspaceOf } from '../domain/subject.ts'
import type { CallerEntitlements, EntitlementStatus, Entitlements, TenantPlan } from '../ports.ts'
import { exceededReasons, problems } from '../problems.ts'
import type { PlanCatalog } from './plan-catalog.ts'
import { ROW_STORAGE, type RowStorage } from './row-storage.ts'
import type { Subjects } from './subjects.ts'
import type { SubscriptionRepository } from './subscription-repository.ts'

export interface EntitlementOverview extends EntitlementStatus {
  readonly kind: Entitlement['kind']
  readonly name: LocalText | null
  readonly unit: string | null
  readonly period: 'day' | 'month' | null
}
export interface EntitlementService extends Entitlements {
  /** Every entitlement of the recipe, in its order. */
  list(subject: Subject): Promise<EntitlementOverview[]>
  /** As the port's `check`. */
  status(subject: Subject, key: string, requested?: number): Promise<EntitlementStatus>
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
  readonly subjects: Subjects
}

export function createEntitlementService(deps: EntitlementDeps): EntitlementService {
  const { database, clock, usage, caches, catalog, subscriptionRows, rowStorage, subjects } = deps
  const usageKeys = new Set<string>()
  /**
   * The last plan of each subject, which predicts whether a lock is necessary. It decides on row storage only, whose
   * usage is cached for the same time.
   */
  const predictions = caches.keep(new Map<string, Prediction>())

  async function planOf(subject: Subject): Promise<TenantPlan> {
    const id = subjectId(subject)
    const readAt = clock.now()
    const { key, entitlements } = await catalog.planFor(subject, await subscriptionRows.planKey(subject))
    const plan = { planKey: key, entitlements }
    const [oldest] = predictions.keys()
    predictions.delete(id)
    if (predictions.size >= MAX_PREDICTIONS && oldest !== undefined) predictions.delete(oldest)
    predictions.set(id, { plan, readAt })
    return plan
  }

  /** The keys are complete once every module is created, so they are read on first use. */
  function hasUsage(key: string): boolean {
    if (usageKeys.size === 0) for (const known of usage.keys()) usageKeys.add(known)
    return usageKeys.has(key)
  }

  async function usedOf(subject: Subject, { key, kind, period }: Entitlement): Promise<number> {
    const { tenantId, memberId, userId } = subject
    if (kind === 'gauge' && userId !== undefined) return usage.countPersonal(key, tenantId, userId)
    if (kind === 'gauge') return hasUsage(key) ? usage.count(key, tenantId) : 0
    if (kind !== 'meter') return 0
    const { rows } = await database
      .tenant(tenantId)
      .query<{ used: string }>(
        'select used from billing_meters where tenant_id = $1 and member_id = $2 and key = $3 and period_start = $4',
        [tenantId, memberId, key, periodStart(period, clock.now())],
      )
    return Number(rows[0]?.used ?? 0)
  }

  async function remainingCredits({ tenantId, memberId }: Subject, key: string): Promise<number> {
    const { rows } = await database.tenant(tenantId).query<{ remaining: string }>(
      `select coalesce(sum(remaining), 0) as remaining from billing_credit_lots
       where tenant_id = $1 and member_id = $2 and key = $3 and remaining > 0
         and (expires_at is null or expires_at > $4)`,
      [tenantId, memberId, key, new Date(clock.now())],
    )
    return Number(rows[0]?.remaining ?? 0)
  }

  /** The statements are pipelined. For credits, the limit is the remaining balance. */
  async function statusOf(
    subject: Subject,
    entitlement: Entitlement,
    requested: number,
    planning: TenantPlan | Promise<TenantPlan> = planOf(subject),
  ): Promise<EntitlementStatus> {
    const { key, kind } = entitlement
    const { plan, used, remaining } = await together({
      plan: planning,
      used: usedOf(subject, entitlement),
      remaining: kind === 'credit' ? remainingCredits(subject, key) : undefined,
    })
    const limit = remaining ?? limitOf(plan, key)
    const allowed = isWithinLimit(kind, limit, used, requested)
    const others = catalog.plans.filter(other => other.key !== plan.planKey)
    const upgrade = allowed ? [] : plansAllowing(others, entitlement, { used, requested })
    return { key, limit, used, requested, allowed, upgrade }
  }

  async function ofCaller(subject: Subject, keys: readonly string[]): Promise<CallerEntitlements> {
    const declared = keys.flatMap(key => catalog.entitlements.get(key) ?? [])
    const credits = declared.filter(({ kind }) => kind === 'credit')
    const { plan, remaining } = await together({
      plan: planOf(subject),
      remaining: Promise.all(credits.map(async ({ key }) => [key, await remainingCredits(subject, key)] as const)),
    })
    const allowed = declared
      .filter(({ kind }) => kind !== 'credit')
      .map(({ key, kind }) => {
        const limit = limitOf(plan, key)
        return [key, kind === 'flag' ? limit !== 0 : limit === UNLIMITED ? Number.MAX_SAFE_INTEGER : limit] as const
      })
    return { planKey: plan.planKey, values: Object.fromEntries([...allowed, ...remaining]) }
  }

  function status(subject: Subject, key: string, requested = 1): Promise<EntitlementStatus> {
    const entitlement = catalog.entitlements.get(key)
    if (entitlement) return statusOf(subject, entitlement, requested)
    return Promise.resolve({ key, limit: UNLIMITED, used: 0, requested, allowed: true, upgrade: [] })
  }

  async function isUnlimited(subject: Subject, { key, kind }: Entitlement): Promise<boolean> {
    const predicted = predictions.get(subjectId(subject))
    if (kind === 'credit' || !predicted || limitOf(predicted.plan, key) !== UNLIMITED) return false
    return limitOf(await planOf(subject), key) === UNLIMITED
  }

  function recentPlan(tenantId: string): TenantPlan | undefined {
    const { plan, readAt = 0 } = predictions.get(tenantId) ?? {}
    const age = clock.now() - readAt
    return age >= 0 && age < PLAN_CACHE_MS ? plan : undefined
  }

  /** Counts the bytes if the plan allows them. Returns the figures of the refusal otherwise. */
  async function storesRows(tenantId: string, entitlement: Entitlement, bytes: number, plan: TenantPlan) {
    if (limitOf(plan, ROW_STORAGE) === UNLIMITED) return undefined
    const { allowed, ...extras } = await statusOf(workspaceOf(tenantId), entitlement, bytes / MIB, plan)
    if (allowed) rowStorage.add(tenantId, bytes)
    return allowed ? undefined : extras
  }

  async function addToMeter({ tenantId, memberId }: Subject, { key, period }: Entitlement, amount: number) {
    await database.tenant(tenantId).defer([
      [
        `insert into billing_meters (tenant_id, member_id, key, period_start, used) values ($1, $2, $3, $4, $5)
         on conflict (${subjects.key}, key, period_start) do update set used = billing_meters.used + excluded.used`,
        [tenantId, memberId, key, periodStart(period, clock.now()), amount],
      ],
    ])
  }

  async function require(subject: Subject, key: string, amount = 1): Promise<void> {
    const entitlement = catalog.entitlements.get(key)
    if (!entitlement) return
    if (!(await isUnlimited(subject, entitlement))) {
      // Pipelined with the plan and the count. The count is a separate statement, so it sees what the previous holder of
      // the lock committed.
      const lock = database.tenant(subject.tenantId).lock('billing', subjectId(subject), key)
      const { status } = await together({ status: statusOf(subject, entitlement, amount), lock })
      const { allowed, ...extras } = status
      if (!allowed) throw exceeded(entitlement, extras)
    }
    if (entitlement.kind === 'meter') await addToMeter(subject, entitlement, amount)
  }

  return {
    of: holder => planOf(subjects.of(holder)),
    async ofCaller(caller, keys) {
      const { tenantId } = caller
      if (tenantId === undefined) return { planKey: undefined, values: {} }
      return ofCaller(subjects.limiting({ tenantId, caller }), keys)
    },
    async planKeys(holders) {
      const all = holders.map(subjects.of)
      const stored = await subscriptionRows.planKeys(all)
      const plans = all.map(async subject => {
        const id = subjectId(subject)
        return [id, (await catalog.planFor(subject, stored.get(id) ?? null)).key] as const
      })
      return new Map(await Promise.all(plans))
    },
    // Inside a unit of the tenant, a nested transaction would cost a savepoint for nothing.
    require(holder, key, amount) {
      const subject = subjects.of(holder)
      return database.currentTenant() === subject.tenantId
        ? require(subject, key, amount)
        : database.tenant(subject.tenantId).transaction(() => require(subject, key, amount))
    },
    async requireRowStorage(tenantId, bytes) {
      const entitlement = catalog.entitlements.get(ROW_STORAGE)
      if (!entitlement) return
      const recent = recentPlan(tenantId)
      if (recent && (await storesRows(tenantId, entitlement, bytes, recent)) === undefined) return
      const refused = await storesRows(tenantId, entitlement, bytes, await planOf(workspaceOf(tenantId)))
      if (refused) throw exceeded(entitlement, refused)
    },
    check: (holder, key, requested) => status(subjects.of(holder), key, requested),
    status,
    isMeter: key => catalog.entitlements.get(key)?.kind === 'meter',
    async list(subject) {
      const plan = planOf(subject)
      const overviews = [...catalog.entitlements.values()].map(async entitlement => {
        const { kind, unit = null, name = null } = entitlement
        const period = kind === 'meter' ? (entitlement.period ?? 'month') : null
        return { ...(await statusOf(subject, entitlement, 0, plan)), kind, unit, name, period }
      })
      return Promise.all(overviews)
    },
  }
}

/** The refusal, in words of the product: "You have used 2 of 2 enrollments this month." */
function exceeded(entitlement: Entitlement, extras: Omit<EntitlementStatus, 'allowed'>): Problem {
  const { kind, period, unit } = entitlement
  const { used, limit } = extras
  const name = inSentence(nameOf(entitlement))
  if (kind === 'flag' || (kind !== 'credit' && limit === 0)) return exceededReasons.not_included({ name }, extras)
  if (kind === 'credit' || unit !== undefined) return problems.entitlement_exceeded({ name }, extras)
  const reason = kind === 'gauge' ? 'used' : period === 'day' ? 'used_today' : 'used_this_month'
  return exceededReasons[reason]({ used, limit, name }, extras)
}

/** English nouns in lower case, `API keys` unchanged. */
function inSentence(name: LocalText): LocalText {
  if (typeof name === 'string' || name.en === undefined || !/^[A-Z][a-z]/.test(name.en)) return name
  return { ...name, en: name.en.charAt(0).toLowerCase() + name.en.slice(1) }
}
