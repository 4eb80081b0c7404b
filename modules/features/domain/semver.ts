/** Versions, compared as Semantic Versioning 2.0.0 (11) has it. Pure. */

/** A leading v, and minor or patch left out, are forgiven: an app says v2.1 of itself. */
export const SEMVER = '^v?\\d{1,9}(\\.\\d{1,9}){0,2}(-[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?(\\+[0-9A-Za-z.-]+)?$'
const PATTERN = new RegExp(SEMVER)
/** Longer than any version: no pattern runs over a stranger's novel. */
const LONGEST = 256

export interface Version {
  readonly numbers: readonly number[]
  readonly prerelease: readonly string[]
}

/** Undefined for what is no version. The build counts for nothing. */
export function parseVersion(text: string): Version | undefined {
  if (text.length > LONGEST || !PATTERN.test(text)) return undefined
  const [version = ''] = text.replace(/^v/, '').split('+')
  const dash = version.indexOf('-')
  const core = dash < 0 ? version : version.slice(0, dash)
  return {
    numbers: [...core.split('.').map(Number), 0, 0].slice(0, 3),
    prerelease: dash < 0 ? [] : version.slice(dash + 1).split('.'),
  }
}

/** Below 0: a comes first. */
export function compareVersions(a: Version, b: Version): number {
  for (const [at, number] of a.numbers.entries()) {
    const difference = number - (b.numbers[at] ?? 0)
    if (difference !== 0) return difference
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return b.prerelease.length - a.prerelease.length
  for (const [at, part] of a.prerelease.entries()) {
    const other = b.prerelease[at]
    if (other === undefined) return 1
    const order = comparePart(part, other)
    if (order !== 0) return order
  }
  return a.prerelease.length - b.prerelease.length
}

/** Numbers by value and before words, words by their code units. */
function comparePart(a: string, b: string): number {
  const [first, second] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (first && second) return Number(a) - Number(b)
  if (first !== second) return first ? -1 : 1
  return a === b ? 0 : a < b ? -1 : 1
}
