/** Numbers of the business. Tests run one after the other: the figures are those of the whole installation. */
import test from 'ava'
import fc from 'fast-check'
import { periodsOf } from '../../../kernel/index.ts'
import { CHANGE_KINDS } from '../../../modules/billing/domain/revenue.ts'
import { SUMS_BY_PERIOD } from '../../../modules/billing/services/revenue-days.ts'
import type { Revenue } from '../../fixtures/api-types.ts'
import { codeOf, problem } from '../../fixtures/people.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import { BILLING, billingRecipe, buy, DAY, PLANS } from './fixtures.ts'

const recipe = billingRecipe(
  {},
  {
    plans: {
      ...PLANS,
      yearly: { name: 'Yearly', price: 10_000, currency: 'EUR', interval: 'year' },
      dollars: { name: 'Dollars', price: 1500, currency: 'USD' },
    },
  },
)
const { kernel, people, clock, operator } = withPeople(
  test,
  { recipe, clock: true, alone: true },
  { operator: 'operator' },
)

const PATH = `${BILLING}/admin/revenue`
const report = async (query = ''): Promise<Revenue> => (await operator.get<Revenue>(`${PATH}${query}`)).body
const latest = async () => {
  const period = (await report()).data.at(-1)
  if (!period) throw new Error('there is no period of today')
  return period
}
const euros = async () => {
  const found = (await latest()).currencies.find(({ currency }) => currency === 'EUR')
  return { recurring: 0, new: 0, expansion: 0, contraction: 0, lost: 0, subscriptions: 0, plans: [], ...found }
}
const changed = async (act: () => Promise<unknown>) => {
  const before = await euros()
  await act()
  const after = await euros()
  const names = ['recurring', 'new', 'expansion', 'contraction', 'lost', 'subscriptions'] as const
  return Object.fromEntries(
    names.filter(name => after[name] !== before[name]).map(name => [name, after[name] - before[name]]),
  )
}
const cancel = (client: Parameters<typeof buy>[0]) => client.post(`${BILLING}/subscription/cancel`, { when: 'now' })

test.serial('a month without subscriptions has no currency, and its sign-ups', async t => {
  const { data, since, current, by, timeZone } = await report()
  t.deepEqual([by, timeZone, data.length], ['month', 'UTC', 1])
  t.deepEqual(data[0]?.currencies, [])
  t.like(data[0], { trialConversion: null, trials: { started: 0, converted: 0, lost: 0 }, signUpConversion: 0 })
  t.true((data[0]?.signUps ?? 0) >= 1)
  t.deepEqual(current, { trialing: 0, trialsEndingIn7Days: 0, trialsEndingIn30Days: 0, given: 0 })
  t.true(Date.parse(since) <= Date.now())
})

test.serial('a purchase is new revenue, an end is lost revenue, and a repeated one counts once', async t => {
  const ada = await people.person()
  t.deepEqual(await changed(() => buy(ada, 'team')), { recurring: 4900, new: 4900, subscriptions: 1 })
  t.deepEqual(await changed(() => buy(ada, 'team')), {})
  t.deepEqual(await changed(() => cancel(ada)), { recurring: -4900, lost: -4900, subscriptions: -1 })
  t.deepEqual(await changed(() => cancel(ada)), {})
})

test.serial('twelve annual prices are a monthly one, and their fractions are not lost', async t => {
  const [ada, bob, cleo] = await Promise.all([people.person(), people.person(), people.person()])
  t.deepEqual(await changed(() => buy(ada, 'yearly')), { recurring: 833, new: 833, subscriptions: 1 })
  await Promise.all([buy(bob, 'yearly'), buy(cleo, 'yearly')])
  t.is((await euros()).recurring, 2500)
  await Promise.all([cancel(ada), cancel(bob), cancel(cleo)])
  t.is((await euros()).recurring, 0)
})

test.serial('a dearer plan is expansion, a cheaper one contraction', async t => {
  const ada = await people.person()
  await buy(ada, 'yearly')
  t.deepEqual(await changed(() => buy(ada, 'team')), { recurring: 4067, expansion: 4067 })
  t.deepEqual((await euros()).plans, [{ planKey: 'team', planName: 'Team', recurring: 4900, subscriptions: 1 }])
  t.deepEqual(await changed(() => buy(ada, 'yearly')), { recurring: -4067, contraction: -4067 })
  await cancel(ada)
})

