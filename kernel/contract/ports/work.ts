/** Events, jobs and the bus. */
import type { Actor } from '../../base/index.ts'
import type { Step } from './database.ts'

export type { Actor }

/** The event that a listener receives. Times are RFC 3339 UTC. */
export interface EventEnvelope<Type extends string, Payload> {
  readonly id: string
  readonly type: Type
  readonly version: number
  /** The operator's tenant for events without a tenant. */
  readonly tenantId: string
  readonly occurredAt: string
  readonly actor: Actor
  readonly subject: string | null
  readonly correlationId: string | null
  readonly causationId: string | null
  /** How many runs of automations led to it, one by an event of the other. */
  readonly depth: number
  /** The W3C `traceparent` of what published it; absent without tracing. */
  readonly traceparent?: string
  readonly payload: Payload
}

/** An event to publish. */
export interface NewEvent<Payload> {
  readonly payload: Payload
  /** By default the tenant of the surrounding unit, or else the operator's. */
  readonly tenantId?: string
  /** The ID of the resource that the event is about. */
  readonly subject?: string
}

/** The port `events`. */
export interface EventPublisher<Events> {
  /** Writes the event in the surrounding unit of work (see `Unit.defer`), or in its own. Returns the event's ID, `evt_…`. */
  publish<E extends keyof Events & string>(type: E, event: NewEvent<Events[E]>): Promise<string>
  /**
   * Returns the statement of `publish` for `unit.all`, where a change and its event are one batch without a transaction.
   * Several events are one statement. `tenantId` is required because no unit surrounds it.
   */
  publishStep<E extends keyof Events & string>(type: E, ...events: (NewEvent<Events[E]> & { tenantId: string })[]): Step
}

/** When a job runs, and what it belongs to. */
export interface JobOptions {
  /** Not before this time. */
  readonly at?: Date
  /** Allows at most one waiting job of this name and key. A second call has no effect. */
  readonly key?: string
  readonly tenantId?: string
}

/** The port `jobs`. */
export interface JobQueue<Jobs> {
  /**
   * Enqueues a job in the surrounding unit of work (see `Unit.defer`), or in its own. Returns the job's ID, `job_…`, or
   * outside a unit the ID of the job that was waiting.
   */
  enqueue<J extends keyof Jobs & string>(name: J, data: Jobs[J], options?: JobOptions): Promise<string>
  /** Cancels waiting jobs of this name and key. Returns their number. */
  cancel<J extends keyof Jobs & string>(name: J, key: string): Promise<number>
}

type Message<Channels, Name> = Name extends keyof Channels ? Channels[Name] : unknown

/**
 * Delivers messages to every process: at most once, in order per sender. Messages are plain JSON data.
 * Declare a channel's message type by merging into `Channels`.
 */
export interface Bus<Channels> {
  publish<Name extends string>(channel: Name, message: Message<Channels, Name>): void
  /** `onGap` runs when messages may have been missed, for example after a reconnection: drop what you cached. */
  subscribe<Name extends string>(
    channel: Name,
    onMessage: (message: Message<Channels, Name>) => void,
    onGap?: () => void,
  ): () => void
}

/** A bus as implementations see it: any channel, any message. */
export interface UntypedBus {
  publish(channel: string, message: unknown): void
  subscribe(channel: string, onMessage: (message: unknown) => void, onGap?: () => void): () => void
}
