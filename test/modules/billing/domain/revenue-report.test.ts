import test from 'ava'
import { periodsOf } from '../../../../kernel/index.ts'
import { type ChangeSum, type PeopleCount, reportOf } from '../../../../modules/billing/domain/revenue-report.ts'

const SINCE = '2026-01-01'
const MONTHS = periodsOf({ by: 'month', from: '2026-03-01', to: '2026-05-31' }, 0)
const [MARCH = '', APRIL = '', MAY = ''] = MONTHS.starts

/** Ten euros a month unless `more` says otherwise. */
const sum = (start: string, kind: ChangeSum['kind'], more: Partial<ChangeSum> = {}): ChangeSum => ({
  start,
  kind,
  planKey: 'pro',
  currency: 'EUR',
  annual: 12_000,
  subscriptions: 1,
  changes: 1,
  ...more,
})
const left = { annual: -12_000, subscriptions: -1 }
const trial = { annual: 0, subscriptions: 0 }
const report = (sums: readonly ChangeSum[], people?: readonly PeopleCount[]) => reportOf(MONTHS, SINCE, sums, people)
const recurring = (sums: readonly ChangeSum[]) =>
  report(sums).map(({ currencies }) => currencies.map(one => `${one.recurring} ${one.currency}`).join(', '))

test('what is paid at the end of a period is all that changed until then', t => {
  t.deepEqual(recurring([sum(MARCH, 'new'), sum(APRIL, 'new'), sum(MAY, 'lost', left)]), [
    '1000 EUR',
    '2000 EUR',
    '1000 EUR',
  ])
})

test('what changed before the first period counts in every one, and in none as new', t => {
  const found = report([sum('', 'opening', { annual: 36_000, subscriptions: 3 }), sum('', 'lost', left)])
  t.deepEqual(
    found.map(({ currencies }) => currencies.map(one => [one.recurring, one.subscriptions, one.new, one.lost])),
    found.map(() => [[2000, 2, 0, 0]]),
  )
})

test('each currency has sums of its own, in the order of their codes', t => {
  const found = report([sum(MARCH, 'new', { currency: 'USD', annual: 6000 }), sum(MARCH, 'new')])
  t.deepEqual(
    found[0]?.currencies.map(one => [one.currency, one.recurring, one.new, one.newSubscriptions]),
    [
      ['EUR', 1000, 1000, 1],
      ['USD', 500, 500, 1],
    ],
  )
})

test('a plan that nobody pays for any more is left out, and its currency stays with zero', t => {
  const found = report([sum(MARCH, 'new'), sum(APRIL, 'lost', left)])
  t.deepEqual(
    found.map(({ currencies }) => currencies[0]?.plans.map(({ planKey }) => planKey)),
    [['pro'], [], []],
  )
  t.like(found[1]?.currencies[0], { recurring: 0, lost: -1000, lostSubscriptions: 1 })
})

test('plans are listed by what they bring in', t => {
  const team = { planKey: 'team', annual: 60_000 }
  const [march] = report([sum(MARCH, 'new'), sum(MARCH, 'new', team)])
  t.deepEqual(
    march?.currencies[0]?.plans.map(({ planKey }) => planKey),
    ['team', 'pro'],
  )
})

test('trials are no revenue; their conversion is the share of those that ended', t => {
  const found = report([
    sum(MARCH, 'trial_started', { ...trial, changes: 4 }),
    sum(APRIL, 'trial_converted', { ...trial, changes: 1 }),
    sum(APRIL, 'trial_lost', { ...trial, changes: 2 }),
  ])
  t.deepEqual(
    found.map(({ trialConversion }) => trialConversion),
    [null, 0.3333, null],
  )
  t.deepEqual(found[0]?.trials, { started: 4, converted: 0, lost: 0 })
  t.true(found.every(({ currencies }) => currencies.length === 0))
})

test('sign-ups that nobody counts are null, and without sign-ups there is no share of them', t => {
  const sums = [sum(MARCH, 'new', { changes: 3 }), sum(APRIL, 'new')]
  t.deepEqual(
    report(sums).map(({ signUps, signUpConversion }) => [signUps, signUpConversion]),
    [
      [null, null],
      [null, null],
      [null, null],
    ],
  )
  t.deepEqual(
    report(sums, [{ start: MARCH, signUps: 12, activePeople: 7 }]).map(one => [
      one.signUps,
      one.signUpConversion,
      one.activePeople,
    ]),
    [
      [12, 0.25, 7],
      [0, null, null],
      [0, null, null],
    ],
  )
})

test('periods that ended before figures exist are left out, and what they changed still counts', t => {
  const found = reportOf(MONTHS, '2026-04-20', [sum(MARCH, 'opening'), sum(APRIL, 'new')], [])
  t.deepEqual(
    found.map(({ start, currencies }) => [start, currencies[0]?.recurring]),
    [
      [APRIL, 2000],
      [MAY, 2000],
    ],
  )
})

test('a year of days of many plans is one pass over the sums', t => {
  const days = periodsOf({ by: 'day', from: '2026-01-01', to: '2026-12-31' }, 0)
  let reads = 0
  const sums = days.starts.flatMap(start =>
    Array.from({ length: 20 }, (_, plan) =>
      Object.defineProperty(sum(start, 'new', { planKey: `plan-${plan}` }), 'start', {
        get: () => {
          reads++
          return start
        },
      }),
    ),
  )
  t.is(reportOf(days, SINCE, sums, []).at(-1)?.currencies[0]?.subscriptions, sums.length)
  t.true(reads <= 2 * sums.length, `${reads} reads of ${sums.length} sums`)
})
