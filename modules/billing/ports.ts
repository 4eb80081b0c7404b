/** What billing gives, tells and does later: types alone. */
import type { Billing } from './services/billing-services.ts'
import type { EntryKind } from './domain/credit-ledger.ts'
import type { State } from './domain/subscription-states.ts'

/** How much of an entitlement a tenant has: -1 unlimited, 0 none. */
export interface Standing {
  readonly key: string
  /** -1: unlimited. */
  readonly limit: number
  readonly used: number
  /** True where `used + requested` fits the limit. */
  readonly allowed: boolean
  readonly requested: number
  /** Keys of plans that would allow it, cheapest first. */
  readonly upgrade: readonly string[]
}
export interface TenantPlan {
  readonly planKey: string
  /** Entitlement key → limit; keys that the plan leaves out are 0. */
  readonly entitlements: Readonly<Record<string, number>>
}

export interface Entitlements {
  /**
   * Inside the unit of work that surrounds the call (of this tenant, or of the system), under a lock on
   * (tenant, key) that lasts until it ends: throws 403 `entitlement_exceeded` where `amount` more is over the limit.
   * `amount` is in the entitlement's unit and may be a fraction; 1 by default. A key that the recipe does not know
   * is not limited. Of a meter, what is allowed is counted as used; of credits it only looks, and draws none.
   */
  require(tenantId: string, key: string, amount?: number): Promise<void>
  /** The same question without lock, error or unit of work. */
  standing(tenantId: string, key: string, requested?: number): Promise<Standing>
  /** From memory, at most a second old; follows `billing.changed` over the bus. */
  of(tenantId: string): Promise<TenantPlan>
}

/** Times are RFC 3339. */
export interface SubscriptionNotice {
  subscriptionId: string
  state: State
  previousState: State
  planKey: string
  previousPlanKey: string
  currentPeriodEnd: string | null
  trialEndsAt: string | null
  graceEndsAt: string | null
}
export interface CreditNotice {
  entryId: string
  key: string
  kind: EntryKind
  /** Below zero for what is gone. */
  amount: number
  balance: number
}

declare module 'larder/kernel' {
  interface Ports {
    entitlements: Entitlements
    /** The services behind billing's own routes and pages. */
    billing: Billing
  }
  interface Events {
    'billing.subscription.trial_started': SubscriptionNotice
    /** It is paid for: from nothing, from a trial, or after a payment that had failed. */
    'billing.subscription.activated': SubscriptionNotice
    'billing.subscription.renewed': SubscriptionNotice
    'billing.subscription.plan_changed': SubscriptionNotice
    'billing.subscription.past_due': SubscriptionNotice
    'billing.subscription.cancel_scheduled': SubscriptionNotice
    'billing.subscription.resumed': SubscriptionNotice
    'billing.subscription.canceled': SubscriptionNotice
    'billing.credit.granted': CreditNotice
    'billing.credit.refunded': CreditNotice
    'billing.credit.adjusted': CreditNotice
    'billing.credit.expired': CreditNotice
  }
  interface Jobs {
    /** Stored webhooks wait. */
    'billing.webhooks': Record<string, never>
    /** Trials, periods, grace that are over. */
    'billing.clock': Record<string, never>
    'billing.expire_credits': Record<string, never>
    /** Nothing here stands for it any more: the provider must not go on taking money for it. */
    'billing.abandon': { reference: string }
  }
}
