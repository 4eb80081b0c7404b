/** Time zones by their IANA names. */

/** IANA names of time zones, `UTC` first. */
export const TIME_ZONES: readonly string[] = [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter(zone => zone !== 'UTC'),
]

/**
 * Whether it is an IANA name of a time zone, also a former one such as `Asia/Calcutta`. PostgreSQL reads the sign of `+01:00` the other way
 * round, which this refuses.
 */
export function isTimeZone(name: string): boolean {
  try {
    return /^[a-z]/i.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
