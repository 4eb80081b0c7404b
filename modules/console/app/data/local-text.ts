/** Texts in the languages of the product: one text, or one per language. Pure. */
import type { LocalText } from '../../../../kernel/base/locale.ts'

export { directionOf, type LocalText, pickText } from '../../../../kernel/base/locale.ts'

/** The text in a language, without fallback unless it has one text for all languages. */
export const textIn = (text: LocalText, locale: string): string =>
  typeof text === 'string' ? text : (text[locale] ?? '')

/** A text for all languages becomes one for each as soon as another language is edited. */
export function withText(text: LocalText, locale: string, next: string, defaultLocale: string): LocalText {
  if (typeof text === 'string')
    return locale === defaultLocale || text === '' ? next : { [defaultLocale]: text, [locale]: next }
  const { [locale]: _, ...others } = text
  return next === '' && locale !== defaultLocale ? others : { ...others, [locale]: next }
}
