/** Time zones by their IANA names. */

/** IANA names of time zones, `UTC` first. */
export const TIME_ZONES: readonly string[] = [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter(zone => zone !== 'UTC'),
]

/**
 * Whether it is an IANA name of a time zone, also a former one such as `Asia/Calcutta`. Refuses offsets such as `+01:00`,
 * whose sign PostgreSQL reads the other way round.
 */
export function isTimeZone(name: string): boolean {
  try {
    return /^[a-z]/i.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
