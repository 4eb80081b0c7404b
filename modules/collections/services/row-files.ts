/** Rows as lines of CSV (RFC 4180) and NDJSON. */
import { toCell, toJsonCell } from '../domain/csv-cells.ts'
import type { ListedRow } from '../domain/list-query.ts'
import { nameOf, type Selection } from '../domain/selection.ts'

export const ndjsonLines = (rows: readonly ListedRow[]): string => rows.map(row => `${JSON.stringify(row)}\n`).join('')

/** With the line of column names if it is the first part of a file; `bom` tells Excel that the file is UTF-8. */
export async function csvLines(
  { targets }: Selection,
  rows: readonly ListedRow[],
  { isFirst, bom = false }: { readonly isFirst: boolean; readonly bom?: boolean | undefined },
): Promise<string> {
  const { stringify } = await import('csv-stringify/sync')
  const names = targets.map(nameOf)
  const columns = targets.map(target => ({
    name: nameOf(target),
    toCell: target.kind === 'field' && target.field.type === 'json' ? toJsonCell : toCell,
  }))
  const cells = rows.map(row => columns.map(({ name, toCell }) => toCell(row[name])))
  return stringify(isFirst ? [names, ...cells] : cells, {
    record_delimiter: '\r\n',
    quoted_match: /[\r\n]/,
    bom: bom && isFirst,
  })
}
