/** Applies provider events to subscriptions: state, events and credits change in one unit of work. */

import { byCodeUnits, DAY, type Deps, newId, statement, together, type Unit } from '@larder-dev/larder/kernel'
import type { Actor } from '@larder-dev/larder/kernel/internal'
import { dayOfMonth, toDate, toMs } from '../domain/calendar.ts'
import {
  emptyHistory,
  eventsOfDifference,
  type History,
  type HistoryEntry,
  insertEntry,
  isSameState,
  isTooOld,
  newestOrder,
  stateOf,
} from '../domain/event-history.ts'
import type { Plan } from '../domain/plans.ts'
import type { ProviderEvent, SubscriptionChange } from '../domain/provider-event.ts'
import { changesBetween, type Revenue, type RevenueChange, revenueOf } from '../domain/revenue.ts'
import { type Subject, subjectId } from '../domain/subject.ts'
import type { State, Subscription, SubscriptionEventName } from '../domain/subscription-states.ts'
import type { BillingSettings } from '../options.ts'
import { revenueChangeTable, type SubscriptionRow, subscriptionTable } from '../records.ts'
import type { CreditService } from './credit-service.ts'
import type { PlanCatalog } from './plan-catalog.ts'
import type { SubscriptionRepository } from './subscription-repository.ts'

/**
 * - `stale`: a newer event was processed before, and this one changes nothing anymore.
 * - `rejected`: the event can never apply.
 * - `retry`: the event doesn't apply yet, but may after other events.
 */
export type ApplyOutcome = 'done' | 'stale' | 'rejected' | 'retry'

/** A subscription as the API returns it. */
export interface SubscriptionView {
  readonly id: string
  readonly state: State
  readonly planKey: string
  readonly currentPeriodEnd: Date | null
  readonly trialEndsAt: Date | null
  readonly graceEndsAt: Date | null
  readonly cancelAtPeriodEnd: boolean
  readonly paymentPaused: boolean
  /** An operator gave the plan, and nobody pays for it. */
  readonly given: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}
export interface SubscriptionService {
  /**
   * Applies an event to the subject's subscription, in the given unit of its tenant.
   * @param ordered false for the result of a call to the provider, which has no place in the order of its events.
   */
  applyEvent(unit: Unit, subject: Subject, event: ProviderEvent, ordered?: boolean): Promise<ApplyOutcome>
  get(subject: Subject): Promise<SubscriptionView>
  /**
   * Has the running subscription of a deleted workspace, or of a customer who has left, canceled at the provider. That of
   * the customer ends at once: nothing else would end it with a provider that leaves its schedule to the module.
   */
  cancelAtProvider(unit: Unit, subject: Subject): Promise<void>
}

type SubscriptionDeps = Deps<'clock' | 'events' | 'jobs' | 'operator'> & {
  readonly billingSettings: BillingSettings
  readonly catalog: PlanCatalog
  readonly subscriptionRows: SubscriptionRepository
  readonly credits: CreditService
}
const ACTOR: Actor = { kind: 'system', id: 'billing' }

export const toState = (row: SubscriptionRow): Subscription => ({
  state: row.state,
  planKey: row.planKey,
  trialUsed: row.trialUsed,
  trialEndsAt: toMs(row.trialEndsAt),
  currentPeriodEnd: toMs(row.currentPeriodEnd),
  graceEndsAt: toMs(row.graceEndsAt),
  cancelAtPeriodEnd: row.cancelAtPeriodEnd,
  paymentPaused: row.paymentPaused,
  unpaidPlanKey: row.unpaidPlanKey,
})

const UPDATE = statement(
  `update billing_subscriptions set state = $state, plan_key = $planKey, trial_used = $trialUsed,
     trial_ends_at = $trialEndsAt, current_period_end = $currentPeriodEnd, grace_ends_at = $graceEndsAt,
     cancel_at_period_end = $cancelAtPeriodEnd, provider = $provider, provider_customer = $customerId,
     provider_subscription = $subscriptionId, payments_succeed = payments_succeed or $isCheckout,
     last_event_at = greatest(last_event_at, $eventAt), updated_at = $now, anchor_day = $anchorDay,
     shifted_days = case when $isCheckout then 0 else shifted_days end, payment_paused = $paymentPaused,
     unpaid_plan_key = $unpaidPlanKey, given = coalesce($given, given), revenue = $revenue
   where tenant_id = $tenantId and member_id = $memberId`,
)

