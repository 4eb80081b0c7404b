/** The body of a webhook. Pure. */
import { SECOND } from '@larder-dev/larder/kernel'
import type { WebhookEventPayload } from '../ports.ts'

export interface WebhookMessage {
  /** `msg_…`, also the header `webhook-id`. */
  readonly id: string
  readonly event_id: string
  readonly type: string
  readonly occurred_at: Date
  /** Null for the URL of a session. */
  readonly endpoint_id: string | null
  readonly event_tenant_id: string | null
  readonly subject: string | null
  readonly payload: Readonly<Record<string, unknown>>
}

/** The stored part of a session event: everything except the destination. */
export function toPayload(event: WebhookEventPayload): Record<string, unknown> {
  const { webhook, ...payload } = event
  return payload
}

/** The part of an event payload that its public schema declares. */
export function publicPayload(payload: object, names: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => names.has(name)))
}

/** `sent` in milliseconds, undefined before the first attempt. `sent_at` is in seconds, as is `webhook-timestamp`. */
export function toContent(message: WebhookMessage, sent?: number): Record<string, unknown> {
  const { id, type, payload } = message
  const occurred_at = message.occurred_at.toISOString()
  const times = sent === undefined ? {} : { sent_at: Math.floor(sent / SECOND) }
  // The body of session webhooks is flat, as specified.
  if (message.endpoint_id === null) return { type, ...payload, ...times, id, occurred_at }
  const { event_id, event_tenant_id: tenant_id, subject } = message
  return { id, type, event_id, occurred_at, ...times, tenant_id, subject, data: payload }
}

export const toBody = (message: WebhookMessage, now: number): string => JSON.stringify(toContent(message, now))

/** `sessions.session.created` → `session.created`, the type of a session webhook. */
export const webhookType = (event: string): string => event.slice(event.indexOf('.') + 1)
