/** Refuses lists that would read too many rows because a field has no index. */
import { type Deps, MINUTE, wording } from '@larder-dev/larder/kernel'
import type { Collection } from '../domain/declarations/collection.ts'
import type { ListPlan } from '../domain/queries/list-query.ts'
import { estimateStatement, indexedFilters, missingIndexes } from '../domain/queries/missing-indexes.ts'
import { badParameter } from '../domain/queries/parameter-errors.ts'
import type { View } from '../domain/rights/view.ts'

/** Rows that a list may read without an index, by PostgreSQL's estimate. */
export const MAX_SCANNED_ROWS = 100_000
/** How long the size of a table is kept. */
const SIZE_LIFE_MS = 1 * MINUTE

export interface ScanGuard {
  /**
   * Resolves with whether the list reads rows of a large table without an index. Throws `malformed` with the field that needs an index.
   * @param limit rows of a page; undefined if all rows are read, so that a filter needs no index.
   */
  check(view: View, plan: ListPlan, limit: number | undefined): Promise<boolean>
}

interface Estimate {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }]
}

export function createScanGuard({ database }: Deps<'database'>): ScanGuard {
  const sizes = new WeakMap<Collection, { readonly isLarge: boolean; readonly until: number }>()

  async function isLarge(view: View, collection: Collection): Promise<boolean> {
    const known = sizes.get(collection)
    if (known && known.until > performance.now()) return known.isLarge
    const { rows } = await database
      .tenant(view.tenantId)
      .query<{ count: number }>('select reltuples as count from pg_class where oid = to_regclass($1)', [
        collection.table,
      ])
    const size = { isLarge: Number(rows[0]?.count ?? 0) > MAX_SCANNED_ROWS, until: performance.now() + SIZE_LIFE_MS }
    sizes.set(collection, size)
    return size.isLarge
  }

  /** By the statistics of the table. */
  async function estimate(
    view: View,
    { collection, filters }: ListPlan,
  ): Promise<{ scanned: number; matching: number }> {
    const statements = [indexedFilters(collection, filters), filters].map(given =>
      estimateStatement(view, collection, given),
    )
    const results = await database
      .tenant(view.tenantId)
      .all(statements.map(({ text, values }) => [text, values, { prepare: false }]))
    const [scanned = 0, matching = 0] = results.map(
      ({ rows }) => (rows[0] as Estimate | undefined)?.['QUERY PLAN'][0].Plan['Plan Rows'],
    )
    return { scanned, matching }
  }

  return {
    async check(view, plan, limit) {
      const { collection, filters, order, search } = plan
      // The matches of a search are limited.
      if (search) return false
      const missing = missingIndexes(collection, filters, order)
      const [field] = limit === undefined ? [] : missing.filters
      if (!missing.scans || !(await isLarge(view, collection))) return false
      if (missing.sort === undefined && field === undefined) return true
      const { scanned, matching } = await estimate(view, plan)
      if (scanned <= MAX_SCANNED_ROWS) return true
      if (missing.sort !== undefined)
        throw badParameter(
          'sort',
          'index_required',
          wording(
            "can't order more than {limit} rows by {field}, which has no index. Declare `index: true` on the field, or filter by a field with an index",
            { limit: MAX_SCANNED_ROWS, field: missing.sort },
          ),
        )
      // The page is full after this share of the rows.
      const share = Math.min(1, ((limit ?? 0) + 1) / Math.max(1, matching))
      if (scanned * share > MAX_SCANNED_ROWS)
        throw badParameter(
          `filter[${field}]`,
          'index_required',
          wording(
            'would read more than {limit} rows, because {field} has no index. Declare `index: true` on the field, or also filter by a field with an index',
            { limit: MAX_SCANNED_ROWS, field: String(field) },
          ),
        )
      return true
    },
  }
}
