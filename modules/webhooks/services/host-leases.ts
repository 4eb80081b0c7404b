/** The hosts that this process has claimed. Renews the leases of those that it uses. */
import { AsyncResource } from 'node:async_hooks'
import type { Logger } from 'pino'
import { type DeliveryQueue, LEASE_MS } from './delivery-queue.ts'

const RENEWAL_INTERVAL_MS = LEASE_MS / 3

export interface HostLeases {
  add(host: string): void
  /** After they were released. */
  delete(hosts: readonly string[]): void
  /** Hosts to release. */
  idle(): string[]
  /** Ends the renewal, and releases all hosts. */
  close(): Promise<void>
}

export interface HostLeasesOptions {
  readonly queue: Pick<DeliveryQueue, 'renew' | 'release'>
  readonly log: Logger
  /** Hosts with deliveries that this process holds. */
  usedHosts(): ReadonlySet<string>
  /** Another process has claimed the host, because its lease had expired. */
  onLost(host: string): void
}

export function createHostLeases({ queue, log, usedHosts, onLost }: HostLeasesOptions): HostLeases {
  const hosts = new Set<string>()
  let renewal: NodeJS.Timeout | undefined

  function remove(host: string): void {
    hosts.delete(host)
    if (hosts.size > 0) return
    clearInterval(renewal)
    renewal = undefined
  }

  /** Bound to its own async context, because the first claim may run inside a unit of work that this must not join. */
  const renew = AsyncResource.bind(async (): Promise<void> => {
    const used = usedHosts()
    const known = [...hosts].filter(host => used.has(host))
    if (known.length === 0) return
    try {
      const renewed = new Set(await queue.renew(known))
      for (const host of known.filter(host => !renewed.has(host) && hosts.has(host))) {
        remove(host)
        onLost(host)
      }
    } catch (error) {
      log.warn({ err: error }, 'failed to renew the leases of webhooks')
    }
  })

  return {
    add(host) {
      hosts.add(host)
      renewal ??= setInterval(renew, RENEWAL_INTERVAL_MS).unref()
    },
    delete: released => released.forEach(remove),
    idle() {
      const used = usedHosts()
      return [...hosts].filter(host => !used.has(host))
    },
    async close() {
      clearInterval(renewal)
      if (hosts.size === 0) return
      try {
        await queue.release()
      } catch (error) {
        log.warn({ err: error }, 'failed to release the hosts of webhooks; their leases will expire')
      }
    },
  }
}
