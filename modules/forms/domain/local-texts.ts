/** Texts of forms: a title, for example, is one text, or one per language as `{ en: Email, de: E-Mail }`. Pure. */
import { isRecord, LOCALE_PATTERN, type LocalText, pickText, wording } from '@larder-dev/larder/kernel'
import type { SchemaError } from './schema-error.ts'
import { allSubschemas, type Json, type Path } from './schema-traversal.ts'

/** Where a schema or uiSchema has a text, or one per language. */
interface TextPlace {
  readonly holder: Record<string | number, unknown>
  readonly key: string | number
  readonly path: Path
}
type FindTexts = (root: Json) => readonly TextPlace[]

const LOCALE = new RegExp(LOCALE_PATTERN)
const SCHEMA_TEXTS = ['title', 'description']
const UI_TEXTS = ['ui:title', 'ui:description', 'ui:help', 'ui:placeholder']

const placesIn = (holder: object, keys: readonly (string | number)[], path: Path): TextPlace[] =>
  keys.map(key => ({ holder: holder as TextPlace['holder'], key, path: [...path, key] }))

export const schemaTexts: FindTexts = root =>
  allSubschemas({ schema: root, path: [] }).flatMap(({ schema, path }) => placesIn(schema, SCHEMA_TEXTS, path))

export const uiTexts: FindTexts = root => uiTextsAt(root, [])

function uiTextsAt(ui: Json, path: Path): TextPlace[] {
  const { 'ui:enumNames': names, 'ui:submitButtonOptions': button } = ui
  return [
    ...placesIn(ui, UI_TEXTS, path),
    ...(Array.isArray(names) ? placesIn(names, [...names.keys()], [...path, 'ui:enumNames']) : []),
    ...(isRecord(button) ? placesIn(button, ['submitText'], [...path, 'ui:submitButtonOptions']) : []),
    ...Object.entries(ui).flatMap(([name, inner]) =>
      isRecord(inner) && !name.startsWith('ui:') ? uiTextsAt(inner, [...path, name]) : [],
    ),
  ]
}

/** The schema or uiSchema with plain texts in one language. */
export function inLanguage(root: Json, find: FindTexts, locale: string, defaultLocale: string): Json {
  const copy = structuredClone(root)
  for (const { holder, key } of find(copy)) {
    const text = holder[key]
    if (isRecord(text)) holder[key] = pickText(text as LocalText, locale, defaultLocale)
  }
  return copy
}

/** Errors of texts in several languages. JSON Schema itself describes the others. */
export const textErrors = (root: Json, find: FindTexts): SchemaError[] =>
  find(root).flatMap(({ holder, key, path }) => {
    const text = holder[key]
    if (!isRecord(text)) return []
    const entries = Object.entries(text)
    if (entries.length === 0)
      return [
        { path, code: 'wrong_type', detail: wording('must be a text, or one text per language, such as en and de') },
      ]
    return entries.flatMap(([locale, translation]) => {
      const at = [...path, locale]
      if (!LOCALE.test(locale))
        return [{ path: at, code: 'not_allowed', detail: wording('is not a language such as en or de') }]
      return typeof translation === 'string'
        ? []
        : [{ path: at, code: 'wrong_type', detail: wording('must be a text') }]
    })
  })

/** The paths of translations into other languages than those. */
export const unknownLanguages = (root: Json, find: FindTexts, available: readonly string[]): Path[] =>
  find(root).flatMap(({ holder, key, path }) => {
    const text = holder[key]
    const locales = isRecord(text) ? Object.keys(text) : []
    return locales.filter(locale => !available.includes(locale)).map(locale => [...path, locale])
  })
