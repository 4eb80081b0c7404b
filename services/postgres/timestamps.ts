/** Parses the text of a `timestamptz`. pg's parser matches three regular expressions per value, a tenth of the time of a list. */
import pg from 'pg'

const OID = pg.types.builtins.TIMESTAMPTZ
const parseAny: (text: string) => Date | number | null = pg.types.getTypeParser(OID, 'text')

/** `2026-01-31 12:00:00+00` or with up to six decimals. */
const MIN_LENGTH = 22
const [ZERO, PLUS, DASH, DOT] = [48, 43, 45, 46]

/** Reads the usual form itself: UTC, and four digits for the year. Milliseconds are truncated. */
export function parseTimestamp(text: string): Date | number | null {
  const end = text.length - 3
  const isUtc = text.charCodeAt(end) === PLUS && text.charCodeAt(end + 1) === ZERO && text.charCodeAt(end + 2) === ZERO
  // Date.UTC reads the years 0 to 99 as 1900 to 1999.
  if (!isUtc || text.length < MIN_LENGTH || text.charCodeAt(4) !== DASH || text.charCodeAt(0) === ZERO)
    return parseAny(text)
  return new Date(
    Date.UTC(
      number(text, 0, 4),
      number(text, 5, 7) - 1,
      number(text, 8, 10),
      number(text, 11, 13),
      number(text, 14, 16),
      number(text, 17, 19),
      text.charCodeAt(19) === DOT ? millisecondsOf(number(text, 20, end), end - 20) : 0,
    ),
  )
}

const millisecondsOf = (decimals: number, digits: number): number =>
  digits > 3 ? Math.trunc(decimals / 10 ** (digits - 3)) : decimals * 10 ** (3 - digits)

function number(text: string, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at++) value = value * 10 + text.charCodeAt(at) - ZERO
  return value
}

/** Parsers of the types of columns. */
export const columnParsers = {
  getTypeParser: (oid: number, format: 'text' | 'binary' = 'text') =>
    oid === OID && format === 'text' ? parseTimestamp : pg.types.getTypeParser(oid, format),
}
