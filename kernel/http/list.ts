/** Keyset lists: an opaque cursor holds the sort values of the last record of a page. Pure. */
import { common } from '../problem.ts'

const PAGE = 50
const MAX_PAGE = 200

export type CursorValue = string | number | null

/** Records a page. */
export const pageLimit = (query: { readonly limit?: number | undefined }): number =>
  Math.min(Math.max(Math.trunc(query.limit ?? PAGE), 1), MAX_PAGE)

export const encodeCursor = (values: readonly CursorValue[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url')

/**
 * The values that `encodeCursor` took; undefined without a cursor. Throws `invalid_cursor` on anything else than
 * `width` values: callers bind them in SQL, so they are data of an unknown author, never trusted.
 */
export function decodeCursor(cursor: string | undefined, width: number): CursorValue[] | undefined {
  if (cursor === undefined) return undefined
  const values = parse(cursor)
  if (!Array.isArray(values) || values.length !== width || !values.every(isValue)) throw common.invalid_cursor()
  return values
}

function parse(cursor: string): unknown {
  if (!/^[\w-]{1,512}$/.test(cursor)) return undefined
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

const isValue = (value: unknown): value is CursorValue =>
  value === null ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  (typeof value === 'string' && !/[\0\p{Cs}]/u.test(value))

/** Takes `limit + 1` rows at most: the one too many says that there is another page. `key` names where it begins. */
export function toPage<Row>(
  rows: readonly Row[],
  limit: number,
  key: (row: Row) => readonly CursorValue[],
): { data: Row[]; nextCursor: string | null } {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, nextCursor: rows.length > limit && last !== undefined ? encodeCursor(key(last)) : null }
}
