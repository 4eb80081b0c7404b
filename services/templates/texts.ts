/**
 * `{{text 'Sign in'}}`: the English text is its own key. The file `de.yaml` of a theme's or a module's `locales/` maps it
 * to German; a text without a translation appears in English.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isFields } from 'larder/kernel'
import { parse } from 'yaml'
import { type Helper, placesOf, type TemplateProblem } from './engine.ts'
import { readTemplate, refused } from './theme-file.ts'

type Texts = Readonly<Record<string, string>>

/** A text with named placeholders, `No {what} has this ID.`: matches whatever replaces them. */
interface Sentence {
  readonly shape: RegExp
  readonly other: string
}
interface Language {
  readonly texts: Texts
  /** The longest first: the most particular one counts. */
  readonly sentences: readonly Sentence[]
}

const PLACEHOLDER = /\{([a-z]\w*)\}/i
/** Characters of a text that sentences are looked at for: no problem has more. */
const LONGEST = 500

/**
 * Reads `<language>.yaml` of each folder: English text → translation. Throws a TemplateError.
 * @param folders in order of precedence: where two folders translate a text, the first one counts.
 * @param spoken languages of the product. Files of other languages are skipped, because parsing them slows the start.
 */
export function loadTexts(folders: readonly string[], spoken?: readonly string[]): Helper {
  const wanted = spoken && new Set(spoken.flatMap(locale => [locale, locale.split('-')[0]]))
  const read = new Map<string, Texts>()
  for (const folder of folders.toReversed())
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      if (name.endsWith('.yaml')) {
        const locale = name.slice(0, -'.yaml'.length)
        if (wanted?.has(locale) === false) continue
        read.set(locale, { ...read.get(locale), ...readTexts(join(folder, name)) })
      }
  const known = new Map([...read].map(([locale, texts]) => [locale, languageOf(texts)]))
  return (locale, text, ...values) => {
    const key = String(text)
    const [language = locale] = locale.split('-')
    const found = said(known.get(locale), key) ?? said(known.get(language), key) ?? key
    return found.replace(/\{(\d)\}/g, (whole, at: string) =>
      Number(at) < values.length ? String(values[Number(at)]) : whole,
    )
  }
}

/** Mistakes in files of translations; empty when all are valid. */
export function textProblems(folders: readonly string[]): readonly TemplateProblem[] {
  try {
    loadTexts(folders)
    return []
  } catch (error) {
    const problems = placesOf(error)
    if (!problems) throw error
    return problems
  }
}

const languageOf = (texts: Texts): Language => ({
  texts,
  sentences: Object.keys(texts)
    .filter(key => PLACEHOLDER.test(key))
    .sort((a, b) => b.length - a.length)
    .map(key => ({ shape: shapeOf(key), other: texts[key] ?? '' })),
})

/** `There is no {what}.` → `^There is no (?<what>.+?)\.$` */
function shapeOf(key: string): RegExp {
  const parts = key.split(new RegExp(PLACEHOLDER, 'gi'))
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${parts.map((part, at) => (at % 2 === 1 ? `(?<${part}>.+?)` : literal(part))).join('')}$`)
}

function said(language: Language | undefined, text: string): string | undefined {
  if (!language) return undefined
  const exact = own(language.texts, text)
  if (exact !== undefined || text.length > LONGEST) return exact
  for (const { shape, other } of language.sentences) {
    const filled = shape.exec(text)?.groups
    if (filled)
      return other.replace(new RegExp(PLACEHOLDER, 'gi'), (whole, name: string) => {
        const value = filled[name]
        return value === undefined ? whole : (own(language.texts, value) ?? value)
      })
  }
  return undefined
}

const own = (texts: Texts, key: string): string | undefined => (Object.hasOwn(texts, key) ? texts[key] : undefined)

function readTexts(file: string): Texts {
  let values: unknown
  try {
    values = parse(readTemplate(file), { maxAliasCount: 0 }) ?? {}
  } catch (error) {
    throw refused(file, 1, (error as Error).message.split('\n')[0] as string)
  }
  if (!isFields(values) || Object.values(values).some(text => typeof text !== 'string'))
    throw refused(file, 1, 'this file maps each text to its translation: "Sign in": Anmelden')
  return values as Texts
}
