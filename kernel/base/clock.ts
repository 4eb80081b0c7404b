/** The current time; tests replace it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
  /** True for the clock of the machine. Expiry is then checked against the clock of the database. */
  readonly isSystem?: boolean
}

/**
 * The current time for `coalesce($1::timestamptz, statement_timestamp())`. Null for the clock of the machine: the statement
 * then has the time of the database, which all processes share and which no change of their clocks moves.
 */
export const statementTime = (clock: Clock): string | null =>
  clock.isSystem ? null : new Date(clock.now()).toISOString()

/** Milliseconds for measuring durations in this process, which no change of the machine's clock moves. */
export const elapsed = (clock: Clock): number => (clock.isSystem ? performance.now() : clock.now())
