/** What surrounds the code that runs: carried by AsyncLocalStorage for writes, listeners and jobs, not for hot reads. */
import { AsyncLocalStorage } from 'node:async_hooks'

/** Who made a change. */
export interface Actor {
  readonly kind: 'login' | 'apiKey' | 'system'
  readonly id: string
}

export interface Context {
  /** `x-request-id` of the request that started it all. */
  readonly correlationId?: string
  /** Id of the event that a listener is handling. */
  readonly causationId?: string
  readonly actor?: Actor
  /** The unit of work that ports join; the database's own. */
  readonly unit?: unknown
}

const storage = new AsyncLocalStorage<Context>()
const NOTHING: Context = Object.freeze({})

/** The surrounding context; empty outside any. */
export const currentContext = (): Context => storage.getStore() ?? NOTHING

/** Runs `work` with these parts of the context replaced. */
export function withContext<T>(parts: Context, work: () => T): T {
  return storage.run({ ...currentContext(), ...parts }, work)
}
