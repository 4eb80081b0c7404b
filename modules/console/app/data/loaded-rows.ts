/** Changes of rows that a list has loaded. Pure. */
type Row = Readonly<Record<string, unknown>>
export interface ListOf<T> {
  readonly data: readonly T[]
  readonly nextCursor?: string | null
  /** Written so by some modules. */
  readonly next_cursor?: string | null
}

/** @param loaded the pages of a list, or a list that was loaded at once. */
function changeRows(loaded: unknown, change: (rows: readonly Row[]) => readonly Row[]): unknown {
  if (Array.isArray(loaded)) return change(loaded)
  const { pages } = (loaded ?? {}) as { readonly pages?: readonly ListOf<Row>[] }
  return pages ? { ...(loaded as object), pages: pages.map(page => ({ ...page, data: change(page.data) })) } : loaded
}

export const withoutRows = (loaded: unknown, isDeleted: (row: Row) => boolean): unknown =>
  changeRows(loaded, rows => rows.filter(row => !isDeleted(row)))

export const withRow = (loaded: unknown, isRow: (row: Row) => boolean, saved: Row): unknown =>
  changeRows(loaded, rows => rows.map(row => (isRow(row) ? { ...row, ...saved } : row)))
