/** The states of a message and their transitions. */
export const STATES = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'bounced',
  'complained',
  'suppressed',
  'failed',
] as const
export type MessageState = (typeof STATES)[number]

/** State → states from which it can be entered. */
export const PREVIOUS_STATES: Readonly<Record<MessageState, readonly MessageState[]>> = {
  // After a temporary failure, or on request.
  queued: ['sending', 'failed', 'bounced', 'suppressed'],
  // From `sending` after a crash of the worker. From `failed` when a dead job is restarted.
  sending: ['queued', 'sending', 'failed'],
  sent: ['sending'],
  // From `sending` if the provider's event arrives before the worker has recorded the delivery.
  delivered: ['sending', 'sent'],
  // From `delivered` if the first server accepts the message and the next one rejects it.
  bounced: ['sending', 'sent', 'delivered'],
  complained: ['sending', 'sent', 'delivered'],
  suppressed: ['queued', 'sending', 'failed'],
  failed: ['sending'],
}

/** States from which a message can be resent on request. */
export const RETRYABLE: readonly MessageState[] = ['failed', 'bounced', 'suppressed']

/** `deferred`: a temporary failure. `unsubscribed`: at the provider, which is no state of the message. */
export interface HistoryEntry {
  readonly type: MessageState | 'deferred' | 'unsubscribed'
  readonly at: string
  readonly detail?: string
}

/** Characters of a server's reply that are stored. */
const MAX_DETAIL_LENGTH = 500

export const historyEntry = (type: HistoryEntry['type'], now: number, detail?: string): HistoryEntry => ({
  type,
  at: new Date(now).toISOString(),
  ...(detail ? { detail: detail.replaceAll('\0', '').slice(0, MAX_DETAIL_LENGTH) } : {}),
})
