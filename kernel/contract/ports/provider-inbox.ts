/** The inbox of provider webhooks: each event is stored once, and processed once in the worker. */
import type { Unit } from './database.ts'

/** An event of a provider, such as a payment provider, that is to be processed once. */
export interface InboxEvent<Data> {
  /** Unique at the provider. */
  readonly id: string
  readonly occurredAt: Date
  /** JSON data. */
  readonly data: Data
  /**
   * Ids of the objects that the event is about. After an event has been processed, waiting events that share a key with
   * it, or name its tenant as a key, are retried at once.
   */
  readonly keys?: readonly string[]
}

export interface StoredInboxEvent<Data> extends InboxEvent<Data> {
  readonly provider: string
  readonly keys: readonly string[]
  /** Failed or postponed attempts. */
  readonly attempts: number
  readonly receivedAt: Date
}

/**
 * - `done`: processed.
 * - `stale`: processed, but without effect, because a newer event was processed before.
 * - `rejected`: can never be processed.
 * - `retry`: can't be processed yet. After the retry window, the event is rejected.
 */
export type InboxOutcome = 'done' | 'stale' | 'rejected' | 'retry'

/** How a provider inbox keeps and processes its events. */
export interface InboxOptions<Data> {
  /** Distinguishes the inboxes of a product. Use the name of the module. */
  readonly name: string
  /** How long an event that belongs to no tenant yet, or has the outcome `retry`, is retried. 0: not at all. */
  readonly retryWindowMs: number
  /** Processed events are deleted after this time. It must exceed the time for which providers repeat an event. */
  readonly retentionMs: number
  /** Enqueues the job that calls `processDue`. Joins the transaction that stores new events. */
  wakeWorker(): Promise<unknown>
  /** The tenant of an event; undefined if it belongs to none yet. */
  findTenant(event: StoredInboxEvent<Data>): Promise<string | undefined>
  /** Processes an event in a transaction of its tenant. At most one worker has the event. */
  process(unit: Unit, tenantId: string, event: StoredInboxEvent<Data>): Promise<InboxOutcome>
}

/** The inbox of one provider: stores its events, and processes each once. */
export interface ProviderInbox<Data> {
  /** Stores the events that are new, and wakes the worker. Returns their number. */
  receive(provider: string, events: readonly InboxEvent<Data>[]): Promise<number>
  /** Stores an event that was processed elsewhere, so that it isn't processed again. Joins the surrounding unit. */
  recordProcessed(provider: string, event: InboxEvent<Data>): Promise<void>
  /**
   * Processes every due event in the order in which the events occurred. A failed event is retried up to ten times, at
   * growing intervals of up to one hour: call this from a recurring job, too.
   */
  processDue(): Promise<void>
  /** Deletes old events. Call it from a recurring job. */
  sweep(): Promise<void>
}

/** The port `providerInbox`. */
export interface ProviderInboxes {
  create<Data>(options: InboxOptions<Data>): ProviderInbox<Data>
}
