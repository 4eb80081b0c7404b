/** Texts in a language that the console isn't written in, from the translations of the product. */
import { isValidElement } from 'react'
import { CONSOLE } from '../browser/document.ts'
import { BUILT_IN, baseOf, type Language, type Localized, WRITTEN_IN } from './bilingual.ts'

/** English text → translation. */
interface Dictionary {
  readonly words: Readonly<Record<string, string>>
  /** Texts that are translated already. */
  readonly known: WeakMap<object, unknown>
}
const dictionaryOf = (words: Dictionary['words']): Dictionary => ({ words, known: new WeakMap() })

/** Translations to the language that was loaded last, if the console isn't written in it. */
let dictionary = dictionaryOf({})
/** Those that screens of modules use in a language in which the console is written. */
let screenDictionary = dictionaryOf({})
/** Set when the first of these screens is opened. */
let screensLoaded: Promise<void> | undefined

/** Loads the translations to a language. Without them, its texts are in English. */
export async function loadTranslations(language: Language): Promise<void> {
  const isBuiltIn = BUILT_IN.includes(language)
  const words = isBuiltIn && !(screensLoaded && language !== WRITTEN_IN) ? {} : await fetchTranslations(language)
  dictionary = dictionaryOf(isBuiltIn ? {} : words)
  screenDictionary = dictionaryOf(isBuiltIn ? words : {})
}

/** Loads what the console itself doesn't need: the texts of modules in a language in which it is written. */
export function loadScreenTranslations(language: Language): Promise<void> {
  screensLoaded ??= Promise.resolve().then(() => (BUILT_IN.includes(language) ? loadTranslations(language) : undefined))
  return screensLoaded
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
  texts[language] ??
  texts[baseOf(language)] ??
  translated(texts.en, BUILT_IN.includes(language) ? screenDictionary : dictionary)

/** An English text, or each text of an object, in the language that was loaded. */
export function translated<T>(english: T, from = dictionary): T {
  const { words, known } = from
  if (typeof english === 'string') return (Object.hasOwn(words, english) ? words[english] : english) as T
  if (!isTexts(english)) return english
  const found = known.get(english)
  if (found) return found as T
  const made = Object.fromEntries(Object.entries(english).map(([name, text]) => [name, translated(text, from)]))
  known.set(english, made)
  return made as T
}

/** Texts of a module's screen can also contain functions and elements, which have a language of their own. */
const isTexts = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  !isValidElement(value)
