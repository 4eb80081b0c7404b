/** Ports, events, jobs and channels of billing. Types only. */
import type { Caller, PayloadsOf } from '@larder-dev/larder/kernel'
import type { events } from './events.ts'

/** What a caller has now. */
export interface CallerEntitlements {
  readonly planKey: string | undefined
  /**
   * By key: whether a flag is on, what remains of credits, and the limit of the others, which is `Number.MAX_SAFE_INTEGER`
   * without one. Undefined for a key that the recipe doesn't declare.
   */
  readonly values: Readonly<Record<string, number | boolean | undefined>>
}

/** What the holder's plan allows of one entitlement. */
export interface EntitlementStatus {
  readonly key: string
  /** -1: unlimited; 0: none. */
  readonly limit: number
  readonly used: number
  /** True if `used + requested` fits the limit. */
  readonly allowed: boolean
  readonly requested: number
  /** Keys of plans that would allow it, cheapest first. */
  readonly upgrade: readonly string[]
}
export interface TenantPlan {
  readonly planKey: string
  /** Entitlement key → limit. The limit of a key that the plan omits is 0. */
  readonly entitlements: Readonly<Record<string, number>>
}

/**
 * Whose plan is meant: the ID of a workspace, or a customer of it. In a product of people, a customer's own plan holds;
 * pass it for callers with `isCustomer` only, because the plans of customers don't limit staff. In a product of
 * teams, the workspace's plan holds for everybody.
 */
export type PlanHolder = string | { readonly tenantId: string; readonly memberId: string; readonly userId: string }

export interface Entitlements {
  /**
   * Throws 403 `entitlement_exceeded` if `amount` more is over the limit. Joins the surrounding unit of work (of this
   * tenant or across tenants), under a lock on (holder, key) that lasts until the unit ends. `amount` is in the
   * entitlement's unit, may be a fraction, and defaults to 1. Keys that the recipe doesn't declare aren't limited.
   * Counts an allowed amount of a meter as used. Only checks credits, without consuming any.
   */
  require(holder: PlanHolder, key: string, amount?: number): Promise<void>
  /**
   * Throws 403 `entitlement_exceeded` if `bytes` more rows are over the tenant's limit of `storage.rows_mb`, and counts
   * them otherwise. Reads the plan, and stored bytes from memory, without a lock: the limit can be exceeded by what
   * other processes write within about a minute.
   */
  requireRowStorage(tenantId: string, bytes: number): Promise<void>
  /** The status of an entitlement, without a lock, an error or a unit of work. */
  check(holder: PlanHolder, key: string, requested?: number): Promise<EntitlementStatus>
  /** Whether an entitlement counts uses in a period, and not what exists. */
  isMeter(key: string): boolean
  /** The holder's current plan, read in the surrounding unit of work. */
  of(holder: PlanHolder): Promise<TenantPlan>
  /** What the caller has of these entitlements in the workspace of the request. Nothing without one. Nothing is cached. */
  ofCaller(
    caller: Pick<Caller, 'tenantId' | 'memberId' | 'userId' | 'isCustomer'>,
    keys: readonly string[],
  ): Promise<CallerEntitlements>
  /** ID of the workspace, or of the member for a customer → key of the current plan, for lists across tenants. */
  planKeys(holders: readonly PlanHolder[]): Promise<ReadonlyMap<string, string>>
}

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    entitlements: Entitlements
  }
  interface Events extends PayloadsOf<typeof events> {}
  interface Jobs {
    /** Processes stored webhook events. */
    'billing.process_webhooks': Record<string, never>
    /** Applies ended trials, periods and grace periods, and retries webhook events. */
    'billing.run_due_changes': Record<string, never>
    'billing.expire_credits': Record<string, never>
    /** Measures the rows of each tenant, for `storage.rows_mb`. */
    'billing.measure_rows': Record<string, never>
    /** Sums the changes of the revenue by day. */
    'billing.sum_revenue': Record<string, never>
    /** Cancels a deleted tenant's subscription at the provider, so that it stops charging. */
    'billing.cancel_at_provider': { providerSubscriptionId: string }
  }
}
