import { invalidField, wording } from '@larder-dev/larder/kernel'

/** PostgreSQL and JavaScript support different ranges of years. */
const MAX_YEAR = 9999

/** Parses RFC 3339; null for none. Throws 422 for a year outside the range. */
export function parsePublishTime(text: string | null | undefined): Date | null {
  if (text === null || text === undefined) return null
  const at = new Date(text)
  const year = at.getUTCFullYear()
  if (Number.isNaN(year) || year < 1 || year > MAX_YEAR)
    throw invalidField('/publishAt', 'wrong_format', wording('must be a time in the years 1 to 9999'))
  return at
}
