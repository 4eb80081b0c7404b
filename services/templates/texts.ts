/**
 * `{{text 'Sign in'}}`: the English text is its own key. The file `de.yaml` or `de.json` of a theme's or a module's
 * `locales/` maps it to German; a text without a translation appears in English.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord, isWording, type LocalText, pickText, sayWording } from '@larder-dev/larder/kernel/internal'
import { parse } from 'yaml'
import { problemsOf, type TemplateProblem } from './engine.ts'
import { readTemplate, refused } from './theme-file.ts'

type Texts = Readonly<Record<string, string>>
export interface Translate {
  /** Translates a text or a wording to a language and inserts the values. Of a text in several languages, it takes the nearest one. */
  (locale: string, text: unknown, ...values: readonly unknown[]): string
  /** Every translation to a language, by the English text. Empty for a language without a file. */
  readonly all: (locale: string) => Texts
}

/** A text with named placeholders, such as `No {what} has this ID.` */
interface Pattern {
  /** Matches the text with any values. */
  readonly expression: RegExp
  readonly translation: string
}
interface Language {
  readonly texts: Texts
  /** Those with the most words of their own first, because the most specific one applies. */
  readonly patterns: readonly Pattern[]
}

/** The build converts the files of shipped modules to JSON, because parsing YAML takes a tenth of the time of a start. */
const FILE = /^(?<locale>.+)\.(?:yaml|json)$/
const PLACEHOLDER = /\{([a-z]\w*)\}/i
/** Longer texts are not matched against patterns. */
const MAX_MATCHED_LENGTH = 500

/**
 * Reads `<language>.yaml` and `<language>.json` of each folder: English text → translation. Throws a TemplateError.
 * @param folders in order of precedence: where two folders translate a text, the first one counts.
 * @param locales of the product. Files of other languages are read on first use, because parsing them slows the start.
 */
export function loadTexts(
  folders: readonly string[],
  locales?: { readonly default: string; readonly available: readonly string[] },
): Translate {
  const files = filesByLocale(folders)
  const read = new Map<string, Language>()
  const languageFor = (locale: string): Language | undefined => {
    const known = read.get(locale)
    const found = files.get(locale)
    if (known || !found) return known
    const language = languageOf(Object.assign({}, ...found.map(readTexts)) as Texts)
    read.set(locale, language)
    return language
  }
  const pick = (text: LocalText, locale: string) => pickText(text, locale, locales?.default ?? locale)
  const sentenceIn = (locale: string, sentence: string) => ownText(languageFor(locale)?.texts ?? {}, sentence)
  for (const locale of locales?.available.flatMap(locale => locale.split('-', 1).concat(locale)) ?? files.keys())
    languageFor(locale)
  const text = (locale: string, given: unknown, ...values: readonly unknown[]): string => {
    const [language = locale] = locale.split('-')
    if (isWording(given))
      return sayWording(given, {
        translate: sentence => sentenceIn(locale, sentence) ?? sentenceIn(language, sentence) ?? sentence,
        pick: local => pick(local, locale),
      })
    const key = isRecord(given) ? pick(given as LocalText, locale) : String(given)
    const found = translate(languageFor(locale), key) ?? translate(languageFor(language), key) ?? key
    return found.replace(/\{(\d)\}/g, (whole, at: string) =>
      Number(at) < values.length ? String(values[Number(at)]) : whole,
    )
  }
  const all = (locale: string): Texts => {
    const [language = locale] = locale.split('-')
    return { ...languageFor(language)?.texts, ...languageFor(locale)?.texts }
  }
  return Object.assign(text, { all })
}

/** Files by the language in their names, those that take precedence last. */
function filesByLocale(folders: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>()
  for (const folder of folders.toReversed())
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const locale = FILE.exec(name)?.groups?.locale
      if (locale) files.set(locale, [...(files.get(locale) ?? []), join(folder, name)])
    }
  return files
}

/** Returns all errors in files of translations. */
export function textProblems(folders: readonly string[]): readonly TemplateProblem[] {
  try {
    loadTexts(folders)
    return []
  } catch (error) {
    const problems = problemsOf(error)
    if (!problems) throw error
    return problems
  }
}

const languageOf = (texts: Texts): Language => ({
  texts,
  patterns: Object.keys(texts)
    .filter(key => PLACEHOLDER.test(key) && /\p{L}/u.test(wordsOf(key)))
    .sort((a, b) => wordsOf(b).length - wordsOf(a).length)
    .map(key => ({ expression: expressionOf(key), translation: texts[key] ?? '' })),
})

/** What a pattern says itself: `There is no .` */
const wordsOf = (key: string): string => key.replaceAll(/\{[a-z]\w*\}/gi, '')

/** `There is no {what}.` → `^There is no (?<what>.+?)\.$` */
function expressionOf(key: string): RegExp {
  const parts = key.split(new RegExp(PLACEHOLDER, 'gi'))
  const names = parts.filter((_, at) => at % 2 === 1)
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const hole = (name: string, at: number) => (names.indexOf(name) === (at - 1) / 2 ? `(?<${name}>.+?)` : `\\k<${name}>`)
  return new RegExp(`^${parts.map((part, at) => (at % 2 === 1 ? hole(part, at) : literal(part))).join('')}$`)
}

function translate(language: Language | undefined, text: string): string | undefined {
  if (!language) return undefined
  const exact = ownText(language.texts, text)
  if (exact !== undefined || text.length > MAX_MATCHED_LENGTH) return exact
  for (const { expression, translation } of language.patterns) {
    const values = expression.exec(text)?.groups
    if (values)
      return translation.replace(new RegExp(PLACEHOLDER, 'gi'), (placeholder, name: string) => {
        const value = values[name]
        return value === undefined ? placeholder : (ownText(language.texts, value) ?? value)
      })
  }
  return undefined
}

const ownText = (texts: Texts, key: string): string | undefined => (Object.hasOwn(texts, key) ? texts[key] : undefined)

function readTexts(file: string): Texts {
  let values: unknown
  try {
    const text = readTemplate(file)
    values = file.endsWith('.json') ? JSON.parse(text) : (parse(text, { maxAliasCount: 0 }) ?? {})
  } catch (error) {
    throw refused(file, 1, (error as Error).message.split('\n')[0] as string)
  }
  if (!isRecord(values) || Object.values(values).some(text => typeof text !== 'string'))
    throw refused(file, 1, 'this file must map each text to its translation: "Sign in": Anmelden')
  return values as Texts
}
