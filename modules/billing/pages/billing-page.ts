/** The page of the workspace's plan and usage. Its forms work without JavaScript. */
import {
  type Caller,
  defineTexts,
  type FieldError,
  MINUTE,
  missingPermission,
  type PageResult,
  Problem,
  page,
  together,
  type Wording,
  wording,
} from '@larder-dev/larder/kernel'
import type { Subject } from '../domain/subject.ts'
import type { BillingServices } from '../services.ts'
import { toView } from './billing-view.ts'

const UPDATE_PERMISSION = 'billing.subscription.update'
const NO_STORE = { 'cache-control': 'no-store' }
const NOTICES: Readonly<Record<string, string>> = defineTexts({
  done: 'Thanks! Your plan changes as soon as we receive your payment.',
  complete: "You're now on {0}.",
  canceled: "Checkout canceled. You weren't charged.",
  ends: 'Canceled. Active until {1}.',
  resumed: 'Your subscription continues.',
})
type Form = Readonly<Record<string, string>>
type PageDeps = Pick<
  BillingServices,
  | 'billingSettings'
  | 'catalog'
  | 'checkout'
  | 'creditHistory'
  | 'entitlementService'
  | 'provider'
  | 'subjects'
  | 'subscriptionRows'
  | 'translator'
>

export function pages(deps: PageDeps) {
  const {
    subscriptionRows,
    catalog,
    entitlementService,
    creditHistory,
    billingSettings,
    checkout,
    provider,
    subjects,
  } = deps

  async function view(tenantId: string, caller: Caller, locale: string) {
    const subject = subjects.ofCaller({ tenantId, caller })
    const { row, usage, balances } = await together({
      row: subscriptionRows.get(subject),
      usage: entitlementService.list(subjects.limiting({ tenantId, caller })),
      balances: creditHistory.balances(subject),
    })
    const plan = await catalog.planFor(subject, row.planKey)
    const subscription = { ...row, planKey: plan.key }
    const mayChange = caller.can(UPDATE_PERMISSION)
    const { defaultPlan } = billingSettings
    const { trialUsed } = row
    const translate = deps.translator.into(locale)
    return {
      ...toView({ locale, translate, subscription, plan, trialUsed, defaultPlan, mayChange, usage, balances, catalog }),
      portal: mayChange && provider.name !== 'dev' && row.customerId !== null,
      leaving: null,
      error: null,
    }
  }

  /** Returns a notice, or a URL at the provider: the content security policy forbids forms to redirect there. */
  async function perform(
    subject: Subject,
    locale: string,
    { action, planKey = '' }: Form,
  ): Promise<{ notice: string } | { externalUrl: string }> {
    if (action === 'cancel') {
      await checkout.cancel(subject)
      return { notice: 'ends' }
    }
    if (action === 'resume') {
      await checkout.resume(subject)
      return { notice: 'resumed' }
    }
    if (action === 'portal') return { externalUrl: (await checkout.portal(subject)).url }
    const { status, url } = await checkout.buy(subject, { planKey, locale })
    return status === 'complete' ? { notice: 'complete' } : { externalUrl: url }
  }

  return [
    page({
      name: 'billing.billing',
      path: '/billing',
      title: 'Plan',
      allow: 'billing.subscription.read',
      limits: [{ name: 'billing.page', points: 30, window: MINUTE, by: 'principal' }],
      async load({ tenantId, caller, locale, query }) {
        const key = query.checkout ?? query.done ?? ''
        const data = await view(tenantId, caller, locale)
        const isKnown = Object.hasOwn(NOTICES, key) && (key !== 'ends' || data.ends !== null)
        return { data: { ...data, notice: isKnown ? NOTICES[key] : null }, headers: NO_STORE }
      },
      async post({ tenantId, caller, locale, form }): Promise<PageResult> {
        if (!caller.can(UPDATE_PERMISSION)) throw missingPermission(UPDATE_PERMISSION)
        const render = async (more: object, rest: object = {}) => ({
          data: { ...(await view(tenantId, caller, locale)), notice: null, ...more },
          headers: NO_STORE,
          ...rest,
        })
        try {
          const result = await perform(subjects.ofCaller({ tenantId, caller }), locale, form)
          if ('notice' in result) return { redirect: `/billing?done=${result.notice}` }
          return render(
            { leaving: result.externalUrl },
            { headers: { ...NO_STORE, refresh: `0; url=${result.externalUrl}` } },
          )
        } catch (error) {
          if (!Problem.is(error)) throw error
          return render({ error: errorText(error) }, { status: error.status })
        }
      },
    }),
  ]
}

const PLAN_ERRORS: Readonly<Record<string, Wording>> = {
  unknown_plan: wording("The plan isn't available."),
  default_plan: wording('This is the free default plan. Cancel your current plan instead.'),
}
function errorText({ wording: text, extras }: Problem): Wording {
  const [first] = (extras.errors ?? []) as readonly FieldError[]
  return first ? (PLAN_ERRORS[first.code] ?? wording('Choose one of the plans.')) : text
}
