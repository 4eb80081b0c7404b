import { type Deps, type LocalText, pickText, type RequestFacts } from '@larder-dev/larder/kernel'
import { negotiateLocale } from '@larder-dev/larder/kernel/internal'

/** Returns texts of the recipe in one language. */
export type Translate = <T extends LocalText | null | undefined>(text: T) => string | Exclude<T, LocalText>

export interface Translator {
  /** In a language of the product. */
  into(locale: string): Translate
  /** The language of the product that the request accepts. */
  localeOf(request: Pick<RequestFacts, 'headers'>): string
  /** In the language that the request accepts. */
  forRequest(request: Pick<RequestFacts, 'headers'>): Translate
}

export function createTranslator({ product: { locales } }: Deps<'product'>): Translator {
  const into = (locale: string): Translate => {
    const translate = (text: LocalText | null | undefined) =>
      text === null || text === undefined ? text : pickText(text, locale, locales.default)
    return translate as Translate
  }
  const localeOf: Translator['localeOf'] = ({ headers }) => negotiateLocale(headers['accept-language'], locales)
  return { into, localeOf, forRequest: request => into(localeOf(request)) }
}
