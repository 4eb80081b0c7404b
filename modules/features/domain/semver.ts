/** Compares versions by section 11 of Semantic Versioning 2.0.0. Pure. */

/** Accepts a leading v and a missing minor or patch version, because apps report versions such as v2.1. */
export const SEMVER_PATTERN = '^v?\\d{1,9}(\\.\\d{1,9}){0,2}(-[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?(\\+[0-9A-Za-z.-]+)?$'
const SEMVER = new RegExp(SEMVER_PATTERN)
/** Characters. Keeps the pattern from running over long client input. */
export const MAX_VERSION_LENGTH = 256

export interface Version {
  readonly numbers: readonly number[]
  readonly prerelease: readonly string[]
}

/** Undefined for text that isn't a version. Build metadata is ignored. */
export function parseVersion(text: string): Version | undefined {
  if (text.length > MAX_VERSION_LENGTH || !SEMVER.test(text)) return undefined
  const [version = ''] = text.replace(/^v/, '').split('+')
  const dash = version.indexOf('-')
  const core = dash < 0 ? version : version.slice(0, dash)
  return {
    numbers: [...core.split('.').map(Number), 0, 0].slice(0, 3),
    prerelease: dash < 0 ? [] : version.slice(dash + 1).split('.'),
  }
}

/** Negative if `a` precedes `b`. */
export function compareVersions(a: Version, b: Version): number {
  for (const [index, number] of a.numbers.entries()) {
    const difference = number - (b.numbers[index] ?? 0)
    if (difference !== 0) return difference
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return b.prerelease.length - a.prerelease.length
  for (const [index, identifier] of a.prerelease.entries()) {
    const other = b.prerelease[index]
    if (other === undefined) return 1
    const order = compareIdentifiers(identifier, other)
    if (order !== 0) return order
  }
  return a.prerelease.length - b.prerelease.length
}

/** Numeric identifiers compare by value and precede others, which compare by code units. */
function compareIdentifiers(a: string, b: string): number {
  const [isANumeric, isBNumeric] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (isANumeric && isBNumeric) return Number(a) - Number(b)
  if (isANumeric !== isBNumeric) return isANumeric ? -1 : 1
  return a === b ? 0 : a < b ? -1 : 1
}
