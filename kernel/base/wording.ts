/** Sentences with values, which are worded in the language of their reader. Pure. */
import { isRecord } from './fields.ts'
import { type LocalText, pickText } from './locale.ts'
import { fillPlaceholders, type Placeholders } from './placeholders.ts'

/** An English sentence with placeholders such as `{limit}`, and their values. `locales/` translates it by the sentence. */
export interface Wording {
  readonly sentence: string
  readonly values: Readonly<Record<string, WordingValue>>
}
/**
 * Texts are data, such as names, and are shown as they are. A wording is translated, of a text in several languages the
 * nearest one is shown, and lists are joined by commas.
 */
export type WordingValue = string | number | Wording | LocalText | readonly (string | number | Wording)[]

/** A literal: a test reads the sentences from the source, and fails if one has no translation. */
type Literal<S extends string> = Record<never, never> extends Record<S, 1> ? never : S
type Values<S extends string> = [Placeholders<S>] extends [never]
  ? [values?: Record<string, never>]
  : [values: { readonly [Name in Placeholders<S>]: WordingValue }]

/** @param sentence a literal, whose placeholders are the names of the values. */
export const wording = <const S extends string>(sentence: S & Literal<S>, ...[values]: Values<S>): Wording => ({
  sentence,
  values: values ?? {},
})

export const isWording = (value: unknown): value is Wording =>
  isRecord(value) && typeof value.sentence === 'string' && isRecord(value.values)

interface Language {
  /** Returns the sentence in the language; its placeholders stay. */
  readonly translate: (sentence: string) => string
  readonly pick: (text: LocalText) => string
}

export function sayWording({ sentence, values }: Wording, language: Language): string {
  const { translate, pick } = language
  const say = (value: unknown): string => {
    if (Array.isArray(value)) return value.map(say).join(', ')
    if (isWording(value)) return sayWording(value, language)
    return isRecord(value) ? pick(value as LocalText) : String(value)
  }
  const said = Object.entries(values).map(([name, value]) => [name, say(value)])
  return fillPlaceholders(translate(sentence), Object.fromEntries(said))
}

/** A text that isn't ours, such as that of a hook. `locales/` of the product may translate it. */
export const unworded = (text: string): Wording => ({ sentence: text, values: {} })

const ENGLISH: Language = { translate: sentence => sentence, pick: text => pickText(text, 'en', 'en') }
/** The sentence in English, for logs and for reports of a recipe. */
export const inEnglish = (text: Wording): string => sayWording(text, ENGLISH)

/** An error of what a person entered: its message ends a sentence about it. */
export class WordedError extends Error {
  readonly wording: Wording

  constructor(text: Wording, options?: ErrorOptions) {
    super(inEnglish(text), options)
    this.wording = text
  }
}
