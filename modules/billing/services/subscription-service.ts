/** What becomes of a subscription when the provider tells something: state, events, credits, in one unit. */
import { type Actor, byCodeUnits, type Deps, type Unit } from 'larder/kernel'
import { follow, type News, type What } from '../domain/provider-event.ts'
import type { Plan } from '../domain/plans.ts'
import type { Subscription as Core, Step } from '../domain/subscription-states.ts'
import { dateOf, time } from '../domain/calendar.ts'
import type { BillingSettings } from '../options.ts'
import type { SubscriptionNotice } from '../ports.ts'
import type { Subscription } from '../schemas.ts'
import type { Catalogue } from './plan-catalog.ts'
import type { Credits } from './credit-service.ts'
import { CHANGED } from './plan-cache.ts'
import type { SubscriptionRow, SubscriptionRows } from './subscription-repository.ts'

/** `waits`: it does not fit now, and may fit once other news has come. */
export type Outcome = 'done' | 'stale' | 'refused' | 'waits'
interface Parts {
  readonly settings: BillingSettings
  readonly catalogue: Catalogue
  readonly rows: SubscriptionRows
  readonly credits: Credits
}
const BY: Actor = { kind: 'system', id: 'billing' }

export const coreOf = (row: SubscriptionRow): Core => ({
  state: row.state,
  planKey: row.planKey,
  trialUsed: row.trialUsed,
  trialEndsAt: time(row.trialEndsAt),
  currentPeriodEnd: time(row.currentPeriodEnd),
  graceEndsAt: time(row.graceEndsAt),
  cancelAtPeriodEnd: row.cancelAtPeriodEnd,
})

export function createSubscriptions(
  deps: Deps<'database' | 'clock' | 'events' | 'bus' | 'jobs'>,
  { settings, catalogue, rows, credits }: Parts,
) {
  const { database, events, bus, clock, jobs } = deps

  /** @param ordered false for what we were told as an answer: it has no place in the order of the provider's events. */
  async function hear(unit: Unit, tenantId: string, news: News, ordered = true): Promise<Outcome> {
    const row = await rows.hold(unit, tenantId)
    const { subscription } = news
    const what = await withKnownPlan(news.what)
    if (!what) return 'refused'
    // Of another subscription: one that was before, or one whose checkout we have not heard of yet.
    if (what.type !== 'checkout' && subscription !== row.reference) return isStale(row, news) ? 'stale' : 'waits'
    if (ordered && isStale(row, news)) {
      await late(unit, row, news)
      return 'stale'
    }
    const step = follow(coreOf(row), what, { at: news.at, grace: settings.grace })
    if (!step) return 'waits'
    if (!(await write(unit, row, step, news, ordered))) return 'stale'
    await tell(row, step)
    if (step.grants) await grant(unit, tenantId, step.next, news)
    return 'done'
  }

  /** Null for a checkout of what nobody sells. */
  async function withKnownPlan(what: What): Promise<What | null> {
    if (!('planKey' in what) || what.planKey === null || (await catalogue.known(what.planKey))) return what
    return what.type === 'checkout' ? null : { ...what, planKey: null }
  }

  /** A period that was paid for is paid for, whatever has been heard since: its credits are granted all the same. */
  async function late(unit: Unit, row: SubscriptionRow, news: News): Promise<void> {
    const { what } = news
    if (what.type !== 'paid' || !what.renews) return
    const planKey = what.planKey ?? row.planKey
    await grant(unit, row.tenantId, { planKey, currentPeriodEnd: what.periodEnd }, news)
  }

  async function grant(
    unit: Unit,
    tenantId: string,
    { planKey, currentPeriodEnd: expiresAt }: Pick<Core, 'planKey' | 'currentPeriodEnd'>,
    news: News,
  ): Promise<void> {
    const plan = await catalogue.planOf(tenantId, planKey)
    const note = { reason: `plan ${plan.key}`, reference: null, by: BY }
    for (const [key, amount] of Object.entries(plan.credits).sort(([a], [b]) => byCodeUnits(a, b)))
      await credits.grant(unit, tenantId, { ...note, key, amount, expiresAt, source: `plan:${news.id}:${key}` })
  }

  /** False where the provider's newer event was first. */
  async function write(unit: Unit, row: SubscriptionRow, { next }: Step, news: News, ordered: boolean) {
    const begins = news.what.type === 'checkout'
    const { rowCount } = await unit.query(
      `update billing_subscriptions set state = $2, plan_key = $3, trial_used = $4, trial_ends_at = $5,
         current_period_end = $6, grace_ends_at = $7, cancel_at_period_end = $8, provider = $9,
         provider_customer = $10, provider_subscription = $11, pays = pays or $12,
         last_event_at = coalesce($13, last_event_at), updated_at = $14
       where tenant_id = $1 and ($13::timestamptz is null or last_event_at is null or last_event_at <= $13)`,
      [
        row.tenantId,
        next.state,
        next.planKey,
        next.trialUsed,
        dateOf(next.trialEndsAt),
        dateOf(next.currentPeriodEnd),
        dateOf(next.graceEndsAt),
        next.cancelAtPeriodEnd,
        settings.provider,
        news.customer ?? row.customer,
        begins ? news.subscription : row.reference,
        begins,
        ordered ? new Date(news.at) : null,
        new Date(clock.now()),
      ],
    )
    return rowCount > 0
  }

  async function tell(row: SubscriptionRow, { next, tell: words }: Step): Promise<void> {
    const { tenantId, id } = row
    const [before, after] = await Promise.all([
      catalogue.planOf(tenantId, row.planKey),
      catalogue.planOf(tenantId, next.planKey),
    ])
    for (const word of words)
      await events.publish(`billing.subscription.${word}`, {
        tenantId,
        subject: id,
        payload: noticeOf(row, next, before, after),
      })
    database.afterCommit(() => bus.publish(CHANGED, { tenantId }))
  }

  return {
    hear,
    async view(tenantId: string): Promise<Subscription> {
      const row = await rows.get(tenantId)
      return { ...row, planKey: (await catalogue.planOf(tenantId, row.planKey)).key }
    },
    /** A tenant that is gone: nobody pays for it any more. */
    async forget(unit: Unit, tenantId: string): Promise<void> {
      const { state, reference } = await rows.hold(unit, tenantId)
      const stands = state === 'trialing' || state === 'active' || state === 'past_due'
      if (stands && reference) await jobs.enqueue('billing.abandon', { reference })
      await unit.query('delete from billing_subscriptions where tenant_id = $1', [tenantId])
      await unit.query('delete from billing_meters where tenant_id = $1', [tenantId])
      await unit.query('delete from billing_credit_lots where tenant_id = $1', [tenantId])
      database.afterCommit(() => bus.publish(CHANGED, { tenantId }))
    },
  }
}
export type Subscriptions = ReturnType<typeof createSubscriptions>

const isStale = ({ lastEventAt }: SubscriptionRow, { at }: News): boolean =>
  lastEventAt !== null && at < lastEventAt.getTime()

const rfc = (at: number | null): string | null => dateOf(at)?.toISOString() ?? null
function noticeOf(row: SubscriptionRow, next: Core, before: Plan, after: Plan): SubscriptionNotice {
  return {
    subscriptionId: row.id,
    state: next.state,
    previousState: row.state,
    planKey: after.key,
    previousPlanKey: before.key,
    currentPeriodEnd: rfc(next.currentPeriodEnd),
    trialEndsAt: rfc(next.trialEndsAt),
    graceEndsAt: rfc(next.graceEndsAt),
  }
}