/** Credits of the plan end with its trial. */
const MOVE_EXPIRY = statement(
  `update billing_credit_lots l set expires_at = $until from billing_credit_entries e
   where l.tenant_id = $tenantId and l.member_id = $memberId and l.expires_at = $since and l.remaining > 0
     and e.tenant_id = l.tenant_id and e.id = l.grant_id and e.source like 'plan:%'`,
)

export function createSubscriptionService(deps: SubscriptionDeps): SubscriptionService {
  const { events, clock, jobs, operator, billingSettings: settings, catalog, subscriptionRows, credits } = deps

  async function applyEvent(unit: Unit, subject: Subject, event: ProviderEvent, ordered = true): Promise<ApplyOutcome> {
    const { row, stored, isRecorded } = await together({
      row: subscriptionRows.lock(unit, subject),
      // Separate statements, which see what the previous holder of the lock committed.
      stored: subscriptionRows.history(unit, subject),
      isRecorded: subscriptionRows.hasCheckout(unit, subject.tenantId, event.subscription),
    })
    const change = await withKnownPlan(event.change)
    if (!change) return 'rejected'
    if (change.type === 'checkout') return applyCheckout(unit, row, stored, isRecorded, event)
    // Belongs to an earlier subscription, or to one whose checkout event hasn't arrived yet.
    if (event.subscription !== row.providerSubscriptionId) return event.at < beganAt(row, stored) ? 'stale' : 'retry'
    const history = historyOf(row, stored)
    const order = ordered ? event.at : newestOrder(history)
    if (isTooOld(history, order)) {
      await grantForPayment(unit, row, { ...event, change }, row.planKey)
      return 'stale'
    }
    const inserted = insertEntry(history, entryOf({ ...event, change }, order), settings.graceMs)
    const { transition, before, after, isLate } = inserted
    // Nothing here depends on another subscription, so only the result of a call is tried again.
    if (!transition && !ordered) return 'retry'
    const current = toState(row)
    await subscriptionRows.writeHistory(unit, subject, inserted.history)
    const events = isLate ? eventsOfDifference(current, after) : (transition?.events ?? [])
    await store(unit, row, { after, events, event, ordered })
    if (current.state === 'trialing' && after.state === 'trialing' && after.trialEndsAt !== current.trialEndsAt)
      await unit.defer([MOVE_EXPIRY({ ...whereOf(row), since: row.trialEndsAt, until: toDate(after.trialEndsAt) })])
    await grantForPayment(unit, row, { ...event, change }, before.planKey ?? before.unpaidPlanKey ?? null)
    if (change.type !== 'paid' && transition?.grantsCredits) await grantPlanCredits(unit, subject, after, event)
    return isLate && isSameState(current, after) ? 'stale' : 'done'
  }

  /** A checkout begins a new history, with the subscription that it names. */
  async function applyCheckout(
    unit: Unit,
    row: SubscriptionRow,
    stored: History | undefined,
    isRecorded: boolean,
    event: ProviderEvent,
  ): Promise<ApplyOutcome> {
    const { providerSubscriptionId: previous, unpaidPlanKey } = row
    if (event.subscription !== null && event.subscription === previous) return 'done'
    if (event.at < beganAt(row, stored)) return 'stale'
    const base = toState(row)
    const { history, transition, after } = insertEntry(emptyHistory(base, null), entryOf(event, 0), settings.graceMs)
    if (!transition) return 'retry'
    if (isRecorded) return 'done'
    if (event.subscription !== null) await subscriptionRows.recordCheckout(unit, row.tenantId, event.subscription)
    await subscriptionRows.writeHistory(unit, row, history)
    await store(unit, row, { after, events: transition.events, event, ordered: true })
    if (transition.grantsCredits) await grantPlanCredits(unit, row, after, event)
    // Otherwise the customer would pay for both once the old one is settled.
    if (unpaidPlanKey !== null && previous !== null)
      await jobs.enqueue('billing.cancel_at_provider', { providerSubscriptionId: previous })
    return 'done'
  }

  /** When the known subscription began. What has happened to it since says nothing about another one. */
  function beganAt(row: SubscriptionRow, history: History | undefined): number {
    const first = history?.entries[0]
    if (first?.change.type === 'checkout') return first.at
    return history?.baseOrder ?? toMs(row.lastEventAt) ?? 0
  }

  /** A history that doesn't lead to the row is not used: the dates of the row have been moved since. */
  function historyOf(row: SubscriptionRow, history: History | undefined): History {
    const current = toState(row)
    return history && isSameState(stateOf(history, settings.graceMs), current)
      ? history
      : emptyHistory(current, toMs(row.lastEventAt))
  }

  const entryOf = ({ at, effect, change }: ProviderEvent, order: number): HistoryEntry => ({
    at,
    order,
    change,
    effect: effect ?? null,
  })

  /** Null for the checkout of a plan that doesn't exist. */
  async function withKnownPlan(change: SubscriptionChange): Promise<SubscriptionChange | null> {
    if (!('planKey' in change) || change.planKey === null || (await catalog.find(change.planKey))) return change
    return change.type === 'checkout' ? null : { ...change, planKey: null }
  }

  /** A paid period grants its credits, whatever else has happened. @param planKey when it was paid; null: the default. */
  async function grantForPayment(
    unit: Unit,
    row: SubscriptionRow,
    event: ProviderEvent,
    planKey: string | null,
  ): Promise<void> {
    const { change } = event
    if (change.type !== 'paid' || !change.isRenewal) return
    const currentPeriodEnd = change.periodEnd ?? toMs(row.currentPeriodEnd)
    await grantPlanCredits(unit, row, { planKey: change.planKey ?? planKey, currentPeriodEnd }, event)
  }

  async function grantPlanCredits(
    unit: Unit,
    subject: Subject,
    { planKey, currentPeriodEnd: expiresAt }: Pick<Subscription, 'planKey' | 'currentPeriodEnd'>,
    event: ProviderEvent,
  ): Promise<void> {
    const plan = await catalog.planFor(subject, planKey)
    const details = { reason: `plan ${plan.key}`, reference: null, actor: ACTOR }
    // Sorted, so that transactions that lock several keys can't deadlock.
    for (const [key, amount] of Object.entries(plan.credits).sort(([a], [b]) => byCodeUnits(a, b)))
      await credits.grant(unit, subject, {
        ...details,
        key,
        amount,
        expiresAt,
        source: `plan:${event.effect ?? event.id}:${key}`,
      })
  }

  interface StoredChange {
    readonly after: Subscription
    readonly events: readonly SubscriptionEventName[]
    readonly event: ProviderEvent
    readonly ordered: boolean
  }

  async function store(unit: Unit, row: SubscriptionRow, change: StoredChange): Promise<void> {
    const { after, event } = change
    const given = event.given ?? row.given
    const planKey = after.planKey ?? row.planKey
    const plan = planKey === null ? undefined : await catalog.find(planKey)
    const isFree = given || subjectId(row) === operator.tenantId
    const revenue = isFree ? null : revenueOf(after, row.revenue, plan)
    await write(unit, row, { ...change, revenue })
    await record(unit, changesBetween(row, { state: after.state, revenue }, isFree ? undefined : plan))
    await publish(row, change)
  }

  async function record(unit: Unit, changes: readonly RevenueChange[]): Promise<void> {
    const recordedAt = new Date(clock.now())
    await unit.defer(changes.map(change => revenueChangeTable.insertStep({ ...change, recordedAt })))
  }

  /** The row is locked. */
  async function write(
    unit: Unit,
    row: SubscriptionRow,
    { after, event, ordered, revenue }: StoredChange & { readonly revenue: Revenue | null },
  ): Promise<void> {
    const isCheckout = event.change.type === 'checkout'
    await unit.defer([
      UPDATE({
        tenantId: row.tenantId,
        memberId: row.memberId,
        state: after.state,
        planKey: after.planKey,
        trialUsed: after.trialUsed,
        trialEndsAt: toDate(after.trialEndsAt),
        currentPeriodEnd: toDate(after.currentPeriodEnd),
        graceEndsAt: toDate(after.graceEndsAt),
        cancelAtPeriodEnd: after.cancelAtPeriodEnd,
        provider: settings.provider,
        customerId: event.customer ?? row.customerId,
        subscriptionId: isCheckout ? event.subscription : row.providerSubscriptionId,
        isCheckout,
        eventAt: ordered ? new Date(event.at) : null,
        now: new Date(clock.now()),
        anchorDay: anchorDayOf(row, event),
        paymentPaused: after.paymentPaused ?? false,
        unpaidPlanKey: after.unpaidPlanKey ?? null,
        given: event.given ?? null,
        revenue: revenue && JSON.stringify(revenue),
      }),
    ])
  }

  async function publish(row: SubscriptionRow, { after: next, events: names }: StoredChange): Promise<void> {
    const { tenantId, id } = row
    const { before, after } = await together({
      before: catalog.planFor(row, row.planKey),
      after: catalog.planFor(row, next.planKey),
    })
    const payload = toPayload(row, next, before, after)
    for (const name of names) await events.publish(`billing.subscription.${name}`, { tenantId, subject: id, payload })
  }

  return {
    applyEvent,
    async get(subject) {
      const row = await subscriptionRows.get(subject)
      return { ...row, planKey: (await catalog.planFor(subject, row.planKey)).key }
    },
    async cancelAtProvider(unit, subject) {
      const row = await subscriptionRows.lock(unit, subject)
      const { state, providerSubscriptionId, unpaidPlanKey, revenue } = row
      const isRunning = state === 'trialing' || state === 'active' || state === 'past_due'
      if ((isRunning || unpaidPlanKey !== null) && providerSubscriptionId)
        await jobs.enqueue('billing.cancel_at_provider', { providerSubscriptionId })
      if (isRunning && subject.memberId) {
        await applyEvent(unit, subject, endedEvent(row, clock.now()), false)
        return
      }
      if (revenue === null) return
      await unit.defer([subscriptionTable.updateStep(whereOf(subject), { revenue: null })])
      await record(unit, changesBetween({ state, revenue }, { state: 'canceled', revenue: null }, undefined))
    },
  }
}

