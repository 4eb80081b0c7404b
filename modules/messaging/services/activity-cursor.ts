/** Cursors of lists of conversations by their last activity. */
import { common, decodeCursor } from '@larder-dev/larder/kernel'

/** A Date has milliseconds only. A cursor without microseconds would skip conversations of the same millisecond. */
export const MICROSECONDS = `to_char(c.active_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
const TIMESTAMP = /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/

export function parseCursor(cursor: string | undefined): { at: string | null; before: string | null } {
  const values = decodeCursor(cursor, 2)
  if (!values) return { at: null, before: null }
  const [at, before] = values
  if (typeof at !== 'string' || typeof before !== 'string' || !isTimestamp(at)) throw common.invalid_cursor()
  return { at, before }
}

/** Rejects dates that PostgreSQL does not accept, such as February 31. */
function isTimestamp(text: string): boolean {
  if (!TIMESTAMP.test(text)) return false
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 19) === text.slice(0, 19)
}
