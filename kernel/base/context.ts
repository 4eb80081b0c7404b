/** The async context of requests, listeners and jobs, in AsyncLocalStorage. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Channel } from 'node:diagnostics_channel'

/** Who made a change. */
export interface Actor {
  readonly kind: 'login' | 'apiKey' | 'system'
  readonly id: string
  /** The user of a login, which is deleted when it ends. */
  readonly userId?: string | null
  /** User ID of the operator who acted as the user. */
  readonly impersonatedBy?: string | undefined
}

export interface Context {
  /** `x-request-id` of the originating request. */
  readonly correlationId?: string
  /** Id of the event that is being handled. */
  readonly causationId?: string
  readonly actor?: Actor
  /** How many runs of automations led here, one by an event of the other. */
  readonly depth?: number
  /** Whether many rows are written at once, as by an import. */
  readonly isBulk?: boolean
  /** The unit of work that port calls join; opaque, owned by the database. */
  readonly unit?: unknown
  /** How many units of work wait for what happens here, each for the next one; owned by the database. */
  readonly beside?: number
  /** What must hold before statements take effect; opaque, owned by the database. */
  readonly precondition?: unknown
  /** Whether units of suspended tenants are refused. For requests whose sender may not belong to the tenant. */
  readonly refusesSuspended?: boolean
  /** Who uses up limits and takes turns instead of the workspace: the ID of a customer, in a product of people. */
  readonly share?: string | undefined
  /** The trace that this belongs to; undefined without tracing. */
  readonly trace?: Trace | undefined
}

/** Owned by telemetry. */
export interface Trace {
  /** The current span as a W3C `traceparent`. Undefined after the work that began it has ended. */
  readonly traceparent: string | undefined
  /** Whether its work is recorded in this process. */
  readonly isRecorded?: boolean
}

const storage = new AsyncLocalStorage<Context>()
const EMPTY: Context = Object.freeze({})

/** The current context; empty if there is none. */
export const currentContext = (): Context => storage.getStore() ?? EMPTY

/**
 * Who uses up what workspaces share, such as connections, threads and turns of a queue: the workspace, or in a product of
 * people the customer on whose behalf this runs. IDs of workspaces and members never coincide.
 */
export const sharerOf = (tenantId: string): string => currentContext().share ?? tenantId

/** The W3C `traceparent` of what is written now, so that another process continues its trace. Undefined without tracing. */
export const currentTraceparent = (): string | undefined => currentContext().trace?.traceparent

/**
 * Runs `work` in the trace of an event, for a listener with `batch: true`: its events can belong to several traces, and it
 * runs in one of them.
 */
export function continueTrace<T>({ traceparent }: { readonly traceparent?: string | null }, work: () => T): T {
  if (!traceparent || traceIdOf(traceparent) === traceIdOf(currentTraceparent() ?? '')) return work()
  return withContext({ trace: { traceparent } }, work)
}

/** `00-<trace ID>-<span ID>-<flags>` */
const traceIdOf = (traceparent: string): string | undefined => traceparent.split('-')[1]

/** The trace of a log line, in the names of OpenTelemetry. A new object for each line. */
export function traceFields(): { readonly trace_id?: string; readonly span_id?: string } {
  const traceparent = currentTraceparent()
  if (traceparent === undefined) return {}
  const [, traceId, spanId] = traceparent.split('-')
  return { trace_id: traceId, span_id: spanId }
}

/**
 * Replaces these fields of the context for the work of a channel of `node:diagnostics_channel`. Returns a function that
 * ends this.
 */
export function bindContext<Message>(
  channel: Channel<unknown, unknown>,
  parts: (message: Message) => Context | undefined,
): () => void {
  channel.bindStore(storage, message => {
    const added = parts(message as Message)
    return added ? { ...currentContext(), ...added } : currentContext()
  })
  return () => void channel.unbindStore(storage)
}

/** Runs `work` with these fields of the context replaced. */
export function withContext<T>(parts: Context, work: () => T): T {
  return storage.run({ ...currentContext(), ...parts }, work)
}
