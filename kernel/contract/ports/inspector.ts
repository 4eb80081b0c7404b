/** The administrator's view of a process and of pending work. */
import type { PageOf } from '../../base/index.ts'
import type { PermissionEntry, RoleEntry } from './access.ts'
import type { EventEnvelope } from './work.ts'

export interface ModuleReport {
  readonly name: string
  readonly version: string
  readonly summary: string
  /** `failed`: an optional module could not start. */
  readonly state: 'running' | 'failed'
  readonly reason?: string
  /** `larder`, or the recipe's `use`. */
  readonly source: string
  readonly needs: readonly string[]
  readonly optional: readonly string[]
  readonly provides: readonly string[]
  readonly routes: readonly { method: string; path: string; allow: readonly string[]; summary: string }[]
  readonly sockets: readonly { path: string; allow: readonly string[] }[]
  readonly pages: readonly { path: string; name: string; allow: readonly string[] }[]
  readonly permissions: readonly PermissionEntry[]
  readonly roles: readonly RoleEntry[]
  readonly events: readonly { type: string; version: number }[]
  readonly listeners: readonly { event: string; handler: string }[]
  readonly jobs: readonly { name: string; every: string | null }[]
  readonly mails: readonly { key: string; locales: readonly string[] }[]
  /** From the recipe, with secrets as `***`. */
  readonly options: unknown
  readonly migrations: readonly { name: string; appliedAt: string | null }[]
}

export interface EventRecord extends Omit<EventEnvelope<string, unknown>, 'depth'> {
  readonly deliveries: readonly DeliveryRecord[]
}
export interface DeliveryRecord {
  readonly id: string
  readonly eventId: string
  readonly eventType: string
  readonly tenantId: string
  readonly handler: string
  readonly state: 'pending' | 'done' | 'dead'
  readonly attempts: number
  readonly nextAttemptAt: string | null
  readonly lastError: string | null
  readonly doneAt: string | null
}
export interface DeadJob {
  readonly id: string
  readonly name: string
  readonly tenantId: string | null
  readonly attempts: number
  readonly lastError: string | null
  readonly data: unknown
  readonly createdAt: string
}

/** `correlationId` is the ID of a request; `since` an RFC 3339 time. */
type EventFilter = { tenantId: string | null; type?: string; correlationId?: string; since?: string }

/** The administrator's view of this process and of pending work. `tenantId: null` selects all tenants. */
export interface Inspector {
  modules(): readonly ModuleReport[]
  /** The recipe, with secrets as `***`. */
  recipe(): unknown
  info(): { version: string; startedAt: string; role: 'all' | 'web' | 'worker' | 'migrate' | 'tool'; node: string }
  events: {
    list(q: EventFilter & { limit: number; cursor?: string }): Promise<PageOf<EventRecord>>
    get(id: string, tenantId: string | null): Promise<EventRecord | null>
    dead(q: { tenantId: string | null; limit: number; cursor?: string }): Promise<PageOf<DeliveryRecord>>
    /** Retries a dead delivery now. Returns null if there is no such dead delivery. */
    retry(deliveryId: string, tenantId: string | null): Promise<DeliveryRecord | null>
    /** Delivers an event again to every handler that did not finish, or to all with `force`. Returns their number. */
    replay(eventId: string, options: { tenantId: string | null; force?: boolean }): Promise<number | null>
  }
  jobs: {
    dead(q: { tenantId: string | null; limit: number; cursor?: string }): Promise<PageOf<DeadJob>>
    retry(jobId: string, tenantId: string | null): Promise<DeadJob | null>
  }
  queue(): Promise<{ waiting: number; pending: number; dead: number; oldestSeconds: number | null }>
}
