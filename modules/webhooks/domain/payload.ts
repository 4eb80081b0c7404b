/** The body of a webhook. Pure. */
import { SECOND } from 'larder/kernel'
import type { WebhookNotice } from '../ports.ts'

export interface Told {
  /** `msg_…`, also the header `webhook-id`. */
  readonly id: string
  readonly type: string
  readonly occurred_at: Date
  readonly payload: Readonly<Record<string, unknown>>
}

/** What is kept of a notice: everything but where it goes. */
export function payloadOf(notice: WebhookNotice): Record<string, unknown> {
  const { webhook, ...payload } = notice
  return payload
}

/** `sent` in milliseconds; `sent_at` is Unix seconds, those of `webhook-timestamp`: there is none before an attempt. */
export const contentOf = ({ id, type, occurred_at, payload }: Told, sent?: number): Record<string, unknown> => ({
  type,
  ...payload,
  ...(sent !== undefined && { sent_at: Math.floor(sent / SECOND) }),
  id,
  occurred_at: occurred_at.toISOString(),
})

export const bodyOf = (told: Told, now: number): string => JSON.stringify(contentOf(told, now))

/** `sessions.session.created` → `session.created`. */
export const webhookType = (event: string): string => event.slice(event.indexOf('.') + 1)
