/** The port `caches`: every cache of data of tenants, in this process. */
import type { Bus, Channels } from '@larder-dev/larder/kernel'
import { type CacheUsage, createInvalidatedCache, type InvalidatedCache } from './invalidated-cache.ts'
import type { CacheOptions, Caches } from './ports.ts'

const TENANTS = 'tenants.deleted'

interface Listed {
  drop(tenantId: string | null): void
  count(tenantId: string): number
}

export interface MeasuredCaches extends Caches {
  usage(): readonly (CacheUsage & { readonly name: string })[]
}

export function createCaches(bus: Bus<Channels>): MeasuredCaches {
  const listed: Listed[] = []
  const measured: { readonly name: string; usage(): CacheUsage }[] = []
  const drop = (tenantId: string | null) => {
    for (const cache of listed) cache.drop(tenantId)
  }
  bus.subscribe(
    TENANTS,
    ({ tenantId }) => drop(tenantId),
    () => drop(null),
  )

  return {
    create<T, Name extends keyof Channels = never>(
      options: CacheOptions<T, Name>,
    ): InvalidatedCache<T, Channels[Name]> {
      const { channel, name = String(channel ?? 'other'), isStale = () => false, isOf, ...bounds } = options
      const cache = createInvalidatedCache<T, Channels[Name]>({
        ...bounds,
        isStale,
        subscribe: (onMessage, onGap) => {
          // `Message` of a channel is its type in `Channels`.
          if (channel !== undefined) bus.subscribe(channel, onMessage as never, onGap)
        },
        publish: message => {
          if (channel !== undefined) bus.publish(channel, message as never)
        },
      })
      listed.push({
        drop: tenantId => cache.drop((key, value) => tenantId === null || isOf(tenantId, key, value)),
        count: tenantId => cache.count((key, value) => isOf(tenantId, key, value)),
      })
      measured.push({ name, usage: cache.usage })
      return cache
    },
    keep(entries) {
      listed.push({
        drop: tenantId => (tenantId === null ? entries.clear() : entries.delete(tenantId)),
        count: tenantId => Number(entries.has(tenantId)),
      })
      return entries
    },
    dropTenant(tenantId) {
      drop(tenantId)
      bus.publish(TENANTS, { tenantId })
    },
    count: tenantId => listed.reduce((sum, cache) => sum + cache.count(tenantId), 0),
    usage: () => measured.map(({ name, usage }) => ({ name, ...usage() })),
  }
}
