/**
 * Measures the bytes of each tenant's rows in every table with a tenant. Reads each changed table once, without its
 * out-of-line values, whose sizes are in the row. See docs/decisions/0020-row-storage.md for the cost.
 */
import { type Deps, statementTime } from '@larder-dev/larder/kernel'
import { rowScanTable } from '../records.ts'

const REPLACE = rowScanTable.replacing(['tableName'], [])
/** A table is scanned for at most this share of the time. */
const MAX_LOAD = 0.02
/** Pages of 8 KiB per statement, so that each takes less than a second. */
const PAGES_PER_STATEMENT = 16_384
/** Bytes of a row besides its values: the header and the pointer to it. */
const ROW_OVERHEAD = 28
const REASON = 'rows of every tenant are measured'

/**
 * Tables of core services and of billing, and append-only ones, are not content of a tenant: tenants can't delete their
 * rows, which outlive the tenant.
 */
const TABLES = `
  select c.relname::text as name,
    concat_ws('/', c.relfilenode, pg_stat_get_tuples_inserted(c.oid), pg_stat_get_tuples_updated(c.oid),
      pg_stat_get_tuples_deleted(c.oid), pg_relation_size(c.oid)) as fingerprint,
    ceil(pg_relation_size(c.oid) / 8192.0)::int as pages,
    (select string_agg(format('coalesce(pg_column_size(%I), 0)', a.attname), ' + ')
       from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as size,
    s.fingerprint as "scannedFingerprint", s.scanned_at as "scannedAt", s.duration_ms as "durationMs"
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
  join pg_attribute t on t.attrelid = c.oid and t.attname = 'tenant_id' and not t.attisdropped
  left join billing_row_scans s on s.table_name = c.relname
  where c.relkind = 'r' and c.relname !~ '^(larder|billing)_' and has_table_privilege(current_user, c.oid, 'select')
    and has_table_privilege(current_user, c.oid, 'delete')
  order by c.relname`

interface Table {
  readonly name: string
  /** Changes with each change of a row, after a delay of up to some seconds. */
  readonly fingerprint: string
  readonly pages: number
  /** SQL expression of the bytes of one row's values. */
  readonly size: string
  readonly scannedFingerprint: string | null
  readonly scannedAt: Date | null
  readonly durationMs: number | null
}

export interface RowScan {
  /** Scans the tables that have changed. Returns their names. */
  run(signal: AbortSignal): Promise<readonly string[]>
}

export function createRowScan({ systemDatabase, clock }: Deps<'systemDatabase' | 'clock'>): RowScan {
  const system = () => systemDatabase.acrossTenants(REASON)

  async function databaseTime(): Promise<Date> {
    const { rows } = await system().query<{ now: Date }>(
      'select coalesce($1::timestamptz, statement_timestamp()) as now',
      [statementTime(clock)],
    )
    return rows[0]?.now as Date
  }

  async function measure({ name, pages, size }: Table, signal: AbortSignal): Promise<Map<string, number>> {
    const totals = new Map<string, number>()
    // Rows that are added after the scan began are in later pages, or in the next scan.
    for (let from = 0; from <= pages; from += PAGES_PER_STATEMENT) {
      signal.throwIfAborted()
      const { rows } = await system().query<{ tenantId: string; bytes: string }>(
        `select tenant_id as "tenantId", sum(${ROW_OVERHEAD} + ${size}) as bytes from ${quoted(name)}
          where ctid >= $1::tid and ctid < $2::tid and tenant_id is not null group by tenant_id`,
        [`(${from},0)`, `(${from + PAGES_PER_STATEMENT},0)`],
      )
      for (const { tenantId, bytes } of rows) totals.set(tenantId, (totals.get(tenantId) ?? 0) + Number(bytes))
    }
    return totals
  }

  async function store(
    { name, fingerprint }: Table,
    totals: ReadonlyMap<string, number>,
    startedAt: Date,
    durationMs: number,
  ): Promise<void> {
    const tenants = [...totals.keys()]
    await system().transaction(async unit => {
      await unit.query('delete from billing_row_storage where table_name = $1 and tenant_id <> all ($2)', [
        name,
        tenants,
      ])
      await unit.query(
        `insert into billing_row_storage (tenant_id, table_name, bytes)
         select tenant_id, $1, bytes from unnest($2::text[], $3::bigint[]) as measured (tenant_id, bytes)
         on conflict (tenant_id, table_name) do update set bytes = excluded.bytes
         where billing_row_storage.bytes <> excluded.bytes`,
        [name, tenants, [...totals.values()]],
      )
      const scan = { tableName: name, fingerprint, scannedAt: startedAt, durationMs }
      await unit.query(...rowScanTable.insertStep(scan, REPLACE))
    })
  }

  return {
    async run(signal) {
      const startedAt = await databaseTime()
      const { rows: tables } = await system().query<Table>(TABLES)
      const isUnchanged = ({ fingerprint, scannedFingerprint }: Table) => fingerprint === scannedFingerprint
      const due = tables.filter(
        table =>
          !isUnchanged(table) &&
          (table.scannedAt === null ||
            // The clock of the database was set back.
            table.scannedAt > startedAt ||
            startedAt.getTime() >= table.scannedAt.getTime() + (table.durationMs ?? 0) / MAX_LOAD),
      )
      for (const table of due) {
        const began = performance.now()
        const totals = await measure(table, signal)
        await store(table, totals, startedAt, Math.round(performance.now() - began))
      }
      await system().query('update billing_row_scans set scanned_at = $2 where table_name = any ($1)', [
        tables.filter(isUnchanged).map(({ name }) => name),
        startedAt,
      ])
      const names = tables.map(({ name }) => name)
      await system().query('delete from billing_row_scans where table_name <> all ($1)', [names])
      await system().query('delete from billing_row_storage where table_name <> all ($1)', [names])
      return due.map(({ name }) => name)
    },
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
