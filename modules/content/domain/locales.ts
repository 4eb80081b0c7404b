/** Which translation a reader gets. Pure. */

import { byCodeUnits } from 'larder/kernel'
/** The one in the language that is wanted, else in its language alone, else in the product's, else the first by name. */
export function pickTranslation<T extends { readonly locale: string }>(
  translations: readonly T[],
  wanted: string,
  standard: string,
): T | undefined {
  const named = (locale: string | undefined) => translations.find(one => one.locale === locale)
  const [first] = [...translations].sort((a, b) => byCodeUnits(a.locale, b.locale))
  return named(wanted) ?? named(wanted.split('-')[0]) ?? named(standard) ?? first
}

/** A text, or one for each language. */
export type LocalText = string | Readonly<Record<string, string>>

export function pickText(text: LocalText, wanted: string, standard: string): string {
  if (typeof text === 'string') return text
  const translations = Object.entries(text).map(([locale, value]) => ({ locale, value }))
  return pickTranslation(translations, wanted, standard)?.value ?? ''
}
