/** The async context of requests, listeners and jobs, in AsyncLocalStorage. */
import { AsyncLocalStorage } from 'node:async_hooks'

/** Who made a change. */
export interface Actor {
  readonly kind: 'login' | 'apiKey' | 'system'
  readonly id: string
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

/** Runs `work` with these fields of the context replaced. */
export function withContext<T>(parts: Context, work: () => T): T {
  return storage.run({ ...currentContext(), ...parts }, work)
}
