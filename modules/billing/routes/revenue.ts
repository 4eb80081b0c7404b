/** Numbers of the business, for operators. */
import { Nullable, named, OneOf, reply, route, Time, Type, wantsCsv } from '@larder-dev/larder/kernel'
import { decimalAmount } from '@larder-dev/larder/kernel/internal'
import { nameOf } from '../domain/plans.ts'
import type { BillingServices } from '../services.ts'

const Count = Type.Integer({ minimum: 0 })
const Amount = (description: string) => Type.Integer({ description: `${description}, in minor units per month` })
const Share = (description: string) => Nullable(Type.Number({ minimum: 0, description }))
const Day = Type.String({ format: 'date', examples: ['2026-11-01'] })

const PlanRevenue = named(
  'PlanRevenue',
  Type.Object({
    planKey: Type.String(),
    planName: Type.String(),
    recurring: Amount('Recurring revenue at the end of the period'),
    subscriptions: Count,
  }),
)
const CurrencyRevenue = named(
  'CurrencyRevenue',
  Type.Object({
    currency: Type.String({ description: 'ISO 4217' }),
    recurring: Amount('Recurring revenue at the end of the period, a twelfth of annual prices included'),
    new: Amount('Of subscriptions that began to pay'),
    expansion: Amount('Of changes to plans that cost more'),
    contraction: Amount('Of changes to plans that cost less: negative'),
    lost: Amount('Of subscriptions that ended: negative'),
    subscriptions: Type.Integer({ minimum: 0, description: 'That pay at the end of the period' }),
    newSubscriptions: Count,
    lostSubscriptions: Count,
    plans: Type.Array(PlanRevenue, { description: 'Of which somebody pays, the greatest first' }),
  }),
)
const Trials = named(
  'RevenuePeriodTrials',
  Type.Object({
    started: Count,
    converted: Type.Integer({ minimum: 0, description: 'That led to a payment' }),
    lost: Type.Integer({ minimum: 0, description: 'That ended without one' }),
  }),
)
const CurrentSubscriptions = named(
  'CurrentSubscriptions',
  Type.Object({
    trialing: Type.Integer({ minimum: 0, description: 'On trial' }),
    trialsEndingIn7Days: Count,
    trialsEndingIn30Days: Count,
    given: Type.Integer({
      minimum: 0,
      description: "That an operator gave, which nobody pays for and which aren't revenue",
    }),
  }),
)
const RevenuePeriod = named(
  'RevenuePeriod',
  Type.Object({
    start: Type.String({ format: 'date', description: 'First day' }),
    currencies: Type.Array(CurrencyRevenue, { description: 'By currency. Amounts of different ones are never added' }),
    trials: Trials,
    trialConversion: Share('Share of the trials that ended which led to a payment; null if none ended'),
    signUps: Nullable(Type.Integer({ minimum: 0, description: 'New accounts' })),
    activePeople: Nullable(
      Type.Integer({
        minimum: 0,
        description:
          'People who used the product in the month, in UTC; null for days, and for months before it was counted',
      }),
    ),
    signUpConversion: Share('Subscriptions that began to pay, for each new account; null without new accounts'),
  }),
)
const Revenue = named(
  'Revenue',
  Type.Object({
    by: OneOf(['day', 'month']),
    timeZone: Type.String(),
    since: Type.Unsafe<Date>({ ...Time, description: 'From when figures exist. Earlier periods are left out' }),
    current: CurrentSubscriptions,
    data: Type.Array(RevenuePeriod, { description: 'The oldest period first. The last one may not be over' }),
  }),
)
export const revenueRoutes = ({
  catalog,
  revenue,
  translator,
}: Pick<BillingServices, 'catalog' | 'revenue' | 'translator'>) => [
  route({
    method: 'get',
    path: '/billing/admin/revenue',
    operationId: 'getRevenue',
    summary:
      'Returns the recurring revenue, trials, sign-ups and conversion of the installation, by month or day. `Accept: text/csv` exports them.',
    description:
      'Revenue is what subscriptions cost per month, and not what was paid: refunds, taxes and single payments change nothing. Names of plans are in the language of Accept-Language.',
    allow: 'billing.revenue.read',
    query: Type.Object({
      by: Type.Optional(OneOf(['day', 'month'], { description: 'month by default' })),
      from: Type.Optional({ ...Day, description: 'A day of the first period; by default 12 months or 30 days ago' }),
      to: Type.Optional({ ...Day, description: 'A day of the last period, which is today by default' }),
      timeZone: Type.Optional(
        Type.String({ maxLength: 64, default: 'UTC', description: 'IANA name', examples: ['Europe/Berlin'] }),
      ),
    }),
    replies: { 200: Revenue },
    texts: ['text/csv'],
    async handle({ query, request }) {
      const found = await revenue.report(query)
      if (wantsCsv(request.headers.accept))
        return reply(200, await csvOf(found), {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="revenue-by-${found.by}.csv"`,
        })
      const translate = translator.forRequest(request)
      const keys = [...new Set(found.data.flatMap(plansOf).map(({ planKey }) => planKey))]
      const names = new Map(
        await Promise.all(
          keys.map(async key => [key, translate(nameOf((await catalog.find(key)) ?? { key }))] as const),
        ),
      )
      const data = found.data.map(period => ({
        ...period,
        currencies: period.currencies.map(({ plans, ...currency }) => ({
          ...currency,
          plans: plans.map(plan => ({ ...plan, planName: names.get(plan.planKey) ?? plan.planKey })),
        })),
      }))
      return { ...found, data }
    },
  }),
]

type Report = Awaited<ReturnType<BillingServices['revenue']['report']>>
type Period = Report['data'][number]
const plansOf = ({ currencies }: Period) =>
  currencies.flatMap(({ currency, plans }) => plans.map(plan => ({ ...plan, currency })))

const AMOUNTS = ['recurring', 'new', 'expansion', 'contraction', 'lost'] as const
const COUNTS = ['subscriptions', 'newSubscriptions', 'lostSubscriptions'] as const

/** One row per period, with columns for each currency and plan: amounts of different currencies can't be added. */
async function csvOf({ data }: Report): Promise<string> {
  const { stringify } = await import('csv-stringify/sync')
  const currencies = [...new Set(data.flatMap(period => period.currencies.map(({ currency }) => currency)))]
  const plans = [...new Set(data.flatMap(plansOf).map(({ currency, planKey }) => `${currency} ${planKey}`))]
  const header = [
    'start',
    'signUps',
    'activePeople',
    'trialsStarted',
    'trialsConverted',
    'trialsLost',
    'trialConversion',
    'signUpConversion',
    ...currencies.flatMap(currency => AMOUNTS.map(name => `${name} ${currency}`)),
    ...currencies.flatMap(currency => COUNTS.map(name => `${name} ${currency}`)),
    ...plans.map(plan => `recurring ${plan}`),
  ]
  const rows = data.map(period => {
    const { trials } = period
    const ofCurrency = new Map(period.currencies.map(one => [one.currency, one]))
    const ofPlan = new Map(plansOf(period).map(plan => [`${plan.currency} ${plan.planKey}`, plan]))
    return [
      period.start,
      period.signUps,
      period.activePeople,
      trials.started,
      trials.converted,
      trials.lost,
      period.trialConversion,
      period.signUpConversion,
      ...currencies.flatMap(one => AMOUNTS.map(name => decimalAmount(ofCurrency.get(one)?.[name] ?? 0, one))),
      ...currencies.flatMap(one => COUNTS.map(name => ofCurrency.get(one)?.[name] ?? 0)),
      ...plans.map(plan => decimalAmount(ofPlan.get(plan)?.recurring ?? 0, plan.slice(0, 3))),
    ]
  })
  return stringify([header, ...rows], { record_delimiter: '\r\n' })
}
