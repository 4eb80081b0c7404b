import test from 'ava'
import fc from 'fast-check'
import { applyChange, type SubscriptionChange } from '../../../../modules/billing/domain/provider-event.ts'
import {
  STATES,
  type State,
  type Subscription,
  type Trigger,
  transition,
} from '../../../../modules/billing/domain/subscription-states.ts'

const NOW = Date.parse('2026-11-05T12:00:00Z')
const DAY = 86_400_000
const MOMENT = { at: NOW, graceMs: 14 * DAY }

const INITIAL: Subscription = {
  state: 'free',
  planKey: null,
  trialUsed: false,
  trialEndsAt: null,
  currentPeriodEnd: null,
  graceEndsAt: null,
  cancelAtPeriodEnd: false,
}
/** One subscription per state, with all its dates in the past, so that dates don't forbid a transition. */
const AT: Record<State, Subscription> = {
  free: INITIAL,
  trialing: {
    ...INITIAL,
    state: 'trialing',
    planKey: 'pro',
    trialUsed: true,
    trialEndsAt: NOW,
    currentPeriodEnd: NOW,
  },
  active: { ...INITIAL, state: 'active', planKey: 'pro', currentPeriodEnd: NOW },
  past_due: { ...INITIAL, state: 'past_due', planKey: 'pro', currentPeriodEnd: NOW, graceEndsAt: NOW },
  canceled: { ...INITIAL, state: 'canceled' },
}
const ending = (sub: Subscription): Subscription => ({ ...sub, cancelAtPeriodEnd: true })

const later = NOW + 30 * DAY
const TRIGGERS: Record<string, Trigger> = {
  'checkout, trial': { kind: 'checkout', planKey: 'max', trialEndsAt: later, periodEnd: later },
  checkout: { kind: 'checkout', planKey: 'max', trialEndsAt: null, periodEnd: later },
  paid: { kind: 'paid', isRenewal: true, periodEnd: later },
  'paid within': { kind: 'paid', isRenewal: false, periodEnd: null },
  'trial over, pays': { kind: 'trial_ended', paymentSucceeded: true, periodEnd: later },
  'trial over': { kind: 'trial_ended', paymentSucceeded: false, periodEnd: later },
  'payment failed': { kind: 'payment_failed' },
  'plan change': { kind: 'plan_change', planKey: 'max' },
  'cancel now': { kind: 'cancel_now' },
  'cancel later': { kind: 'cancel_later' },
  resume: { kind: 'resume' },
  'period over': { kind: 'period_ended' },
  'grace over': { kind: 'grace_ended' },
}
type Cells = Record<State, string>
const none = { free: '-', trialing: '-', active: '-', past_due: '-', canceled: '-' }
/** Next state, events, and `+` if credits are granted; `-` for no transition. Without a scheduled cancellation. */
const TABLE: Record<string, Cells> = {
  'checkout, trial': { ...none, free: 'trialing trial_started +', canceled: 'trialing trial_started +' },
  checkout: { ...none, free: 'active activated +', canceled: 'active activated +' },
  paid: { ...none, trialing: 'active activated +', active: 'active renewed +', past_due: 'active activated +' },
  'paid within': { ...none, trialing: 'active activated', active: 'active', past_due: 'active activated' },
  'trial over, pays': { ...none, trialing: 'active activated +' },
  'trial over': { ...none, trialing: 'past_due past_due' },
  'payment failed': { ...none, trialing: 'past_due past_due', active: 'past_due past_due' },
  'plan change': { ...none, active: 'active plan_changed' },
  'cancel now': { ...none, trialing: 'canceled canceled', active: 'canceled canceled', past_due: 'canceled canceled' },
  'cancel later': {
    ...none,
    trialing: 'trialing cancel_scheduled',
    active: 'active cancel_scheduled',
    past_due: 'past_due cancel_scheduled',
  },
  resume: none,
  'period over': none,
  'grace over': { ...none, past_due: 'canceled canceled' },
}
/** Rows that differ with a scheduled cancellation. */
const ENDING: Record<string, Cells> = {
  'cancel later': none,
  resume: { ...none, trialing: 'trialing resumed', active: 'active resumed', past_due: 'past_due resumed' },
  'period over': { ...none, trialing: 'canceled canceled', active: 'canceled canceled', past_due: 'canceled canceled' },
}

const cell = (sub: Subscription, trigger: Trigger): string => {
  const step = transition(sub, trigger, MOMENT)
  return step ? [step.next.state, ...step.events, ...(step.grantsCredits ? ['+'] : [])].join(' ') : '-'
}

