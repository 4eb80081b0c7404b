/** Picks the translation for a reader. Pure. */
import { byCodeUnits } from 'larder/kernel'

/** The translation in the locale, else in its language, else in the product's default, else the first by locale. */
export function pickTranslation<T extends { readonly locale: string }>(
  translations: readonly T[],
  locale: string,
  defaultLocale: string,
): T | undefined {
  const find = (wanted: string | undefined) => translations.find(translation => translation.locale === wanted)
  const [first] = [...translations].sort((a, b) => byCodeUnits(a.locale, b.locale))
  return find(locale) ?? find(locale.split('-')[0]) ?? find(defaultLocale) ?? first
}

/** A text, or one per locale. */
export type LocalText = string | Readonly<Record<string, string>>

export function pickText(text: LocalText, locale: string, defaultLocale: string): string {
  if (typeof text === 'string') return text
  const translations = Object.entries(text).map(([name, value]) => ({ locale: name, value }))
  return pickTranslation(translations, locale, defaultLocale)?.value ?? ''
}
