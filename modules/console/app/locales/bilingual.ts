/**
 * Texts that are written once, in both languages in which the console is written. The German of a text that a module has,
 * too, or that several screens have, stands in a file `locales/de.yaml`: scripts/console-texts.mjs adds it in the build.
 */

/** A BCP 47 tag. */
export type Language = string

/** The keys of translations are in it. */
export const WRITTEN_IN: Language = 'en'
/** Other languages are translations of the product. */
export const BUILT_IN: readonly Language[] = ['en', 'de']

/** A title, or the texts of a screen, by language. Those without a translation here are translated from English. */
export interface Localized<T = string> {
  readonly en: T
  readonly [language: Language]: T | undefined
}

interface Pairs {
  readonly [name: string]: readonly [en: string, de: string] | string | Pairs
}
type TextsOf<T> = { readonly [K in keyof T]: T[K] extends readonly unknown[] | string ? string : TextsOf<T[K]> }

/** The texts by language, for `useScreenTexts`. A text without its translation fails the build. */
export const bilingual = <T extends Pairs>(pairs: T): Readonly<Record<'en' | 'de', TextsOf<T>>> => ({
  en: textsIn(pairs, 0),
  de: textsIn(pairs, 1),
})

const textsIn = <T extends Pairs>(pairs: T, at: 0 | 1): TextsOf<T> =>
  Object.fromEntries(Object.entries(pairs).map(([name, text]) => [name, textIn(text, at)])) as TextsOf<T>

function textIn(text: Pairs[string] | undefined, at: 0 | 1): unknown {
  if (typeof text === 'string' || text === undefined) return text
  return isPair(text) ? text[at] : textsIn(text, at)
}

const isPair = (text: Pairs[string]): text is readonly [string, string] => Array.isArray(text)

/** `pt-BR` → `pt` */
export const baseOf = (language: Language): Language => language.split('-', 1)[0] ?? language
