/** The plan of the workspace: what it is, what is used of it, what else there is. Forms do it all, without scripts. */
import {
  type Caller,
  common,
  type Deps,
  type FieldError,
  MINUTE,
  type PageResult,
  Problem,
  page,
  says,
} from 'larder/kernel'
import { viewOf } from './page-view.ts'

const CHANGE = 'billing.subscription.update'
const QUIET = { 'cache-control': 'no-store' }
const NOTICES: Readonly<Record<string, string>> = says({
  done: 'Thanks! Your plan changes as soon as we receive your payment.',
  complete: "You're now on {0}.",
  canceled: "Checkout canceled. You weren't charged.",
  ends: 'Canceled. Active until {1}.',
  resumed: 'Your subscription continues.',
})
type Form = Readonly<Record<string, string>>

export function pages({ billing }: Deps<'billing'>) {
  const { subscriptions, rows, catalogue, entitlements, statement, settings, orders, provider } = billing

  async function view(tenantId: string, caller: Caller, locale: string) {
    const [subscription, row] = [await subscriptions.view(tenantId), await rows.get(tenantId)]
    const plan = await catalogue.planOf(tenantId, row.planKey)
    const [standings, balances] = [await entitlements.all(tenantId), await statement.balances(tenantId)]
    const mayChange = caller.can(CHANGE)
    const { defaultPlan } = settings
    const asked = { locale, subscription, plan, trialUsed: row.trialUsed, defaultPlan, mayChange }
    const shown = viewOf({ ...asked, standings, balances, catalogue })
    return {
      ...shown,
      portal: mayChange && provider.name !== 'dev' && row.customer !== null,
      leaving: null,
      error: null,
    }
  }

  /** Where the browser goes then; an address elsewhere is shown, since a form may not lead there. */
  async function act(tenantId: string, { action, planKey = '' }: Form): Promise<{ notice: string } | { away: string }> {
    if (action === 'cancel') {
      await orders.cancel(tenantId)
      return { notice: 'ends' }
    }
    if (action === 'resume') {
      await orders.resume(tenantId)
      return { notice: 'resumed' }
    }
    if (action === 'portal') return { away: (await orders.portal(tenantId)).url }
    const made = await orders.checkout(tenantId, { planKey })
    return made.status === 'complete' ? { notice: 'complete' } : { away: made.url }
  }

  return [
    page({
      name: 'billing.billing',
      path: '/billing',
      title: 'Plan',
      allow: 'billing.subscription.read',
      limits: [{ name: 'billing.page', points: 30, window: MINUTE, by: 'principal' }],
      async load({ tenantId, caller, locale, query }) {
        const asked = query.checkout ?? query.done ?? ''
        const data = await view(tenantId, caller, locale)
        const known = Object.hasOwn(NOTICES, asked) && (asked !== 'ends' || data.ends !== null)
        return { data: { ...data, notice: known ? NOTICES[asked] : null }, headers: QUIET }
      },
      async post({ tenantId, caller, locale, form }): Promise<PageResult> {
        if (!caller.can(CHANGE)) throw common.forbidden({ permission: CHANGE }, { requiredPermission: CHANGE })
        const show = async (more: object, rest: object = {}) => ({
          data: { ...(await view(tenantId, caller, locale)), notice: null, ...more },
          headers: QUIET,
          ...rest,
        })
        try {
          const result = await act(tenantId, form)
          if ('notice' in result) return { redirect: `/billing?done=${result.notice}` }
          return show({ leaving: result.away }, { headers: { ...QUIET, refresh: `0; url=${result.away}` } })
        } catch (error) {
          if (!Problem.is(error)) throw error
          return show({ error: reason(error) }, { status: error.status })
        }
      },
    }),
  ]
}

function reason({ message, extras }: Problem): string {
  const [first] = (extras.errors ?? []) as readonly FieldError[]
  return first ? `The plan ${first.detail}.` : message
}
