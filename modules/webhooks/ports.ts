/** Public interfaces of the webhooks module. */
import type { EventEnvelope, PayloadsOf, Wording } from '@larder-dev/larder/kernel'
import type { events } from './events.ts'

/** Payload of an event that can be sent as webhook. All fields except `webhook` become the body. */
export interface WebhookEventPayload {
  readonly session_id: string
  /** Starts at 1 and increases within a session. */
  readonly sequence: number
  readonly webhook: { readonly url: string; readonly events: readonly string[] } | null
}

export interface Webhooks {
  /**
   * Queues each event for the URL in its payload if the URL is subscribed to its type. Called by batch listeners, in
   * whose transaction the deliveries are stored. The type of a webhook is the event type without the module:
   * `stream.live`.
   */
  enqueue(events: readonly EventEnvelope<string, WebhookEventPayload>[]): Promise<void>
}

export interface WebhookTargets {
  /** Why webhooks can't be sent to the URL, as the end of a sentence; undefined if they can. Does no DNS lookup. */
  refusal(url: string): Wording | undefined
}

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    webhooks: Webhooks
    webhookTargets: WebhookTargets
  }
  interface Events extends PayloadsOf<typeof events> {}
  interface Jobs {
    /** Wakes the sender for due retries and for deliveries of killed processes. */
    'webhooks.send': Record<string, never>
    /** Deletes deliveries past the retention period. */
    'webhooks.sweep': Record<string, never>
  }
}
