/**
 * Compares strings by code units, which is the same on every machine. `localeCompare` depends on the machine's locale,
 * and its first call loads collation tables (15 ms).
 */
export const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

let collator: Intl.Collator | undefined

/**
 * Compares names as people expect, whatever the locale of the machine: `Ägir` before `anna` before `Zoe`. The collation
 * `larder_names` of the database has the same order, that of the root of Unicode's. Equal names have equal code units.
 */
export function byNames(a: string, b: string): number {
  // English has the order of the root. The name of the root, `und`, means the locale of the machine.
  collator ??= new Intl.Collator('en')
  return collator.compare(a, b) || byCodeUnits(a, b)
}
