/** Texts that are written once, in both languages of the console. */
export type Language = 'en' | 'de'

interface Pairs {
  readonly [name: string]: readonly [en: string, de: string] | Pairs
}
type TextsOf<T> = { readonly [K in keyof T]: T[K] extends readonly unknown[] ? string : TextsOf<T[K]> }

/** The texts by language, for `useScreenTexts`. A text without its translation doesn't compile. */
export const bilingual = <T extends Pairs>(pairs: T): Readonly<Record<Language, TextsOf<T>>> => ({
  en: textsIn(pairs, 0),
  de: textsIn(pairs, 1),
})

const textsIn = <T extends Pairs>(pairs: T, at: 0 | 1): TextsOf<T> =>
  Object.fromEntries(
    Object.entries(pairs).map(([name, text]) => [name, isPair(text) ? text[at] : textsIn(text, at)]),
  ) as TextsOf<T>

const isPair = (text: Pairs[string]): text is readonly [string, string] => Array.isArray(text)
