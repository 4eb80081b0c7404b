/** The states of a message, and which follow which. */
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

/** State → states from which it is entered. */
export const FROM: Readonly<Record<MessageState, readonly MessageState[]>> = {
  // Again after a refusal for the moment, or because somebody asked.
  queued: ['sending', 'failed', 'bounced', 'suppressed'],
  // From `sending`: a worker died on the way. From `failed`: a dead job was started again.
  sending: ['queued', 'sending', 'failed'],
  sent: ['sending'],
  // From `sending`: a provider may tell before the worker has noted that it sent.
  delivered: ['sending', 'sent'],
  // From `delivered`: taken by the first server, refused by the next.
  bounced: ['sending', 'sent', 'delivered'],
  complained: ['sending', 'sent', 'delivered'],
  suppressed: ['queued', 'sending', 'failed'],
  failed: ['sending'],
}

/** States from which a person may have a message sent again. */
export const RETRYABLE: readonly MessageState[] = ['failed', 'bounced', 'suppressed']

/** What happened to a message; `deferred` is a refusal for the moment. */
export interface HistoryEntry {
  readonly type: MessageState | 'deferred'
  readonly at: string
  readonly detail?: string
}

/** Characters of what another server said that are kept. */
const DETAIL = 500

export const entry = (type: HistoryEntry['type'], now: number, detail?: string): HistoryEntry => ({
  type,
  at: new Date(now).toISOString(),
  ...(detail ? { detail: detail.replaceAll('\0', '').slice(0, DETAIL) } : {}),
})