test.serial('currencies are never added: a change of currency leaves one and joins the other', async t => {
  const ada = await people.person()
  await buy(ada, 'team')
  t.deepEqual(await changed(() => buy(ada, 'dollars')), { recurring: -4900, contraction: -4900, subscriptions: -1 })
  const { currencies } = await latest()
  t.like(currencies[1], { currency: 'USD', recurring: 1500, expansion: 1500, new: 0, subscriptions: 1 })
  await cancel(ada)
})

test.serial('a trial is no revenue until it is paid for', async t => {
  const [ada, bob] = await Promise.all([people.person(), people.person()])
  t.deepEqual(await changed(() => Promise.all([buy(ada, 'pro'), buy(bob, 'pro')])), {})
  t.is((await latest()).trials.started, 2)
  t.deepEqual((await report()).current, { trialing: 2, trialsEndingIn7Days: 0, trialsEndingIn30Days: 2, given: 0 })
  const advance = (tenantId: string, payments: string) =>
    kernel.as(operator.token, tenantId).post(`${BILLING}/dev/advance`, { days: 15, payments })
  await advance(bob.tenantId, 'fail')
  t.like((await latest()).trials, { converted: 0, lost: 0 })
  t.deepEqual(await changed(() => cancel(bob)), {})
  t.like(await latest(), { trials: { converted: 0, lost: 1 }, trialConversion: 0 })
  t.deepEqual(await changed(() => advance(ada.tenantId, 'succeed')), { recurring: 2900, new: 2900, subscriptions: 1 })
  t.like(await latest(), { trials: { converted: 1, lost: 1 }, trialConversion: 0.5 })
  await cancel(ada)
})

test.serial('a plan that an operator gives is no revenue, and becomes it when the customer buys', async t => {
  const ada = await people.person()
  const give = () =>
    operator.put(`${BILLING}/admin/tenants/${ada.tenantId}/subscription`, { planKey: 'team', reason: 'r' })
  t.deepEqual(await changed(give), {})
  t.is((await report()).current.given, 1)
  t.deepEqual(await changed(() => buy(ada, 'pro')), { recurring: 2900, new: 2900, subscriptions: 1 })
  t.is((await report()).current.given, 0)
  t.deepEqual(await changed(give), { recurring: -2900, lost: -2900, subscriptions: -1 })
  await cancel(ada)
})

test.serial("the operator's own plan is no revenue", async t => {
  t.deepEqual(await changed(() => buy(operator, 'team')), {})
  await cancel(operator)
})

test.serial('days begin at midnight of the time zone', async t => {
  const ada = await people.person()
  const now = clock.now()
  // 23:30 in UTC is the next day in Berlin.
  clock.forward(DAY - (now % DAY) + DAY - 30 * 60_000)
  const day = new Date(clock.now()).toISOString().slice(0, 10)
  const next = new Date(clock.now() + DAY).toISOString().slice(0, 10)
  await buy(ada, 'dollars')
  const newOf = async (timeZone: string) => {
    const { data } = await report(`?by=day&from=${day}&to=${next}&timeZone=${timeZone}`)
    return data.map(({ currencies }) => currencies.find(({ currency }) => currency === 'USD')?.newSubscriptions ?? 0)
  }
  t.deepEqual(await newOf('UTC'), [1, 0])
  t.deepEqual(await newOf('Europe/Berlin'), [0, 1])
  await cancel(ada)
})

test.serial('exports one row per period, with the amounts of each currency in columns of its own', async t => {
  const ada = await people.person()
  await buy(ada, 'team')
  const { body, headers } = await operator.get<string>(PATH, { headers: { accept: 'text/csv' } })
  t.is(headers.get('content-disposition'), 'attachment; filename="revenue-by-month.csv"')
  const [header = '', ...rows] = body.trim().split('\r\n')
  const columns = header.split(',')
  t.deepEqual(columns.slice(0, 2), ['start', 'signUps'])
  const last = rows.at(-1)?.split(',')
  t.is(last?.[columns.indexOf('recurring EUR')], '49.00')
  t.is(last?.[columns.indexOf('recurring EUR team')], '49.00')
  t.is(last?.[columns.indexOf('recurring USD')], '0.00')
  await cancel(ada)
})

