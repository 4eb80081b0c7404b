/** Purchases, plan changes and cancellations. The state machine is checked before the provider is called. */

import { type Deps, invalidField, type Problem, wording } from '@larder-dev/larder/kernel'
import { toMs } from '../domain/calendar.ts'
import type { Plan } from '../domain/plans.ts'
import type { ProviderEvent } from '../domain/provider-event.ts'
import type { Subject } from '../domain/subject.ts'
import { type Trigger, transition } from '../domain/subscription-states.ts'
import type { BillingSettings } from '../options.ts'
import { stateProblems } from '../problems.ts'
import type { SubscriptionRow } from '../records.ts'
import type { PlanCatalog } from './plan-catalog.ts'
import type { ProviderEventService } from './provider-event-service.ts'
import type { Checkout, PaymentProvider } from './providers/provider.ts'
import type { SubscriptionRepository } from './subscription-repository.ts'
import { toState } from './subscription-service.ts'
import type { Translator } from './translator.ts'

export interface Purchase {
  readonly planKey: string
  readonly successUrl?: string
  readonly cancelUrl?: string
  /** Language of the plan's name at the payment provider; by default that of the product. */
  readonly locale?: string
  /** Whether an operator gives the plan: without a trial, and for nothing where no provider collects payments. */
  readonly isGiven?: boolean
}
/** All methods throw `invalid_state` if the subscription's state doesn't allow the change. */
export interface CheckoutService {
  /** Buys a plan, or changes the plan of an active subscription at once. */
  buy(subject: Subject, purchase: Purchase): Promise<Checkout>
  cancel(subject: Subject, when?: 'period_end' | 'now'): Promise<void>
  resume(subject: Subject): Promise<void>
  /**
   * Moves the end of a running trial. Returns the end before. The same end changes nothing; an earlier one is 422.
   * @param until milliseconds since 1970, whole seconds
   */
  extendTrial(subject: Subject, until: number): Promise<number>
  /** URL of the provider's portal. */
  portal(subject: Subject, returnUrl?: string): Promise<{ url: string }>
}

type CheckoutDeps = Deps<'clock' | 'product'> & {
  readonly billingSettings: BillingSettings
  readonly catalog: PlanCatalog
  readonly subscriptionRows: SubscriptionRepository
  readonly provider: PaymentProvider
  readonly providerEvents: ProviderEventService
  readonly translator: Translator
}

export function createCheckoutService(deps: CheckoutDeps): CheckoutService {
  const {
    clock,
    product,
    billingSettings: settings,
    catalog,
    subscriptionRows,
    provider,
    providerEvents,
    translator,
  } = deps
  const billingUrl = `${product.publicUrl}/billing`
  const returnHosts = [...new Set([new URL(product.publicUrl).host, ...settings.returnHosts])]

  /** Throws 422 for a URL on any other host, so that links to a checkout can't be used for phishing. */
  function assertReturnUrls(urls: Readonly<Record<string, string>>): void {
    for (const [field, url] of Object.entries(urls))
      if (!URL.canParse(url) || !returnHosts.includes(new URL(url).host))
        throw invalidField(
          `/${field}`,
          'host_not_allowed',
          wording('must be on an allowed host: {hosts}', { hosts: returnHosts }),
        )
  }

  function assertAllowed(row: SubscriptionRow, trigger: Trigger, problem: Problem): void {
    const context = { at: clock.now(), graceMs: settings.graceMs }
    if (!transition(toState(row), trigger, context)) throw problem
  }

  /** Throws 422 for a plan that can't be bought. */
  function planOnSale(key: string): Plan {
    const plan = catalog.findOnSale(key)
    if (!plan) throw invalidField('/planKey', 'unknown_plan', wording("isn't available"))
    if (key === settings.defaultPlan)
      throw invalidField('/planKey', 'default_plan', wording('is the free default; cancel instead'))
    return plan
  }

  async function changePlan(
    row: SubscriptionRow,
    plan: Plan,
    { successUrl, isGiven }: { readonly successUrl: string; readonly isGiven: boolean },
  ): Promise<Checkout> {
    const same = row.cancelAtPeriodEnd ? stateProblems.same_plan_ends : stateProblems.same_plan
    assertAllowed(row, { kind: 'plan_change', planKey: plan.key }, same({ plan: plan.name }))
    const { events, authoritative } = await provider.change(row, plan)
    await providerEvents.applyResult(row, { events: marked(events, isGiven), authoritative })
    return { id: row.id, status: 'complete', url: successUrl }
  }

  /** The development provider asks nobody to pay; another one does, whoever changes the plan. */
  const marked = (events: readonly ProviderEvent[], isGiven: boolean): readonly ProviderEvent[] =>
    settings.provider === 'dev' ? events.map(event => ({ ...event, given: isGiven })) : events

  return {
    async buy(subject, { planKey, locale = product.locales.default, isGiven = false, ...urls }) {
      const { successUrl = `${billingUrl}?checkout=done`, cancelUrl = `${billingUrl}?checkout=canceled` } = urls
      assertReturnUrls({ successUrl, cancelUrl })
      const plan = planOnSale(planKey)
      const row = await subscriptionRows.getOrCreate(subject)
      if (row.state === 'active') return changePlan(row, plan, { successUrl, isGiven })
      const trigger = { kind: 'checkout', planKey, trialEndsAt: null, periodEnd: null } as const
      assertAllowed(row, trigger, stateProblems.unpaid())
      const { events, authoritative, ...checkout } = await provider.checkout({
        subject,
        plan,
        planName: translator.into(locale)(plan.name),
        trialDays: row.trialUsed || isGiven ? 0 : plan.trialDays,
        customer: row.customerId,
        successUrl,
        cancelUrl,
      })
      await providerEvents.applyResult(subject, { events: marked(events, isGiven), authoritative })
      return checkout
    },
    async cancel(subject, when = 'period_end') {
      const row = await subscriptionRows.get(subject)
      const trigger = { kind: when === 'now' ? 'cancel_now' : 'cancel_later' } as const
      assertAllowed(
        row,
        trigger,
        row.cancelAtPeriodEnd ? stateProblems.cancellation_scheduled() : stateProblems.nothing_to_cancel(),
      )
      await providerEvents.applyResult(subject, await provider.cancel(row, when))
    },
    async resume(subject) {
      const row = await subscriptionRows.get(subject)
      assertAllowed(row, { kind: 'resume' }, stateProblems.nothing_to_resume())
      await providerEvents.applyResult(subject, await provider.resume(row))
    },
    async extendTrial(subject, until) {
      const row = await subscriptionRows.get(subject)
      const end = toMs(row.trialEndsAt)
      if (row.state !== 'trialing' || end === null) throw stateProblems.no_trial()
      if (end <= clock.now()) throw stateProblems.trial_over()
      if (row.cancelAtPeriodEnd) throw stateProblems.cancellation_scheduled()
      if (until < end) throw invalidField('/trialEndsAt', 'too_early', wording('must be after the end of the trial'))
      if (until > end) await providerEvents.applyResult(subject, await provider.extendTrial(row, until))
      return end
    },
    async portal(subject, returnUrl = billingUrl) {
      assertReturnUrls({ returnUrl })
      const row = await subscriptionRows.get(subject)
      if (row.customerId === null) throw stateProblems.no_purchases()
      return { url: await provider.portal(row, returnUrl) }
    },
  }
}