const endedEvent = (row: SubscriptionRow, at: number): ProviderEvent => ({
  id: newId('evt', at),
  at,
  tenantId: row.tenantId,
  memberId: row.memberId,
  customer: row.customerId,
  subscription: row.providerSubscriptionId,
  change: { type: 'ended' },
})

const whereOf = ({ tenantId, memberId }: Subject) => ({ tenantId, memberId })

/** Periods begin with the checkout, with the end of its trial, and with the payment that ends a grace period. */
function anchorDayOf({ state, trialEndsAt, anchorDay, shiftedDays }: SubscriptionRow, { at, change }: ProviderEvent) {
  if (change.type === 'checkout') return dayOfMonth(at)
  if (change.type === 'trial_ended' && trialEndsAt) return dayOfMonth(trialEndsAt.getTime() + shiftedDays * DAY)
  return change.type === 'paid' && state === 'past_due' ? dayOfMonth(at + shiftedDays * DAY) : anchorDay
}

const toRfc3339 = (at: number | null): string | null => toDate(at)?.toISOString() ?? null
function toPayload(row: SubscriptionRow, next: Subscription, before: Plan, after: Plan) {
  return {
    subscriptionId: row.id,
    ...(row.memberId && { memberId: row.memberId }),
    state: next.state,
    previousState: row.state,
    planKey: after.key,
    previousPlanKey: before.key,
    currentPeriodEnd: toRfc3339(next.currentPeriodEnd),
    trialEndsAt: toRfc3339(next.trialEndsAt),
    graceEndsAt: toRfc3339(next.graceEndsAt),
    paymentPaused: next.paymentPaused ?? false,
  }
}
