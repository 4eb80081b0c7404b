/** The port `caches`. */
import type { Channels, Clock } from '@larder-dev/larder/kernel'

export interface CacheOptions<T, Name extends keyof Channels> {
  /** What the metrics call it; the channel by default. */
  readonly name?: string
  /** The channel whose messages make entries stale. Without one, entries end by age and with their tenant. */
  readonly channel?: Name
  /** Whether a message makes an entry stale. `value` is undefined while the entry is being loaded. */
  isStale?(message: Channels[Name], key: string, value: T | undefined): boolean
  /**
   * Whether an entry has data of the tenant: it is dropped with the tenant. `value` is undefined while the entry is being
   * loaded; if the key doesn't tell, the entry counts as one of the tenant.
   */
  isOf(tenantId: string, key: string, value: T | undefined): boolean
  /** Bounds the summed weight of all entries. The least recently used entries are evicted first. */
  readonly maxWeight: number
  /** 1 by default, so that `maxWeight` is a number of entries. */
  weigh?(value: T): number
  /** Bounds how long a lost message can keep an entry stale, counted from the start of its load. Unbounded by default. */
  readonly expiry?: { readonly clock: Clock; readonly lifeMs: number }
}

export interface Cache<T, Message> {
  /**
   * The cached value itself on a hit, so that a hit costs no turn of the event loop. Concurrent misses share one load.
   * `undefined`, a failed load, and a load that an invalidation overtook are not cached.
   */
  get(key: string, load: () => Promise<T>): T | Promise<T>
  /** The cached value; undefined while it is being loaded, too. */
  peek(key: string): T | undefined
  /** Drops stale entries in this process at once, and in the others through the bus. Call it after the commit. */
  invalidate(message: Message): void
}

/** Memory by tenant, such as a Map whose keys are tenant IDs. */
interface ByTenant {
  has(tenantId: string): boolean
  delete(tenantId: string): unknown
  clear(): void
}

/** Every cache of data of tenants. An entry ends with its tenant, in every process. */
export interface Caches {
  /** A bounded cache that the bus invalidates. */
  create<T, Name extends keyof Channels = never>(options: CacheOptions<T, Name>): Cache<T, Channels[Name]>
  /** Keeps other memory than a cache. Returns `entries`. */
  keep<Entries extends ByTenant>(entries: Entries): Entries
  /** Drops the entries of a deleted tenant in every process. Call it after the commit. */
  dropTenant(tenantId: string): void
  /** The number of entries of a tenant in this process. */
  count(tenantId: string): number
}

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    caches: Caches
  }
  interface Channels {
    'tenants.deleted': { tenantId: string }
  }
}
