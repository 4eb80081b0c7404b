/** Metrics of the caches of this process. */
import type { Registrations } from '@larder-dev/larder/kernel'
import type { MeasuredCaches } from './caches.ts'

export function metrics({ measuredCaches }: { readonly measuredCaches: MeasuredCaches }): Registrations['metrics'] {
  /** Caches of one channel count together. */
  const sums = (value: (usage: ReturnType<MeasuredCaches['usage']>[number]) => number) => {
    const byName = new Map<string, number>()
    for (const usage of measuredCaches.usage()) byName.set(usage.name, (byName.get(usage.name) ?? 0) + value(usage))
    return [...byName]
  }
  return [
    {
      name: 'larder_cache_entries',
      help: 'Entries of the caches of this process',
      type: 'gauge',
      perProcess: true,
      read: async () => sums(({ entries }) => entries).map(([cache, value]) => ({ labels: { cache }, value })),
    },
    {
      name: 'larder_cache_reads_total',
      help: 'Reads of the caches of this process, by result',
      type: 'counter',
      perProcess: true,
      read: async () => [
        ...sums(({ hits }) => hits).map(([cache, value]) => ({ labels: { cache, result: 'hit' }, value })),
        ...sums(({ misses }) => misses).map(([cache, value]) => ({ labels: { cache, result: 'miss' }, value })),
      ],
    },
  ]
}
