/** Languages of readers and translated texts. Pure. */

interface Locales {
  readonly default: string
  readonly available: readonly string[]
}

/** The available language for a tag: `de-AT` is matched to `de-AT`, else to `de`, else to another `de-…`. */
export function matchLocale(tag: string, available: readonly string[]): string | undefined {
  const wanted = `${tag.trim().toLowerCase().replaceAll('_', '-')}-`
  const [closest] = available
    .filter(locale => wanted.startsWith(`${locale.toLowerCase()}-`))
    .toSorted((a, b) => b.length - a.length)
  return closest ?? available.find(locale => wanted.startsWith(`${locale.toLowerCase().split('-')[0]}-`))
}

/** The available language that an `Accept-Language` header prefers (RFC 9110, 12.5.4); undefined if it names none. */
export function acceptedLocale(header: string | undefined, available: readonly string[]): string | undefined {
  const wishes = (header ?? '').split(',', 20).map(part => {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
    const quality = parameters.map(text => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1]).find(Boolean)
    return { tag: tag.trim(), quality: quality === undefined ? 1 : Number(quality) }
  })
  for (const { tag, quality } of wishes.toSorted((a, b) => b.quality - a.quality)) {
    if (!(quality > 0) || tag === '') continue
    const found = matchLocale(tag, available)
    if (found) return found
  }
  return undefined
}

/** The available language that an `Accept-Language` header prefers, or the default. */
export const negotiateLocale = (header: string | undefined, locales: Locales): string =>
  acceptedLocale(header, locales.available) ?? locales.default

/** The translation in the locale, else in its language, in the product's default, in English, or the first by locale. */
export function pickTranslation<T extends { readonly locale: string }>(
  translations: readonly T[],
  locale: string,
  defaultLocale: string,
): T | undefined {
  const find = (wanted: string | undefined) => translations.find(translation => translation.locale === wanted)
  const [first] = translations.map(each => each.locale).sort()
  return find(locale) ?? find(locale.split('-')[0]) ?? find(defaultLocale) ?? find('en') ?? find(first)
}

/** A text, or one per locale. */
export type LocalText = string | Readonly<Record<string, string>>

/** The text in the locale, or in the default locale. */
export function pickText(text: LocalText, locale: string, defaultLocale: string): string {
  if (typeof text === 'string') return text
  const translations = Object.entries(text).map(([name, value]) => ({ locale: name, value }))
  return pickTranslation(translations, locale, defaultLocale)?.value ?? ''
}

/** Scripts of living languages (ISO 15924). */
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Aran', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa', 'Yezi'])
const scriptOf = (tag: string): string => new Intl.Locale(tag).maximize().script ?? ''

/** The direction in which a language is written. @param tag such as `ar` or `az-Arab`. */
export const directionOf = (tag: string): 'ltr' | 'rtl' => (RIGHT_TO_LEFT.has(scriptOf(tag)) ? 'rtl' : 'ltr')