test.serial('refuses ranges and time zones that cannot be reported', async t => {
  const pointers = async (query: string) =>
    problem(await operator.get(`${PATH}?${query}`)).errors?.map(({ pointer }) => pointer)
  t.deepEqual(await pointers('timeZone=Mars/Base'), ['query/timeZone'])
  t.deepEqual(await pointers('timeZone=%2B01:00'), ['query/timeZone'])
  t.deepEqual(await pointers('from=2026-02-01&to=2026-01-01'), ['query/from'])
  t.deepEqual(await pointers('from=2000-01-01'), ['query/from'])
  t.deepEqual(await pointers('by=day&from=2024-01-01'), ['query/from'])
  t.deepEqual(await pointers('from=2026-02-30'), ['query/from'])
  t.deepEqual(await pointers('by=week'), ['query/by'])
  t.deepEqual(await pointers('until=2026-01-01'), ['query/until'])
  t.deepEqual(await pointers('currency=XXX'), ['query/currency'])
  t.deepEqual(await pointers('by=day&from=1976-01-01&to=2026-01-01'), ['query/from'])
  t.deepEqual(await pointers('from=yesterday'), ['query/from'])
})

test.serial('the longest range has as many periods as it says, and one more is refused', async t => {
  const last = new Date(clock.now())
  const daysAgo = (count: number) => new Date(clock.now() - count * DAY).toISOString().slice(0, 10)
  const monthsAgo = (count: number) =>
    new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() - count)).toISOString().slice(0, 10)
  const statusOf = async (query: string) => (await operator.get(`${PATH}?${query}`)).status
  t.is(await statusOf(`by=day&from=${daysAgo(365)}`), 200)
  t.is(await statusOf(`by=day&from=${daysAgo(366)}`), 422)
  t.is(await statusOf(`from=${monthsAgo(119)}`), 200)
  t.is(await statusOf(`from=${monthsAgo(120)}`), 422)
})

test.serial('one day is one period, and a range before all figures is none', async t => {
  const today = new Date(clock.now()).toISOString().slice(0, 10)
  t.deepEqual(
    (await report(`?by=day&from=${today}&to=${today}`)).data.map(({ start }) => start),
    [today],
  )
  t.deepEqual((await report('?from=2001-01-01&to=2001-06-01')).data, [])
  const { body } = await operator.get<string>(`${PATH}?from=2001-01-01&to=2001-06-01`, {
    headers: { accept: 'text/csv' },
  })
  t.regex(body, /^start,signUps,[^\r\n]+\r\n$/)
})

test.serial('is for operators alone', async t => {
  const ada = await people.person()
  t.is(codeOf(await ada.get(PATH)), '403 forbidden')
  t.is((await kernel.get(PATH)).status, 401)
})

test.serial('a deleted workspace is lost revenue, and the days before keep theirs', async t => {
  const ada = await people.person()
  await buy(ada, 'team')
  const before = (await report('?by=day')).data.at(-1)
  clock.forward(DAY)
  const { email, password, tenantId } = ada
  const { token } = (await kernel.post('/v1/auth/login', { email, password })).body
  const difference = await changed(async () => {
    t.is((await kernel.as(token, tenantId).delete(`/v1/identity/tenants/${tenantId}`)).status, 204)
    await kernel.settled()
  })
  t.deepEqual(difference, { recurring: -4900, lost: -4900, subscriptions: -1 })
  const found = (await report('?by=day')).data.find(({ start }) => start === before?.start)
  t.deepEqual(found?.currencies, before?.currencies)
})

// Reports read the sums of days that are over. The tests below replace what the ones above recorded.

const CHANGES = 3000
const PAST_DAYS = 400
/** Many changes are exactly at the beginning of a day, in some time zone. */
const STEP_MS = 15 * 60_000

/** Reads every change. */
const ALL_CHANGES = `
  select width_bucket(recorded_at, array(select start::timestamp at time zone $3 from unnest($1::text[]) start)) as period,
    kind, plan_key as "planKey", currency, sum(annual)::float8 as annual, sum(subscriptions)::int as subscriptions,
    count(*)::int as changes
  from billing_revenue_changes where recorded_at < $2::timestamp at time zone $3
  group by 1, kind, plan_key, currency`

const system = () => kernel.kernel.ports.systemDatabase.acrossTenants('a test compares sums of all changes')
const query = async (sql: string, values: readonly unknown[] = []) => (await system().query(sql, [...values])).rows
const sumDays = async () => {
  await kernel.kernel.ports.jobs.enqueue('billing.sum_revenue', {})
  await kernel.settled()
}
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
const sorted = (rows: readonly object[]) => rows.map(row => JSON.stringify(row)).sort()

