import test from 'ava'
import fc from 'fast-check'
import { follow, type What } from '../../../../modules/billing/domain/provider-event.ts'
import {
  advance,
  STATES,
  type State,
  type Subscription,
  type Trigger,
} from '../../../../modules/billing/domain/subscription-states.ts'

const NOW = Date.parse('2026-11-05T12:00:00Z')
const DAY = 86_400_000
const MOMENT = { at: NOW, grace: 14 * DAY }

const standing: Subscription = {
  state: 'free',
  planKey: null,
  trialUsed: false,
  trialEndsAt: null,
  currentPeriodEnd: null,
  graceEndsAt: null,
  cancelAtPeriodEnd: false,
}
/** Of each state one whose times are over, so that no cell is refused for its time. */
const AT: Record<State, Subscription> = {
  free: standing,
  trialing: {
    ...standing,
    state: 'trialing',
    planKey: 'pro',
    trialUsed: true,
    trialEndsAt: NOW,
    currentPeriodEnd: NOW,
  },
  active: { ...standing, state: 'active', planKey: 'pro', currentPeriodEnd: NOW },
  past_due: { ...standing, state: 'past_due', planKey: 'pro', currentPeriodEnd: NOW, graceEndsAt: NOW },
  canceled: { ...standing, state: 'canceled' },
}
const ending = (sub: Subscription): Subscription => ({ ...sub, cancelAtPeriodEnd: true })

const later = NOW + 30 * DAY
const TRIGGERS: Record<string, Trigger> = {
  'checkout, trial': { kind: 'checkout', planKey: 'max', trialEndsAt: later, periodEnd: later },
  checkout: { kind: 'checkout', planKey: 'max', trialEndsAt: null, periodEnd: later },
  paid: { kind: 'paid', renews: true, periodEnd: later },
  'paid within': { kind: 'paid', renews: false, periodEnd: null },
  'trial over, pays': { kind: 'trial_over', pays: true, periodEnd: later },
  'trial over': { kind: 'trial_over', pays: false, periodEnd: later },
  'payment failed': { kind: 'payment_failed' },
  'plan change': { kind: 'plan_change', planKey: 'max' },
  'cancel now': { kind: 'cancel_now' },
  'cancel later': { kind: 'cancel_later' },
  resume: { kind: 'resume' },
  'period over': { kind: 'period_over' },
  'grace over': { kind: 'grace_over' },
}
type Cells = Record<State, string>
const none = { free: '-', trialing: '-', active: '-', past_due: '-', canceled: '-' }
/** State to which it leads, events, `+` where credits are granted; `-` is 409. Read with nothing scheduled. */
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
/** The same where the end is scheduled: these rows alone differ. */
const ENDING: Record<string, Cells> = {
  'cancel later': none,
  resume: { ...none, trialing: 'trialing resumed', active: 'active resumed', past_due: 'past_due resumed' },
  'period over': { ...none, trialing: 'canceled canceled', active: 'canceled canceled', past_due: 'canceled canceled' },
}

const cell = (sub: Subscription, trigger: Trigger): string => {
  const step = advance(sub, trigger, MOMENT)
  return step ? [step.next.state, ...step.tell, ...(step.grants ? ['+'] : [])].join(' ') : '-'
}

for (const [name, cells] of Object.entries(TABLE))
  test(`the table, all cells: ${name}`, t => {
    for (const state of STATES) {
      const trigger = TRIGGERS[name] as Trigger
      t.is(cell(AT[state], trigger), cells[state], state)
      const scheduled = ['trialing', 'active', 'past_due'].includes(state)
      if (scheduled) t.is(cell(ending(AT[state]), trigger), (ENDING[name] ?? cells)[state], `${state}, to end`)
    }
  })

test('what a cancellation leaves is the default plan and no time', t => {
  const step = advance(ending(AT.past_due), { kind: 'cancel_now' }, MOMENT)
  t.deepEqual(step?.next, { ...standing, state: 'canceled' })
})

test('a trial that was used is none, and grace runs from the failure', t => {
  const used = advance({ ...standing, trialUsed: true }, TRIGGERS['checkout, trial'] as Trigger, MOMENT)
  t.like(used?.next, { state: 'active', trialEndsAt: null, currentPeriodEnd: later })
  t.is(advance(AT.active, { kind: 'payment_failed' }, MOMENT)?.next.graceEndsAt, NOW + 14 * DAY)
})

test('nothing is over before its time', t => {
  const early = { ...MOMENT, at: NOW - 1 }
  for (const [state, kind] of [
    ['trialing', 'period_over'],
    ['active', 'period_over'],
    ['past_due', 'grace_over'],
  ] as const)
    t.is(advance(ending(AT[state]), { kind }, early), null, `${state} ${kind}`)
  t.is(advance(AT.trialing, TRIGGERS['trial over'] as Trigger, early), null)
})

// ── Whatever comes, in whatever order ───────────────────────────────────────────────────────────────────────────

const times = fc.option(fc.integer({ min: NOW - 40 * DAY, max: NOW + 400 * DAY }), { nil: null })
const planKey = fc.constantFrom('pro', 'max')
const whats: fc.Arbitrary<What> = fc.oneof(
  fc.record({ type: fc.constant('checkout' as const), planKey, trialEndsAt: times, periodEnd: times }),
  fc.record({
    type: fc.constant('paid' as const),
    planKey: fc.option(planKey, { nil: null }),
    renews: fc.boolean(),
    periodEnd: times,
  }),
  fc.record({ type: fc.constant('trial_over' as const), pays: fc.boolean(), periodEnd: times }),
  fc.constantFrom('failed', 'ended', 'period_over', 'grace_over').map(type => ({ type }) as What),
  fc.record({
    type: fc.constant('standing' as const),
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

test('whatever a provider tells in whatever order, no step is illegal and no subscription contradicts itself', t => {
  fc.assert(
    fc.property(fc.array(fc.tuple(whats, fc.integer({ min: 0, max: 500 * DAY })), { maxLength: 40 }), story => {
      let now = standing
      let trials = 0
      for (const [what, since] of story) {
        const step = follow(now, what, { at: NOW + since, grace: 14 * DAY })
        if (!step) continue
        const { next } = step
        if (!LEGAL[now.state].includes(next.state)) return false
        if (step.tell.includes('trial_started')) trials++
        if (step.tell.includes('activated') && (now.state === 'active' || next.state !== 'active')) return false
        if (!isSound(next)) return false
        now = next
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
