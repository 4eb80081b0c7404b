/** Locks by name, for what no row stands for: a count, or an order of several rows. */
import type { Step } from '../contract/index.ts'

const keyOf = (name: string, parts: readonly string[]): string => [name, ...parts].join(' ')

/**
 * The statement of `unit.lock`, for a `unit.all`: the statements after it see what the last holder committed.
 * @param name `<module>.<what>`. Processes of two versions take turns only if it stays the same.
 */
export const lockStep = (name: string, ...parts: readonly string[]): Step => [
  'select pg_advisory_xact_lock(hashtextextended($1, 0))',
  [keyOf(name, parts)],
]

/** Takes several locks of one name, always in the same order, so that two units don't wait for each other. */
export const locksStep = (name: string, keys: readonly (readonly string[])[]): Step => [
  `select pg_advisory_xact_lock(key) from (
     select distinct hashtextextended(name, 0) as key from unnest($1::text[]) name order by 1) keys`,
  [keys.map(parts => keyOf(name, parts))],
]
