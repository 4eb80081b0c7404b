/** Who takes the money. Types alone. */
import type { IncomingHttpHeaders } from 'node:http'
import type { News } from '../../domain/provider-event.ts'
import type { Plan } from '../../domain/plans.ts'
import type { Checkout } from '../../schemas.ts'
import type { SubscriptionRow } from '../subscription-repository.ts'

export interface Order {
  readonly tenantId: string
  readonly plan: Plan
  /** 0: none, or none any more. */
  readonly trialDays: number
  readonly customer: string | null
  readonly successUrl: string
  readonly cancelUrl: string
}
export interface Delivery {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Milliseconds since 1970. */
  readonly now: number
}
/** `heard`: the provider's own events, counted like those of its webhook. Else it is an answer: see `hear`. */
export interface Told {
  readonly news: readonly News[]
  readonly heard: boolean
}

export interface Provider {
  readonly name: 'dev' | 'stripe'
  /** Whether it keeps the time itself: trials and renewals come as news. */
  readonly keepsTime: boolean
  checkout(order: Order): Promise<Checkout & Told>
  /** Another plan for a subscription that runs. */
  change(row: SubscriptionRow, plan: Plan): Promise<Told>
  cancel(row: SubscriptionRow, when: 'period_end' | 'now'): Promise<Told>
  resume(row: SubscriptionRow): Promise<Told>
  /** Where a person changes how they pay, and sees invoices. */
  portal(row: SubscriptionRow, returnUrl: string): Promise<string>
  /** Takes no more money for it. */
  abandon(reference: string): Promise<void>
  /** What a webhook tells. Throws `bad_signature`, `not_a_webhook`. */
  read(delivery: Delivery): Promise<readonly News[]>
}
