/** Numbers of the business. Tests run one after the other: the figures are those of the whole installation. */
import test from 'ava'
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
