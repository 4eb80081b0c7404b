/** The current time; tests replace it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
  /** True for the clock of the machine. Expiry is then checked against the clock of the database. */
  readonly isSystem?: boolean
}

/**
 * The current time for `coalesce($1::timestamptz, statement_timestamp())`. Returns null for the clock of the machine,
 * so that the statement uses the time of the database, which all processes share and which changes to their own clocks
 * don't affect.
 */
export const statementTime = (clock: Clock): string | null =>
  clock.isSystem ? null : new Date(clock.now()).toISOString()

/**
 * A monotonic clock in milliseconds, for measuring durations in this process. Changes to the machine's clock don't
 * affect it.
 */
export const elapsed = (clock: Clock): number => (clock.isSystem ? performance.now() : clock.now())
