/**
 * The entitlement `storage.rows_mb`: the bytes of a tenant's rows at the last scan, plus what this process has written
 * since. Other processes' writes count after the next scan.
 */
import { type Deps, elapsed, MIB, SECOND, statementTime } from '@larder-dev/larder/kernel'

export const ROW_STORAGE = 'storage.rows_mb'

const CACHE_MS = 5 * SECOND
/** PostgreSQL reports changes of a table with a delay, and a scan skips tables without reported changes. */
const STATISTICS_DELAY_MS = 10 * SECOND
const MAX_ENTRIES = 10_000

interface Entry {
  /** Bytes at the last scan of each table. */
  stored: number
  /** Until when it's used without a query; see `elapsed`. */
  expiresAt: number
  /** Bytes written by this process, by the second of `elapsed` in which they were written. */
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
    const entry = entries.get(tenantId) ?? {
      stored: 0,
      expiresAt: Number.NEGATIVE_INFINITY,
      written: new Map<number, number>(),
    }
    const [oldest] = entries.keys()
    if (entries.size >= MAX_ENTRIES && oldest !== undefined) entries.delete(oldest)
    entries.delete(tenantId)
    entries.set(tenantId, entry)
    return entry
  }

  async function refresh(tenantId: string, entry: Entry): Promise<void> {
    const asked = elapsed(clock)
    const { rows } = await systemDatabase
      .acrossTenants('scans of tables belong to no tenant')
      .query<{ bytes: string; scanAge: number | null }>(
        `select coalesce((select sum(bytes) from billing_row_storage where tenant_id = $1), 0) as bytes,
           (select extract(epoch from coalesce($2::timestamptz, statement_timestamp()) - min(scanned_at))::float8
             from billing_row_scans) as "scanAge"`,
        [tenantId, statementTime(clock)],
      )
    entry.stored = Number(rows[0]?.bytes ?? 0)
    entry.expiresAt = asked + CACHE_MS
    const scanAge = rows[0]?.scanAge ?? null
    if (scanAge === null) return
    const seen = asked - scanAge * SECOND - STATISTICS_DELAY_MS
    for (const second of entry.written.keys()) if (second * SECOND < seen) entry.written.delete(second)
  }

  return {
    async used(tenantId) {
      const entry = entryOf(tenantId)
      if (elapsed(clock) >= entry.expiresAt) await refresh(tenantId, entry)
      const written = [...entry.written.values()].reduce((sum, bytes) => sum + bytes, 0)
      return (entry.stored + written) / MIB
    },
    add(tenantId, bytes) {
      const { written } = entryOf(tenantId)
      const second = Math.floor(elapsed(clock) / SECOND)
      written.set(second, (written.get(second) ?? 0) + bytes)
    },
  }
}
