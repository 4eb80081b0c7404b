/** What webhooks gives and does later: types alone. Its wire format is snake_case. */

import type { EventEnvelope } from 'larder/kernel'
/** Payload of an event that may become a webhook: its body, and where it goes, which is never sent. */
export interface WebhookNotice {
  readonly session_id: string
  /** From 1, one a session. */
  readonly sequence: number
  readonly webhook: { readonly url: string; readonly events: readonly string[] } | null
}

export interface Webhooks {
  /**
   * For a listener: queues the event for the address in its payload, if that wants to hear of it, in the transaction
   * that marks the listener done. The webhook's type is the event's without its module: `stream.live`.
   */
  announce(event: EventEnvelope<string, WebhookNotice>): Promise<void>
}

export interface WebhookTargets {
  /** Why nothing may be sent there, as the end of a sentence; undefined where it may. Looks up no name. */
  refusal(url: string): string | undefined
}

export interface WebhookSender {
  /** Looks for what is due, in the background. Cheap, and safe to call at any time. */
  wake(): void
  /** Lets what is under way finish for a while, gives the rest back. */
  stop(): Promise<void>
}

declare module 'larder/kernel' {
  interface Ports {
    webhooks: Webhooks
    webhookTargets: WebhookTargets
    /** The module's own. */
    webhookSender: WebhookSender
  }
  interface Jobs {
    /** Finds what is due again, and what a killed process left behind. */
    'webhooks.send': Record<string, never>
    /** Forgets deliveries past their time. */
    'webhooks.sweep': Record<string, never>
  }
}
