/** Actions of operators on a workspace: changing its plan, granting credits and taking them back. */
import {
  common,
  type Deps,
  invalidField,
  NameOf,
  Nullable,
  named,
  type Registrations,
  reply,
  route,
  Type,
  together,
  type Unit,
  wording,
} from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { PlanKey } from '../recipe/sections.ts'
import { LedgerEntry } from '../records.ts'
import type { BillingServices } from '../services.ts'
import { CreditKey, ExpiresAt, MAX_AMOUNT, parseExpiry } from './credits.ts'
import { Subscription } from './subscription.ts'

const Reason = NameOf(500)

const PlanBody = Type.Object(
  { planKey: PlanKey, reason: Reason },
  { examples: [{ planKey: 'pro', reason: 'Agreed on the phone' }] },
)
const ChangedPlan = named(
  'ChangedPlan',
  Type.Object({
    subscription: Subscription,
    checkoutUrl: Nullable(
      Type.String({ description: 'Where the workspace pays for the plan first; null if the plan has changed' }),
    ),
  }),
)
const CreditsBody = Type.Object(
  {
    key: CreditKey,
    amount: Type.Integer({
      minimum: -MAX_AMOUNT,
      maximum: MAX_AMOUNT,
      description: 'A negative amount takes credits back',
    }),
    reason: Reason,
    refundOf: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'ID of the consumption that is refunded' }),
    ),
    expiresAt: ExpiresAt,
  },
  { examples: [{ key: 'ai.credits', amount: 100, reason: 'Outage on Monday' }] },
)

type RouteDeps = Deps<'systemDatabase' | 'clock' | 'registry'> &
  Pick<BillingServices, 'billingSettings' | 'checkout' | 'credits' | 'subscriptions' | 'tenants' | 'translator'>

export function operatorRoutes(deps: RouteDeps) {
  const { systemDatabase, clock, registry, billingSettings, checkout, credits, subscriptions, tenants, translator } =
    deps
  const allTenants = () => systemDatabase.acrossTenants('operators change the plan and the credits of any tenant')
  const record: Registrations['operatorActions'] = async (unit, action) => {
    for (const { value } of registry.collect<Registrations['operatorActions']>('operatorActions'))
      await value(unit, action)
  }

  const changePlan = route({
    method: 'put',
    path: '/billing/admin/tenants/:id/subscription',
    operationId: 'changeTenantPlan',
    summary: 'Changes the plan of any workspace. Recorded in the audit log.',
    description:
      'The plan begins without a trial. The default plan cancels the subscription at once. With a payment provider, a workspace that has not paid before gets a URL for the payment.',
    allow: 'billing.subscription.update_all',
    body: PlanBody,
    replies: { 200: ChangedPlan },
    problems: [common.not_found, common.invalid_state, problems.provider_failed, problems.no_provider],
    // The payment provider is called: no transaction stays open meanwhile.
    unit: 'own',
    async handle({ params: { id }, body: { planKey, reason }, caller, request }) {
      const {
        before: { planKey: previousPlanKey },
      } = await together({ tenant: tenants.assertExists(id), before: subscriptions.get(id) })
      const checkoutUrl = await setPlan(id, planKey, translator.localeOf(request))
      const subscription = await subscriptions.get(id)
      const details = { reason, planKey, previousPlanKey, ...(checkoutUrl !== null && { unpaid: true }) }
      const action = 'subscription.changed'
      await allTenants().transaction(unit =>
        record(unit, { caller, tenantId: id, action, subject: subscription.id, details }),
      )
      return { subscription, checkoutUrl }
    },
  })

  /** Returns where the plan is paid for, or null. */
  async function setPlan(tenantId: string, planKey: string, locale: string): Promise<string | null> {
    if (planKey === billingSettings.defaultPlan) {
      await checkout.cancel(tenantId, 'now')
      return null
    }
    const { status, url } = await checkout.buy(tenantId, { planKey, locale, withTrial: false })
    return status === 'open' ? url : null
  }

  const changeCredits = route({
    method: 'post',
    path: '/billing/admin/tenants/:id/credits',
    operationId: 'changeTenantCredits',
    summary: 'Grants credits to any workspace, refunds them, or takes them back. Recorded in the audit log.',
    description: 'Each Idempotency-Key changes them once.',
    allow: 'billing.credit.grant',
    body: CreditsBody,
    replies: { 201: LedgerEntry },
    problems: [common.not_found, problems.insufficient_credits],
    idempotent: 'required',
    // The workspace differs from that of the request.
    unit: 'own',
    async handle({ params: { id }, body, caller }) {
      const { key, amount, reason, refundOf } = body
      if (amount === 0) throw invalidField('/amount', 'too_small', wording('must not be 0'))
      if (amount < 0 && refundOf !== undefined)
        throw invalidField('/amount', 'too_small', wording('must be at least 1 for a refund'))
      credits.assertCreditKey(key)
      const expiresAt = parseExpiry(body, clock)
      const actor = { kind: caller.kind, id: caller.principalId }
      const details = { key, amount, reason, reference: refundOf ?? null, source: null, actor }
      const entry = await allTenants().transaction(async unit => {
        const { written } = await together({ tenant: tenants.assertExists(id), written: write(unit) })
        if (!written) throw new Error('a grant without a source was taken for a repeated one')
        await record(unit, {
          caller,
          tenantId: id,
          action: amount > 0 ? 'credits.granted' : 'credits.taken_back',
          subject: written.id,
          details: { key, amount, reason, ...(refundOf !== undefined && { refundOf }) },
        })
        return written
      })
      return reply(201, entry)

      function write(unit: Unit) {
        if (amount < 0) return credits.adjust(unit, id, details)
        if (refundOf !== undefined) return credits.refund(unit, id, { ...details, entryId: refundOf }, '/refundOf')
        return credits.grant(unit, id, { ...details, expiresAt })
      }
    },
  })

  return [changePlan, changeCredits]
}
