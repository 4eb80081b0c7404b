import type { Clock } from '../base/index.ts'

/**
 * The current time for `coalesce($1::timestamptz, statement_timestamp())`. Returns null for the clock of the machine,
 * so that the statement uses the time of the database, which all processes share and which changes to their own clocks
 * don't affect.
 */
export const statementTime = (clock: Clock): string | null =>
  clock.isSystem ? null : new Date(clock.now()).toISOString()
