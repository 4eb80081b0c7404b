/** Keyset lists: an opaque cursor holds the sort values of the last record of a page. Pure. */
import { createHash } from 'node:crypto'
import { common } from './problem.ts'

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

/** What the cursors of one list begin with on the wire: that of another list is told, and not followed to nowhere. */
export interface CursorMark {
  /** The same with `nextCursor` or `next_cursor` marked. */
  put<Body>(body: Body): Body
  /** The same with `cursor` as the list made it. Throws `invalid_cursor`. */
  take<Query>(query: Query): Query
}

const LENGTH = 4
const NEXT = ['nextCursor', 'next_cursor']

/** @param list method and path of its route. */
export function createCursorMark(list: string): CursorMark {
  const mark = createHash('sha256').update(list).digest('base64url').slice(0, LENGTH)
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
      return { ...query, cursor: cursor.slice(LENGTH) }
    },
  }
}

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
