/** Changes of rows that a list has loaded. Pure. */

type Row = Readonly<Record<string, unknown>>
export interface PageOfRows {
  readonly data: readonly Row[]
  readonly nextCursor?: string | null
  /** Written so by the lists of webhooks. */
  readonly next_cursor?: string | null
}

/** The pages of a list, or a list that was loaded at once, without some of its rows. */
export function withoutRows(loaded: unknown, isDeleted: (row: Row) => boolean): unknown {
  const keep = (rows: readonly Row[]) => rows.filter(row => !isDeleted(row))
  if (Array.isArray(loaded)) return keep(loaded)
  const { pages } = (loaded ?? {}) as { readonly pages?: readonly PageOfRows[] }
  return pages ? { ...(loaded as object), pages: pages.map(page => ({ ...page, data: keep(page.data) })) } : loaded
}

/** The pages of a list with the saved version of a row. */
export function withRow(loaded: unknown, isRow: (row: Row) => boolean, saved: Row): unknown {
  const { pages } = (loaded ?? {}) as { readonly pages?: readonly PageOfRows[] }
  if (!pages) return loaded
  const data = (rows: readonly Row[]) => rows.map(row => (isRow(row) ? { ...row, ...saved } : row))
  return { ...(loaded as object), pages: pages.map(page => ({ ...page, data: data(page.data) })) }
}
