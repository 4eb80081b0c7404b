/** Lists as CSV (RFC 4180) and NDJSON, in the memory of one page. */
import { pipeline } from 'node:stream'
import { toCell } from '../domain/csv-cells.ts'
import type { ListedRow } from '../domain/list-query.ts'
import { nameOf, type Selection } from '../domain/selection.ts'

type Pages = AsyncIterable<readonly ListedRow[]>

export async function* ndjson(pages: Pages): AsyncGenerator<string> {
  for await (const rows of pages) if (rows.length > 0) yield rows.map(row => `${JSON.stringify(row)}\n`).join('')
}

/** An error in `pages` destroys the returned stream. */
export async function csv(pages: Pages, { targets }: Selection): Promise<AsyncIterable<Buffer>> {
  const { stringify } = await import('csv-stringify')
  const names = targets.map(nameOf)
  async function* lines(): AsyncGenerator<string[]> {
    yield names
    for await (const rows of pages) for (const row of rows) yield names.map(name => toCell(row[name]))
  }
  const writer = stringify({ record_delimiter: '\r\n' })
  pipeline(lines(), writer, () => undefined)
  return writer
}
