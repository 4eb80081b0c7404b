/**
 * Limits how many connections one tenant holds, so that its slow or waiting statements leave the others to other tenants,
 * and how many of its scans run, so that they leave cores of the database.
 */
import { common, type Problem, withHeaders } from '@larder-dev/larder/kernel'

const RETRY_AFTER_SECONDS = 1

export interface TenantShare {
  /**
   * Waits while the tenant holds all of its places; undefined if it doesn't have to. @throws Problem `tenant_busy` after a
   * timeout, or if too many units wait.
   */
  take(tenantId: string): Promise<void> | undefined
  /** Ends a successful `take`. */
  giveBack(tenantId: string): void
  /** Units of work that wait, of all tenants. */
  waiting(): number
}

export interface TenantShareOptions {
  /** Connections, or scans, that one tenant holds at a time. */
  readonly limit: number
  /** Units of work of one tenant that wait. */
  readonly maxWaiting: number
  readonly timeoutMs: number
  /** The error instead of `tenant_busy`. */
  readonly busy?: () => Error
}

interface Holder {
  held: number
  /** In the order of their arrival. Each starts one unit that waits. */
  readonly waiting: Set<() => void>
}

export function createTenantShare(options: TenantShareOptions): TenantShare {
  const { limit, maxWaiting, timeoutMs, busy = tenantBusy } = options
  /** Tenants that hold a place. */
  const holders = new Map<string, Holder>()

  const turn = ({ waiting }: Holder) =>
    new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(start)
        reject(busy())
      }, timeoutMs)
      waiting.add(start)
    })

  return {
    take(tenantId) {
      const holder = holders.get(tenantId) ?? { held: 0, waiting: new Set() }
      holders.set(tenantId, holder)
      if (holder.held < limit) {
        holder.held++
        return undefined
      }
      if (holder.waiting.size >= maxWaiting) throw busy()
      return turn(holder)
    },
    giveBack(tenantId) {
      const holder = holders.get(tenantId)
      if (!holder) return
      const [next] = holder.waiting
      // The next unit takes over the place.
      if (next) {
        holder.waiting.delete(next)
        next()
      } else if (--holder.held === 0) holders.delete(tenantId)
    },
    waiting: () => [...holders.values()].reduce((sum, { waiting }) => sum + waiting.size, 0),
  }
}

const tenantBusy = (): Problem =>
  withHeaders(common.tenant_busy({ seconds: RETRY_AFTER_SECONDS }), { 'retry-after': String(RETRY_AFTER_SECONDS) })
