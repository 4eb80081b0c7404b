/**
 * The entitlement `storage.rows_mb`: the bytes of a tenant's rows at the last scan, plus what this process has written
 * since. Other processes' writes count after the next scan.
 */
import { type Deps, MIB, SECOND } from 'larder/kernel'

export const ROW_STORAGE = 'storage.rows_mb'

const CACHE_MS = 5 * SECOND
/** PostgreSQL reports changes of a table with a delay, and a scan skips tables without reported changes. */
const STATISTICS_DELAY_MS = 10 * SECOND
const MAX_ENTRIES = 10_000

interface Entry {
  /** Bytes at the last scan of each table. */
  stored: number
  expiresAt: number
  /** Bytes written by this process, by the second in which they were written. */
  readonly written: Map<number, number>
}

export interface RowStorage {
  /** MiB, from a cache that is at most 5 s old. */
  used(tenantId: string): Promise<number>
  /** Counts bytes that are about to be written until every table has been scanned, because their table is not known. */
  add(tenantId: string, bytes: number): void
}

export function createRowStorage({
  systemDatabase,
  clock,
  caches,
}: Deps<'systemDatabase' | 'clock' | 'caches'>): RowStorage {
  const entries = caches.keep(new Map<string, Entry>())

  function entryOf(tenantId: string): Entry {
    const entry = entries.get(tenantId) ?? { stored: 0, expiresAt: 0, written: new Map<number, number>() }
    const [oldest] = entries.keys()
    if (entries.size >= MAX_ENTRIES && oldest !== undefined) entries.delete(oldest)
    entries.delete(tenantId)
    entries.set(tenantId, entry)
    return entry
  }

  async function refresh(tenantId: string, entry: Entry): Promise<void> {
    const expiresAt = clock.now() + CACHE_MS
    const { rows } = await systemDatabase
      .acrossTenants('scans of tables belong to no tenant')
      .query<{ bytes: string; scannedAt: Date | null }>(
        `select coalesce((select sum(bytes) from billing_row_storage where tenant_id = $1), 0) as bytes,
           (select min(scanned_at) from billing_row_scans) as "scannedAt"`,
        [tenantId],
      )
    entry.stored = Number(rows[0]?.bytes ?? 0)
    entry.expiresAt = expiresAt
    const scannedAt = rows[0]?.scannedAt?.getTime() ?? 0
    for (const second of entry.written.keys())
      if (second * SECOND < scannedAt - STATISTICS_DELAY_MS) entry.written.delete(second)
  }

  return {
    async used(tenantId) {
      const entry = entryOf(tenantId)
      const left = entry.expiresAt - clock.now()
      // A clock that was set back must not lengthen the life of the cached value.
      if (left <= 0 || left > CACHE_MS) await refresh(tenantId, entry)
      const written = [...entry.written.values()].reduce((sum, bytes) => sum + bytes, 0)
      return (entry.stored + written) / MIB
    },
    add(tenantId, bytes) {
      const { written } = entryOf(tenantId)
      const second = Math.floor(clock.now() / SECOND)
      written.set(second, (written.get(second) ?? 0) + bytes)
    },
  }
}
