/** What people recognise of a User-Agent: browser and system. A guess, for eyes alone. Pure. */

/** In this order: browsers name those that they are like, too. */
const BROWSERS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
]
const SYSTEMS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(iPhone|iPad)\b/],
  ['Windows', /\bWindows NT\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]
const LONGEST = 60

/** `Firefox, Linux`; the beginning of what was sent where nothing of it is known; empty where nothing was. */
export function describeAgent(userAgent: string | null): string {
  const text = userAgent ?? ''
  const nameIn = (list: typeof BROWSERS) => list.find(([, sign]) => sign.test(text))?.[0]
  const known = [nameIn(BROWSERS), nameIn(SYSTEMS)].filter(name => name !== undefined)
  if (known.length > 0) return known.join(', ')
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
