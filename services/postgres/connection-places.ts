/**
 * Who may hold how many connections of this process: each tenant or customer, their scans, and the levels of units beside
 * others.
 */
import { SECOND, sharerOf } from '@larder-dev/larder/kernel/internal'
import { createTenantShare, type TenantShare } from './tenant-share.ts'

/** Connections of one process, excluding the one that listens. */
export const MAX_CONNECTIONS = 16
/**
 * Levels of units beside others, which wait for them. Each level has a connection that the levels above it can't take, so
 * that the units of the deepest level always get one in turn, and then those above them.
 */
export const MAX_BESIDE = 2
/** Units of work of one tenant that wait for one of its connections. */
const MAX_WAITING_PER_TENANT = 1000
/** Longer than any statement: a unit gets its turn when others of its tenant have failed to get a lock. */
const TENANT_WAIT_MS = 15 * SECOND
/** Holds the places of levels, which have no tenant. */
const EVERYBODY = ''

export interface PlaceLimits {
  /** Besides those of units beside others. */
  readonly maxConnections: number
  /** Connections that one tenant holds at a time; a third of all by default. */
  readonly tenantConnections?: number
  /** Scans of one tenant that run at a time; 1 by default. */
  readonly tenantScans?: number
  /** Units of work of one tenant that wait for one of its connections; 1,000 by default. */
  readonly maxWaitingPerTenant?: number
  /** Milliseconds that they wait. */
  readonly tenantWaitMs?: number
}

export interface ConnectOptions {
  /** Whether it also counts toward the tenant's share of scans. */
  readonly scans?: boolean
  /** The level of a unit beside others. It doesn't count toward shares: those who wait for it do. */
  readonly beside?: number
}

export interface ConnectionPlaces {
  /**
   * Waits for the places that a connection of this tenant needs; of the system if null. Returns what gives them back.
   * @throws Problem `tenant_busy` if the tenant's share isn't free in time, and the error of `exhausted`.
   */
  take(tenantId: string | null, options?: ConnectOptions): Promise<() => void>
  /** Units of work that wait for a place. */
  waiting(): number
}

export interface PlaceOptions extends PlaceLimits {
  /** Milliseconds to wait for a connection that is free. */
  readonly checkoutTimeoutMs: number
  /** The error if none is. */
  exhausted(): Error
}

export function createConnectionPlaces(options: PlaceOptions): ConnectionPlaces {
  const { maxConnections, checkoutTimeoutMs, exhausted } = options
  const maxWaiting = options.maxWaitingPerTenant ?? MAX_WAITING_PER_TENANT
  const timeoutMs = options.tenantWaitMs ?? TENANT_WAIT_MS
  const tenantConnections = options.tenantConnections ?? Math.max(1, Math.floor(maxConnections / 3))
  const connectionShare = createTenantShare({ limit: tenantConnections, maxWaiting, timeoutMs })
  // A scan that waits for its turn holds no connection, and doesn't fill the queue of the others.
  const scanShare = createTenantShare({ limit: options.tenantScans ?? 1, maxWaiting, timeoutMs })
  const levels = Array.from({ length: MAX_BESIDE }, (_, level) =>
    createTenantShare({
      limit: maxConnections + level,
      maxWaiting: Number.POSITIVE_INFINITY,
      timeoutMs: checkoutTimeoutMs,
      busy: exhausted,
    }),
  )

  return {
    async take(tenantId, { scans = false, beside = 0 } = {}) {
      const ofTenant = beside > 0 ? [] : scans ? [scanShare, connectionShare] : [connectionShare]
      const wanted = [
        ...(tenantId === null ? [] : ofTenant.map(share => ({ share, holder: sharerOf(tenantId) }))),
        ...levels.slice(beside).map(share => ({ share, holder: EVERYBODY })),
      ]
      const taken: { readonly share: TenantShare; readonly holder: string }[] = []
      const giveBack = () => {
        for (const { share, holder } of taken) share.giveBack(holder)
      }
      try {
        for (const place of wanted) {
          const turn = place.share.take(place.holder)
          if (turn) await turn
          taken.push(place)
        }
        return giveBack
      } catch (error) {
        giveBack()
        throw error
      }
    },
    waiting: () => [connectionShare, scanShare, ...levels].reduce((sum, share) => sum + share.waiting(), 0),
  }
}
