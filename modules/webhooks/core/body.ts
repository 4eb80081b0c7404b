/** The body of a webhook. Pure. */
import { SECOND } from '../../../kernel/units.ts'
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

/** `now` in milliseconds; `sent_at` is Unix seconds, those of `webhook-timestamp`. */
export const bodyOf = ({ id, type, occurred_at, payload }: Told, now: number): string =>
  JSON.stringify({
    type,
    ...payload,
    sent_at: Math.floor(now / SECOND),
    id,
    occurred_at: occurred_at.toISOString(),
  })

/** `sessions.session.created` → `session.created`. */
export const webhookType = (event: string): string => event.slice(event.indexOf('.') + 1)