for (const [name, cells] of Object.entries(TABLE))
  test(`transitions of every state: ${name}`, t => {
    for (const state of STATES) {
      const trigger = TRIGGERS[name] as Trigger
      t.is(cell(AT[state], trigger), cells[state], state)
      const scheduled = ['trialing', 'active', 'past_due'].includes(state)
      if (scheduled)
        t.is(cell(ending(AT[state]), trigger), (ENDING[name] ?? cells)[state], `${state}, cancellation scheduled`)
    }
  })

test('resets plan and dates on cancellation', t => {
  const step = transition(ending(AT.past_due), { kind: 'cancel_now' }, MOMENT)
  t.deepEqual(step?.next, { ...INITIAL, state: 'canceled' })
})

test('skips a used trial, and counts the grace period from the failed payment', t => {
  const used = transition({ ...INITIAL, trialUsed: true }, TRIGGERS['checkout, trial'] as Trigger, MOMENT)
  t.like(used?.next, { state: 'active', trialEndsAt: null, currentPeriodEnd: later })
  t.is(transition(AT.active, { kind: 'payment_failed' }, MOMENT)?.next.graceEndsAt, NOW + 14 * DAY)
})

test('ends nothing before its date', t => {
  const early = { ...MOMENT, at: NOW - 1 }
  for (const [state, kind] of [
    ['trialing', 'period_ended'],
    ['active', 'period_ended'],
    ['past_due', 'grace_ended'],
  ] as const)
    t.is(transition(ending(AT[state]), { kind }, early), null, `${state} ${kind}`)
  t.is(transition(AT.trialing, TRIGGERS['trial over'] as Trigger, early), null)
})

const times = fc.option(fc.integer({ min: NOW - 40 * DAY, max: NOW + 400 * DAY }), { nil: null })
const planKey = fc.constantFrom('pro', 'max')
const changes: fc.Arbitrary<SubscriptionChange> = fc.oneof(
  fc.record({ type: fc.constant('checkout' as const), planKey, trialEndsAt: times, periodEnd: times }),
  fc.record({
    type: fc.constant('paid' as const),
    planKey: fc.option(planKey, { nil: null }),
    isRenewal: fc.boolean(),
    periodEnd: times,
  }),
  fc.record({ type: fc.constant('trial_ended' as const), paymentSucceeded: fc.boolean(), periodEnd: times }),
  fc
    .constantFrom('payment_failed', 'ended', 'period_ended', 'grace_ended')
    .map(type => ({ type }) as SubscriptionChange),
  fc.record({
    type: fc.constant('updated' as const),
    planKey: fc.option(planKey, { nil: null }),
    cancelAtPeriodEnd: fc.boolean(),
    periodEnd: times,
  }),
)
const LEGAL: Record<State, readonly State[]> = {
  free: ['free', 'trialing', 'active'],
  trialing: ['trialing', 'active', 'past_due', 'canceled'],
  active: ['active', 'past_due', 'canceled'],
  past_due: ['past_due', 'active', 'canceled'],
  canceled: ['canceled', 'trialing', 'active'],
}

test('reaches only legal states and consistent subscriptions under any sequence of changes', t => {
  fc.assert(
    fc.property(fc.array(fc.tuple(changes, fc.integer({ min: 0, max: 500 * DAY })), { maxLength: 40 }), story => {
      let current = INITIAL
      let trials = 0
      for (const [change, delay] of story) {
        const step = applyChange(current, change, { at: NOW + delay, graceMs: 14 * DAY })
        if (!step) continue
        const { next } = step
        if (!LEGAL[current.state].includes(next.state)) return false
        if (step.events.includes('trial_started')) trials++
        if (step.events.includes('activated') && (current.state === 'active' || next.state !== 'active')) return false
        if (!isSound(next)) return false
        current = next
      }
      return trials <= 1
    }),
    { numRuns: 500 },
  )
  t.pass()
})

function isSound({ state, planKey, trialEndsAt, graceEndsAt, currentPeriodEnd, cancelAtPeriodEnd }: Subscription) {
  const bought = state === 'trialing' || state === 'active' || state === 'past_due'
  return (
    bought === (planKey !== null) &&
    (state === 'trialing') === (trialEndsAt !== null) &&
    (state === 'past_due') === (graceEndsAt !== null) &&
    (bought || (currentPeriodEnd === null && !cancelAtPeriodEnd))
  )
}
