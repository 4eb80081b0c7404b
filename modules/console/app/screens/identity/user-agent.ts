/** Names of browsers and systems in the order in which they must be tried: Edge also names Chrome, Chrome also Safari. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrom(e|ium)\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
]

/** `Chrome, macOS`; the first word of other programs; empty without a user agent. */
export function deviceOf(userAgent: string | null): string {
  if (userAgent === null) return ''
  const named = [BROWSERS, SYSTEMS].flatMap(list => {
    const found = list.find(([pattern]) => pattern.test(userAgent))
    return found ? [found[1]] : []
  })
  return named.length > 0 ? named.join(', ') : (userAgent.split(/[\s/]/)[0] ?? '')
}
