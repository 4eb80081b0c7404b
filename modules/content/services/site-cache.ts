/** Caches what the public site shows until the operator's content changes. */
import type { Deps } from '@larder-dev/larder/kernel'

const CHANNEL = 'content.changed'
/** Paths without a page are cached, too. */
const MAX_ENTRIES = 300

export interface SiteCache {
  /** @param key always used with the same type. */
  get<T extends object>(key: string, load: () => Promise<T>): Promise<T>
  /** Reports changed content of a tenant to all processes when the surrounding unit commits. */
  invalidateAfterCommit(tenantId: string): void
}

export function createSiteCache({ caches, database, operator }: Deps<'caches' | 'database' | 'operator'>): SiteCache {
  const cache = caches.create<object, typeof CHANNEL>({
    channel: CHANNEL,
    isOf: tenantId => tenantId === operator.tenantId,
    isStale: ({ tenantId }) => tenantId === operator.tenantId,
    maxWeight: MAX_ENTRIES,
  })
  return {
    async get<T extends object>(key: string, load: () => Promise<T>) {
      // The type is the caller's promise: a key has one type of value.
      return (await cache.get(key, load)) as T
    },
    invalidateAfterCommit: tenantId => database.afterCommit(() => cache.invalidate({ tenantId })),
  }
}
