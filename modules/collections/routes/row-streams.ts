/** Lists as CSV and NDJSON, in the memory of one page. */
import type { ListedRow } from '../domain/list-query.ts'
import type { Selection } from '../domain/selection.ts'
import { csvLines, ndjsonLines } from '../services/row-files.ts'

type Pages = AsyncIterable<readonly ListedRow[]>

export async function* ndjson(pages: Pages): AsyncGenerator<string> {
  for await (const rows of pages) if (rows.length > 0) yield ndjsonLines(rows)
}

export async function* csv(pages: Pages, selection: Selection, bom?: boolean): AsyncGenerator<string> {
  let isFirst = true
  for await (const rows of pages) {
    if (isFirst || rows.length > 0) yield await csvLines(selection, rows, { isFirst, bom })
    isFirst = false
  }
}
