/** The current time; tests replace it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
  /** True for the clock of the machine. Expiry is then checked against the clock of the database. */
  readonly isSystem?: boolean
}
