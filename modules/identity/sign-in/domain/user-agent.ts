/** Derives a readable browser and system name from a User-Agent header. For display only. */

/** Order matters: a User-Agent also contains the names of compatible browsers. */
const BROWSERS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
]
const SYSTEMS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(iPhone|iPad)\b/],
  ['Windows', /\bWindows NT\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]
const MAX_LENGTH = 60

/** `Firefox, Linux`. An unknown User-Agent is truncated; a missing one gives an empty string. */
export function describeUserAgent(userAgent: string | null): string {
  const text = userAgent ?? ''
  const nameIn = (list: typeof BROWSERS) => list.find(([, pattern]) => pattern.test(text))?.[0]
  const known = [nameIn(BROWSERS), nameIn(SYSTEMS)].filter(name => name !== undefined)
  if (known.length > 0) return known.join(', ')
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}
