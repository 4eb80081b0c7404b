/** Keyset pagination: an opaque cursor encodes the sort values of the last record of a page. Pure. */
import { createHash } from 'node:crypto'
import { fingerprint } from './fingerprint.ts'
import { common } from './problem.ts'

const DEFAULT_PAGE_SIZE = 50
const MAX_PAGE_SIZE = 200

/** A value of a cursor, which orders the records of a page. */
export type CursorValue = string | number | null

/** Records per page. */
export const pageLimit = (query: { readonly limit?: number | undefined }): number =>
  Math.min(Math.max(Math.trunc(query.limit ?? DEFAULT_PAGE_SIZE), 1), MAX_PAGE_SIZE)

/** Encodes the values of the last record of a page. `decodeCursor` reads them. */
export const encodeCursor = (values: readonly CursorValue[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url')

/**
 * Returns the encoded values, or undefined without a cursor. Throws `invalid_cursor` unless it contains exactly `width`
 * values. The values are untrusted; callers bind them as parameters.
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

/** Prefix of the cursors of one list, so that a cursor of another list or of other filters is rejected. */
export interface CursorMark {
  /** Adds the prefix to `nextCursor` or `next_cursor`. @param query of the request. */
  put<Body>(body: Body, query?: unknown): Body
  /** Removes the prefix from `cursor`. Throws `invalid_cursor`. */
  take<Query>(query: Query): Query
}

const MARK_LENGTH = 4
const NEXT = ['nextCursor', 'next_cursor']

/** `list` is the method and path of the route. */
export function createCursorMark(list: string): CursorMark {
  const markOf = (query: unknown): string =>
    createHash('sha256')
      .update(`${list}${choiceOf(query)}`)
      .digest('base64url')
      .slice(0, MARK_LENGTH)
  return {
    put(body, query) {
      const fields = body as Readonly<Record<string, unknown>>
      const name = NEXT.find(name => typeof fields[name] === 'string')
      return name === undefined ? body : { ...body, [name]: `${markOf(query)}${fields[name]}` }
    },
    take(query) {
      const { cursor } = query as { readonly cursor?: string }
      if (cursor === undefined) return query
      if (!cursor.startsWith(markOf(query))) throw common.invalid_cursor()
      return { ...query, cursor: cursor.slice(MARK_LENGTH) }
    },
  }
}

/** Parameters that don't choose or order the records of a list. */
const PRESENTATION: readonly string[] = ['cursor', 'limit', 'fields', 'expand', 'include', 'bom']

/** Names the parameters that choose and order the records; empty without any. */
function choiceOf(query: unknown): string {
  const chosen = Object.entries(query ?? {}).filter(
    ([name, value]) => value !== undefined && !PRESENTATION.includes(name),
  )
  return chosen.length === 0 ? '' : fingerprint(Object.fromEntries(chosen))
}

/** A page of a list: its records, and the cursor of the next page or null. */
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
