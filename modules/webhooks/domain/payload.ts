/** The body of a webhook. Pure. */
import { SECOND } from 'larder/kernel'
import type { WebhookEventPayload } from '../ports.ts'

export interface WebhookMessage {
  /** `msg_…`, also the header `webhook-id`. */
  readonly id: string
  readonly type: string
  readonly occurred_at: Date
  readonly payload: Readonly<Record<string, unknown>>
}

/** The stored part of an event payload: everything except the destination. */
export function toPayload(event: WebhookEventPayload): Record<string, unknown> {
  const { webhook, ...payload } = event
  return payload
}

/** `sent` in milliseconds, undefined before the first attempt. `sent_at` is in seconds, as is `webhook-timestamp`. */
export const toContent = (
  { id, type, occurred_at, payload }: WebhookMessage,
  sent?: number,
): Record<string, unknown> => ({
  type,
  ...payload,
  ...(sent !== undefined && { sent_at: Math.floor(sent / SECOND) }),
  id,
  occurred_at: occurred_at.toISOString(),
})

export const toBody = (message: WebhookMessage, now: number): string => JSON.stringify(toContent(message, now))

/** `sessions.session.created` → `session.created`. */
export const webhookType = (event: string): string => event.slice(event.indexOf('.') + 1)
