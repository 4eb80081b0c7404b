/**
 * Compares strings by code units, which is the same on every machine. `localeCompare` depends on the machine's locale,
 * and its first call loads collation tables (15 ms).
 */
export const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
