/** The development provider: accepts every checkout at once. Time passes on request. */

import { common, type Deps, MINUTE, newId, SECOND, type Static, Type } from '@larder-dev/larder/kernel'
import { createValidator } from '@larder-dev/larder/kernel/internal'
import { addDays, periodEnd, toMs } from '../../domain/calendar.ts'
import type { ProviderEvent, SubscriptionChange } from '../../domain/provider-event.ts'
import { problems } from '../../problems.ts'
import type { SubscriptionRow } from '../../records.ts'
import type { CheckoutRequest, PaymentProvider, ProviderResult, WebhookRequest } from './provider.ts'

const SIGNING_PURPOSE = 'billing.webhook'
const SIGNATURE_HEADER = 'larder-signature'
const TOLERANCE_MS = 5 * MINUTE

const Nullable = <T extends 'string' | 'integer'>(type: T) =>
  Type.Unsafe<(T extends 'string' ? string : number) | null>({ type: [type, 'null'] })
const DevEvent = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 100 }),
  at: Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 }),
  tenantId: Nullable('string'),
  memberId: Type.Optional(Nullable('string')),
  customer: Nullable('string'),
  subscription: Nullable('string'),
  effect: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  change: Type.Unsafe<SubscriptionChange>({
    type: 'object',
    properties: {
      type: { enum: ['checkout', 'paid', 'trial_ended', 'payment_failed', 'ended', 'unpaid', 'updated'] },
      planKey: { type: ['string', 'null'] },
      trialEndsAt: { type: ['integer', 'null'] },
      periodEnd: { type: ['integer', 'null'] },
      isRenewal: { type: 'boolean' },
      paymentSucceeded: { type: 'boolean' },
      cancelAtPeriodEnd: { type: 'boolean' },
      standing: { enum: ['trialing', 'active', 'past_due'] },
      paymentPaused: { type: 'boolean' },
    },
    required: ['type'],
  }),
})

/** Signature header of a webhook whose body is one `ProviderEvent` as JSON. */
export const signDevWebhook = ({ secrets }: Deps<'secrets'>, body: string, now: number): string => {
  const seconds = String(Math.floor(now / SECOND))
  return `t=${seconds},v1=${secrets.sign(SIGNING_PURPOSE, seconds, body)}`
}

type ProviderIds = Pick<SubscriptionRow, 'tenantId' | 'memberId' | 'customerId' | 'providerSubscriptionId'>

export function createDevProvider({ clock, secrets }: Deps<'clock' | 'secrets'>): PaymentProvider {
  const validate = createValidator().body(DevEvent)
  const resultOf = (ids: ProviderIds, change: SubscriptionChange): ProviderResult => ({
    authoritative: true,
    events: [devEvent(ids, change, clock.now())],
  })

  async function parseWebhook({ headers, body, now }: WebhookRequest): Promise<readonly ProviderEvent[]> {
    const text = body.toString('utf8')
    const [, seconds = '', signature = ''] = /^t=(\d{1,12}),v1=([\w-]+)$/.exec(String(headers[SIGNATURE_HEADER])) ?? []
    const isFresh = seconds !== '' && Math.abs(now - Number(seconds) * SECOND) <= TOLERANCE_MS
    if (!isFresh || !secrets.verify(signature, SIGNING_PURPOSE, seconds, text)) throw common.bad_signature()
    try {
      return [validate(JSON.parse(text)) as Static<typeof DevEvent>]
    } catch {
      throw problems.not_a_webhook()
    }
  }

  return {
    name: 'dev',
    managesSchedule: false,
    async checkout({ subject, plan, trialDays, customer, successUrl }: CheckoutRequest) {
      const now = clock.now()
      const ids = {
        tenantId: subject.tenantId,
        memberId: subject.memberId,
        customerId: customer ?? newId('cus_dev', now),
        providerSubscriptionId: newId('sub_dev', now),
      }
      const change = {
        type: 'checkout',
        planKey: plan.key,
        trialEndsAt: trialDays > 0 ? addDays(now, trialDays) : null,
        periodEnd: periodEnd(plan.interval, now),
      } as const
      return { id: newId('cs_dev', now), status: 'complete', url: successUrl, ...resultOf(ids, change) }
    },
    change: async (row, plan) => resultOf(row, updatedFrom(row, { planKey: plan.key })),
    cancel: async (row, when) =>
      resultOf(row, when === 'now' ? { type: 'ended' } : updatedFrom(row, { cancelAtPeriodEnd: true })),
    resume: async row => resultOf(row, updatedFrom(row, { cancelAtPeriodEnd: false })),
    extendTrial: async (row, until) =>
      resultOf(row, updatedFrom(row, { standing: 'trialing', trialEndsAt: until, periodEnd: until })),
    portal: async (_, returnUrl) => returnUrl,
    terminate: async () => {},
    parseWebhook,
  }
}

/** @param at milliseconds since 1970. */
export const devEvent = (
  { tenantId, memberId, customerId, providerSubscriptionId }: ProviderIds,
  change: SubscriptionChange,
  at: number,
): ProviderEvent => ({
  id: newId('evt_dev', at),
  at,
  tenantId,
  ...(memberId && { memberId }),
  customer: customerId,
  subscription: providerSubscriptionId,
  change,
})

const updatedFrom = (
  row: SubscriptionRow,
  changes: Partial<Extract<SubscriptionChange, { type: 'updated' }>>,
): SubscriptionChange => ({
  type: 'updated',
  planKey: row.planKey,
  cancelAtPeriodEnd: row.cancelAtPeriodEnd,
  periodEnd: toMs(row.currentPeriodEnd),
  ...changes,
})