const anyChange = fc.record({
  steps: fc.integer({ min: 0, max: (PAST_DAYS * DAY) / STEP_MS }),
  kind: fc.constantFrom(...CHANGE_KINDS),
  plan_key: fc.constantFrom('free', 'pro', 'team'),
  currency: fc.constantFrom('EUR', 'USD', 'JPY'),
  annual: fc.integer({ min: -100_000, max: 100_000 }),
  subscriptions: fc.integer({ min: -2, max: 2 }),
})
/** Ahead of UTC and behind it, by fractions of an hour, and with a change of the clock at midnight. */
const TIME_ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/Los_Angeles',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'America/Havana',
  'Africa/Cairo',
  'America/St_Johns',
]
const anyRange = fc.record({
  by: fc.constantFrom('day' as const, 'month' as const),
  timeZone: fc.constantFrom(...TIME_ZONES),
  /** The first one may be before all changes, the last one after all of them. */
  first: fc.integer({ min: 0, max: PAST_DAYS + 100 }),
  length: fc.integer({ min: 0, max: 360 }),
})

async function insertChanges(): Promise<void> {
  const last = Math.floor(clock.now() / STEP_MS) * STEP_MS
  const rows = fc.sample(anyChange, { numRuns: CHANGES, seed: 7 }).map(({ steps, ...row }) => ({
    ...row,
    recorded_at: new Date(last - steps * STEP_MS),
  }))
  await query(
    `insert into billing_revenue_changes (recorded_at, kind, plan_key, currency, annual, subscriptions)
     select * from json_to_recordset($1::json)
       as c (recorded_at timestamptz, kind text, plan_key text, currency text, annual bigint, subscriptions integer)`,
    [JSON.stringify(rows)],
  )
  // Those of the job that ran before.
  await query('delete from billing_revenue_days')
}

const compare = (numRuns: number) =>
  fc.assert(
    fc.asyncProperty(anyRange, async ({ by, timeZone, first, length }) => {
      const from = clock.now() - (PAST_DAYS + 50 - first) * DAY
      const { starts, until } = periodsOf(
        { by, timeZone, from: dayOf(from), to: dayOf(from + length * DAY) },
        clock.now(),
      )
      const values = [starts, until, timeZone]
      const [expected, found] = [await query(ALL_CHANGES, values), await query(SUMS_BY_PERIOD, values)]
      if (sorted(found).join() !== sorted(expected).join()) throw new Error(`differs from ${expected.length} sums`)
    }),
    { numRuns },
  )

test.serial('sums of days and single changes are the sums of all changes, in every time zone', async t => {
  await insertChanges()
  await t.notThrowsAsync(compare(20))
  await sumDays()
  await t.notThrowsAsync(compare(100))
})

test.serial('a day is summed a day after its end, and once', async t => {
  const last = async () =>
    (await query('select max(day)::text as day, count(*)::int as count from billing_revenue_days'))[0]
  const before = await last()
  t.is(before?.day, dayOf(clock.now() - 2 * DAY))
  await sumDays()
  t.deepEqual(await last(), before)
  clock.forward(DAY)
  await sumDays()
  t.is((await last())?.day, dayOf(clock.now() - 2 * DAY))
  await t.notThrowsAsync(compare(20))
})

test.serial('a gap of more than a month ends no sums', async t => {
  clock.forward(100 * DAY)
  await query(
    `insert into billing_revenue_changes (recorded_at, kind, plan_key, currency, annual, subscriptions)
     values ($1, 'new', 'pro', 'EUR', 12, 1)`,
    [new Date(clock.now() - 3 * DAY)],
  )
  await sumDays()
  t.like((await query('select max(day)::text as day from billing_revenue_days'))[0], {
    day: dayOf(clock.now() - 3 * DAY),
  })
  await t.notThrowsAsync(compare(20))
})

test.serial('changes of days that are over are not read again', async t => {
  const today = dayOf(clock.now())
  const values = [[today], dayOf(clock.now() + DAY), 'UTC']
  const before = sorted(await query(SUMS_BY_PERIOD, values))
  t.true(before.length > 0)
  await query('delete from billing_revenue_changes where recorded_at < $1', [new Date(clock.now() - 50 * DAY)])
  t.deepEqual(sorted(await query(SUMS_BY_PERIOD, values)), before)
})
