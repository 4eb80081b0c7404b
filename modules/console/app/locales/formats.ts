/** Formats of numbers and times. To create one takes as long as forty uses, and a list has hundreds of values. */
import type { Language } from './bilingual.ts'

const formats = new Map<string, unknown>()

function kept<Format, Options>(
  Class: new (language: Language, options?: Options) => Format,
  language: Language,
  options?: Options,
): Format {
  const key = `${Class.name} ${language} ${JSON.stringify(options)}`
  const format = (formats.get(key) as Format | undefined) ?? new Class(language, options)
  formats.set(key, format)
  return format
}

export const numberFormat = (language: Language, options?: Intl.NumberFormatOptions): Intl.NumberFormat =>
  kept(Intl.NumberFormat, language, options)

export const dateFormat = (language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  kept(Intl.DateTimeFormat, language, options)

export const relativeFormat = (language: Language, options: Intl.RelativeTimeFormatOptions): Intl.RelativeTimeFormat =>
  kept(Intl.RelativeTimeFormat, language, options)

export const pluralRules = (language: Language): Intl.PluralRules => kept(Intl.PluralRules, language)
