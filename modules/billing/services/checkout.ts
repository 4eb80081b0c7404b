/** What a person does about their plan: buys, changes, cancels, resumes. The table is asked before the provider is. */
import { common, type Deps } from 'larder/kernel'
import type { Plan } from '../core/plans.ts'
import { advance, type Trigger } from '../core/states.ts'
import type { BillingSettings } from '../options.ts'
import { invalidField } from '../problems.ts'
import type { Provider } from '../providers/provider.ts'
import type { Checkout, CheckoutOrder } from '../schemas.ts'
import type { Catalogue } from './catalogue.ts'
import type { Intake } from './intake.ts'
import type { SubscriptionRow, SubscriptionRows } from './rows.ts'
import { coreOf } from './subscriptions.ts'

interface Parts {
  readonly settings: BillingSettings
  readonly catalogue: Catalogue
  readonly rows: SubscriptionRows
  readonly provider: Provider
  readonly intake: Intake
}

export function createOrders(
  { clock, product }: Deps<'clock' | 'product'>,
  { settings, catalogue, rows, provider, intake }: Parts,
) {
  const home = `${product.publicUrl}/billing`

  /** `reason` says why not, and what would be right. */
  function mustAllow(row: SubscriptionRow, trigger: Trigger, reason: string): void {
    const moment = { at: clock.now(), grace: settings.grace }
    if (!advance(coreOf(row), trigger, moment))
      throw common.invalid_state({ reason: `The subscription is ${row.state}: ${reason}.` })
  }

  /** 422 for a plan that is not sold. */
  function onSale(key: string): Plan {
    const plan = catalogue.onSale(key)
    if (!plan) throw invalidField('/planKey', 'unknown_plan', "isn't available")
    if (key === settings.defaultPlan)
      throw invalidField('/planKey', 'default_plan', 'is the free default; cancel instead')
    return plan
  }

  async function change(row: SubscriptionRow, plan: Plan, successUrl: string): Promise<Checkout> {
    const keep = row.cancelAtPeriodEnd ? '; resume it to keep it' : ''
    mustAllow(row, { kind: 'plan_change', planKey: plan.key }, `it has the plan ${plan.key} already${keep}`)
    await intake.hear(row.tenantId, await provider.change(row, plan))
    return { id: row.id, status: 'complete', url: successUrl }
  }

  return {
    /** With a subscription that runs: another plan for it, at once. */
    async checkout(tenantId: string, { planKey, ...urls }: CheckoutOrder): Promise<Checkout> {
      const plan = onSale(planKey)
      const successUrl = urls.successUrl ?? `${home}?checkout=done`
      const row = await rows.get(tenantId)
      if (row.state === 'active') return change(row, plan, successUrl)
      const trigger = { kind: 'checkout', planKey, trialEndsAt: null, periodEnd: null } as const
      mustAllow(row, trigger, 'a plan can be bought once this one is paid, or canceled')
      const { news, heard, ...made } = await provider.checkout({
        tenantId,
        plan,
        trialDays: row.trialUsed ? 0 : plan.trialDays,
        customer: row.customer,
        successUrl,
        cancelUrl: urls.cancelUrl ?? `${home}?checkout=canceled`,
      })
      await intake.hear(tenantId, { news, heard })
      return made
    },
    async cancel(tenantId: string, when: 'period_end' | 'now' = 'period_end'): Promise<void> {
      const row = await rows.get(tenantId)
      const trigger = { kind: when === 'now' ? 'cancel_now' : 'cancel_later' } as const
      mustAllow(row, trigger, row.cancelAtPeriodEnd ? 'it ends with its period already' : 'there is nothing to cancel')
      await intake.hear(tenantId, await provider.cancel(row, when))
    },
    async resume(tenantId: string): Promise<void> {
      const row = await rows.get(tenantId)
      mustAllow(row, { kind: 'resume' }, 'there is nothing to resume')
      await intake.hear(tenantId, await provider.resume(row))
    },
    async portal(tenantId: string, returnUrl = home): Promise<{ url: string }> {
      const row = await rows.get(tenantId)
      if (row.customer === null)
        throw common.invalid_state({ reason: 'No purchases yet, so there is no billing portal.' })
      return { url: await provider.portal(row, returnUrl) }
    },
  }
}
export type Orders = ReturnType<typeof createOrders>
