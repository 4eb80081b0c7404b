/** Rows as lines of CSV (RFC 4180) and NDJSON. */
import { toCell } from '../domain/csv-cells.ts'
import type { ListedRow } from '../domain/list-query.ts'
import { nameOf, type Selection } from '../domain/selection.ts'

export const ndjsonLines = (rows: readonly ListedRow[]): string => rows.map(row => `${JSON.stringify(row)}\n`).join('')

/** With the line of column names if it is the first part of a file. */
export async function csvLines(
  { targets }: Selection,
  rows: readonly ListedRow[],
  { isFirst }: { readonly isFirst: boolean },
): Promise<string> {
  const { stringify } = await import('csv-stringify/sync')
  const names = targets.map(nameOf)
  const cells = rows.map(row => names.map(name => toCell(row[name])))
  return stringify(isFirst ? [names, ...cells] : cells, { record_delimiter: '\r\n' })
}
