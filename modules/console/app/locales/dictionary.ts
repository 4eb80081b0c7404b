/** Texts in a language that the console isn't written in, from the translations of the product. */
import { isValidElement } from 'react'
import { CONSOLE } from '../browser/document.ts'
import { BUILT_IN, baseOf, type Language, type Localized } from './bilingual.ts'

/** English text → translation, in the language that was loaded last. */
let dictionary: Readonly<Record<string, string>> = {}
let translations = new WeakMap<object, unknown>()

/** Loads the translations to a language. Without them, its texts are in English. */
export async function loadTranslations(language: Language): Promise<void> {
  const loaded = BUILT_IN.includes(language) ? {} : await fetchTranslations(language)
  dictionary = loaded
  translations = new WeakMap()
}

async function fetchTranslations(language: Language): Promise<Readonly<Record<string, string>>> {
  try {
    const response = await fetch(`${CONSOLE}/texts/${encodeURIComponent(language)}`)
    return response.ok ? await response.json() : {}
  } catch {
    // The console starts in English. Its next request tells the person that the server can't be reached.
    return {}
  }
}

/** The texts in this language, or in its base language; otherwise translated from English, text by text. */
export const inLanguage = <T>(texts: Localized<T>, language: Language): T =>
  texts[language] ?? texts[baseOf(language)] ?? translated(texts.en)

/** An English text, or each text of an object, in the language that was loaded. */
export function translated<T>(english: T): T {
  if (typeof english === 'string') return (Object.hasOwn(dictionary, english) ? dictionary[english] : english) as T
  if (!isTexts(english)) return english
  const known = translations.get(english)
  if (known) return known as T
  const made = Object.fromEntries(Object.entries(english).map(([name, text]) => [name, translated(text)]))
  translations.set(english, made)
  return made as T
}

/** Texts of a module's screen can also contain functions and elements, which have a language of their own. */
const isTexts = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  !isValidElement(value)
