/** Keyset pagination: an opaque cursor encodes the sort values of the last record of a page. Pure. */
import { createHash } from 'node:crypto'
import { common } from './problem.ts'

const DEFAULT_PAGE_SIZE = 50
const MAX_PAGE_SIZE = 200

export type CursorValue = string | number | null

/** Records per page. */
export const pageLimit = (query: { readonly limit?: number | undefined }): number =>
  Math.min(Math.max(Math.trunc(query.limit ?? DEFAULT_PAGE_SIZE), 1), MAX_PAGE_SIZE)

export const encodeCursor = (values: readonly CursorValue[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url')

/**
 * Returns the encoded values, or undefined without a cursor. Throws `invalid_cursor` unless it contains exactly `width`
 * values. The values are untrusted; callers bind them in SQL.
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

/** Prefix of the cursors of one list, so that a cursor of another list is rejected. */
export interface CursorMark {
  /** Adds the prefix to `nextCursor` or `next_cursor`. */
  put<Body>(body: Body): Body
  /** Removes the prefix from `cursor`. Throws `invalid_cursor`. */
  take<Query>(query: Query): Query
}

const MARK_LENGTH = 4
const NEXT = ['nextCursor', 'next_cursor']

/** `list` is the method and path of the route. */
export function createCursorMark(list: string): CursorMark {
  const mark = createHash('sha256').update(list).digest('base64url').slice(0, MARK_LENGTH)
  return {
    put(body) {
      const fields = body as Readonly<Record<string, unknown>>
      const name = NEXT.find(name => typeof fields[name] === 'string')
      return name === undefined ? body : { ...body, [name]: `${mark}${fields[name]}` }
    },
    take(query) {
      const { cursor } = query as { readonly cursor?: string }
      if (cursor === undefined) return query
      if (!cursor.startsWith(mark)) throw common.invalid_cursor()
      return { ...query, cursor: cursor.slice(MARK_LENGTH) }
    },
  }
}

export interface PageOf<T> {
  readonly data: T[]
  /** Null on the last page. */
  readonly nextCursor: string | null
}

/** Expects up to `limit + 1` rows: an extra row means that there is another page. `key` returns the cursor values. */
export function toPage<Row>(
  rows: readonly Row[],
  limit: number,
  key: (row: Row) => readonly CursorValue[],
): PageOf<Row> {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, nextCursor: rows.length > limit && last !== undefined ? encodeCursor(key(last)) : null }
}
