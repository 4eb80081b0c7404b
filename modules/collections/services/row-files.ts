/** Rows as lines of CSV (RFC 4180) and NDJSON. */

import type { Target } from '../domain/conditions/resolved-condition.ts'
import { toCell, toJsonCell } from '../domain/exports/csv-cells.ts'
import { amountCell, columnName } from '../domain/imports/amounts.ts'
import type { ListedRow } from '../domain/queries/list-query.ts'
import { nameOf, type Selection } from '../domain/queries/selection.ts'

export const ndjsonLines = (rows: readonly ListedRow[]): string => rows.map(row => `${JSON.stringify(row)}\n`).join('')

/** With the line of column names if it is the first part of a file; `bom` tells Excel that the file is UTF-8. */
export async function csvLines(
  { targets }: Selection,
  rows: readonly ListedRow[],
  { isFirst, bom = false }: { readonly isFirst: boolean; readonly bom?: boolean | undefined },
): Promise<string> {
  const { stringify } = await import('csv-stringify/sync')
  const names = targets.map(target =>
    target.kind === 'field' ? columnName({ ...target.field, name: nameOf(target) }) : nameOf(target),
  )
  const columns = targets.map(target => ({ name: nameOf(target), toCell: writerOf(target) }))
  const cells = rows.map(row => columns.map(({ name, toCell }) => toCell(row[name])))
  return stringify(isFirst ? [names, ...cells] : cells, {
    record_delimiter: '\r\n',
    quoted_match: /[\r\n]/,
    bom: bom && isFirst,
  })
}

function writerOf(target: Target): (value: unknown) => string {
  const field = target.kind === 'field' ? target.field : undefined
  if (field?.type === 'money') return value => amountCell(value, field)
  return field?.type === 'json' ? toJsonCell : toCell
}
