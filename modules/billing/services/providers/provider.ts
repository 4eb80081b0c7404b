/** The interface of payment providers. */

import type { IncomingHttpHeaders } from 'node:http'
import type { Plan } from '../../domain/plans.ts'
import type { ProviderEvent } from '../../domain/provider-event.ts'
import type { Subject } from '../../domain/subject.ts'
import type { SubscriptionRow } from '../../records.ts'

export interface CheckoutRequest {
  readonly subject: Subject
  readonly plan: Plan
  /** In the buyer's language. */
  readonly planName: string
  /** 0: no trial. */
  readonly trialDays: number
  /** The provider's id of the customer, if the subject has bought before. */
  readonly customer: string | null
  readonly successUrl: string
  readonly cancelUrl: string
}
export interface Checkout {
  readonly id: string
  /** `open`: the payment is made at `url`. */
  readonly status: 'open' | 'complete'
  readonly url: string
}
export interface WebhookRequest {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Milliseconds since 1970. */
  readonly now: number
}
export interface ProviderResult {
  readonly events: readonly ProviderEvent[]
  /**
   * True for events of the provider itself, which are stored and ordered like those of its webhook. False for events
   * that were derived from the response to a call.
   */
  readonly authoritative: boolean
}

export interface PaymentProvider {
  readonly name: 'dev' | 'stripe'
  /** True if the provider reports ended trials and renewals itself. */
  readonly managesSchedule: boolean
  checkout(request: CheckoutRequest): Promise<Checkout & ProviderResult>
  /** Changes the plan of a running subscription. */
  change(row: SubscriptionRow, plan: Plan): Promise<ProviderResult>
  cancel(row: SubscriptionRow, when: 'period_end' | 'now'): Promise<ProviderResult>
  resume(row: SubscriptionRow): Promise<ProviderResult>
  /** @param until milliseconds since 1970, whole seconds */
  extendTrial(row: SubscriptionRow, until: number): Promise<ProviderResult>
  /** URL of a page with payment methods and invoices. */
  portal(row: SubscriptionRow, returnUrl: string): Promise<string>
  /** Cancels a subscription whose subject is gone or whose grace period has ended. */
  terminate(providerSubscriptionId: string): Promise<void>
  /** Throws `bad_signature`, `not_a_webhook` and `unreadable_event`. */
  parseWebhook(request: WebhookRequest): Promise<readonly ProviderEvent[]>
}
