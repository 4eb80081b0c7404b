/** For development and tests: any checkout is accepted at once, and time passes when somebody says so. */
import { common, createValidator, type Deps, MINUTE, newId, SECOND, type Static, Type } from 'larder/kernel'
import type { News, What } from '../../domain/provider-event.ts'
import { daysLater, periodEnd, time } from '../../domain/calendar.ts'
import { problems } from '../../problems.ts'
import type { SubscriptionRow } from '../subscription-repository.ts'
import type { Delivery, Order, Provider, Told } from './provider.ts'

const PURPOSE = 'billing.webhook'
const SIGNATURE_HEADER = 'larder-signature'
const TOLERANCE = 5 * MINUTE

const Nullable = <T extends 'string' | 'integer'>(type: T) =>
  Type.Unsafe<(T extends 'string' ? string : number) | null>({ type: [type, 'null'] })
const DevNews = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 100 }),
  at: Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 }),
  tenantId: Nullable('string'),
  customer: Nullable('string'),
  subscription: Nullable('string'),
  what: Type.Unsafe<What>({
    type: 'object',
    properties: {
      type: { enum: ['checkout', 'paid', 'trial_over', 'failed', 'ended', 'standing'] },
      planKey: { type: ['string', 'null'] },
      trialEndsAt: { type: ['integer', 'null'] },
      periodEnd: { type: ['integer', 'null'] },
      renews: { type: 'boolean' },
      pays: { type: 'boolean' },
      cancelAtPeriodEnd: { type: 'boolean' },
    },
    required: ['type'],
  }),
})

/** Header of a webhook of the development provider, whose body is one `News` as JSON. */
export const signDelivery = ({ secrets }: Deps<'secrets'>, body: string, now: number): string => {
  const seconds = String(Math.floor(now / SECOND))
  return `t=${seconds},v1=${secrets.sign(PURPOSE, seconds, body)}`
}

export function createDevProvider({ clock, secrets }: Deps<'clock' | 'secrets'>): Provider {
  const check = createValidator().body(DevNews)
  const told = (row: Pick<SubscriptionRow, 'tenantId' | 'customer' | 'reference'>, what: What): Told => ({
    heard: true,
    news: [newsOf(row, what, clock.now())],
  })

  async function read({ headers, body, now }: Delivery): Promise<readonly News[]> {
    const text = body.toString('utf8')
    const [, seconds = '', signature = ''] = /^t=(\d{1,12}),v1=([\w-]+)$/.exec(String(headers[SIGNATURE_HEADER])) ?? []
    const fresh = seconds !== '' && Math.abs(now - Number(seconds) * SECOND) <= TOLERANCE
    if (!fresh || !secrets.verify(signature, PURPOSE, seconds, text)) throw common.bad_signature()
    try {
      return [check(JSON.parse(text)) as Static<typeof DevNews>]
    } catch {
      throw problems.not_a_webhook()
    }
  }

  return {
    name: 'dev',
    keepsTime: false,
    async checkout({ tenantId, plan, trialDays, customer, successUrl }: Order) {
      const now = clock.now()
      const row = { tenantId, customer: customer ?? newId('cus_dev', now), reference: newId('sub_dev', now) }
      const trialEndsAt = trialDays > 0 ? daysLater(now, trialDays) : null
      const what = {
        type: 'checkout',
        planKey: plan.key,
        trialEndsAt,
        periodEnd: periodEnd(plan.interval, now),
      } as const
      return { id: newId('cs_dev', now), status: 'complete', url: successUrl, ...told(row, what) }
    },
    change: async (row, plan) => told(row, standing(row, { planKey: plan.key })),
    cancel: async (row, when) =>
      told(row, when === 'now' ? { type: 'ended' } : standing(row, { cancelAtPeriodEnd: true })),
    resume: async row => told(row, standing(row, { cancelAtPeriodEnd: false })),
    portal: async (_, returnUrl) => returnUrl,
    abandon: async () => {},
    read,
  }
}

/** As if the provider told it now. */
export const newsOf = (
  { tenantId, customer, reference }: Pick<SubscriptionRow, 'tenantId' | 'customer' | 'reference'>,
  what: What,
  at: number,
): News => ({ id: newId('evt_dev', at), at, tenantId, customer, subscription: reference, what })

const standing = (row: SubscriptionRow, more: { planKey?: string; cancelAtPeriodEnd?: boolean }): What => ({
  type: 'standing',
  planKey: row.planKey,
  cancelAtPeriodEnd: row.cancelAtPeriodEnd,
  periodEnd: time(row.currentPeriodEnd),
  ...more,
})
