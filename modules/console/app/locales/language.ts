/** The language in which the console starts. */
import { directionOf } from '../../../../kernel/base/locale.ts'
import { metaOf } from '../browser/document.ts'
import { productLocales } from '../browser/product-locales.ts'
import { readStored } from '../browser/stored.ts'
import { BUILT_IN, baseOf, type Language } from './bilingual.ts'

/** Those in which the console is written, and those of the product that it has translations to. */
export const LANGUAGES: readonly Language[] = [...BUILT_IN, ...metaOf('console-languages').split(' ').filter(Boolean)]

/** The console's language for a tag: the same one, or another one with the same base. */
function languageFor(tag: unknown): Language | undefined {
  if (typeof tag !== 'string') return undefined
  return LANGUAGES.find(each => each === tag) ?? LANGUAGES.find(each => baseOf(each) === baseOf(tag))
}

/** In the attributes of the document, which styles and screen readers follow. */
export function showLanguage(language: Language): void {
  document.documentElement.lang = language
  // The built-in languages need no `Intl`, whose first use would delay the first paint.
  document.documentElement.dir = BUILT_IN.includes(language) ? 'ltr' : directionOf(language)
}

export function initialLanguage(): Language {
  const stored = readStored<unknown>('language', null)
  const cookie = /(?:^|;\s*)platform_locale=([\w-]+)/.exec(document.cookie)?.[1]
  const wanted = [stored, cookie, ...navigator.languages, productLocales.default]
  return wanted.map(languageFor).find(found => found !== undefined) ?? 'en'
}
