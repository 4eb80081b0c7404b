/** The current time; tests replace it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
  /** True for the clock of the machine. Expiry is then checked against the clock of the database. */
  readonly isSystem?: boolean
}

/**
 * A monotonic clock in milliseconds, for measuring durations in this process. Changes to the machine's clock don't
 * affect it.
 */
export const elapsed = (clock: Clock): number => (clock.isSystem ? performance.now() : clock.now())
