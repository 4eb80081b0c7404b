/** What pages show beside the rows of a list: links that filter it, facts of each row, and how many there are. Pure. */
import { pickText } from '@larder-dev/larder/kernel'
import type { Collection, Collections, Field } from '../declarations/collection.ts'
import { rowLabel } from '../fields/field-lists.ts'
import { valueLabel } from '../fields/value-label.ts'

/** Visitors choose among few values. */
export const isChoice = ({ type, reference }: Field): boolean =>
  type === 'enum' || type === 'boolean' || (type === 'reference' && !reference?.many)

/** Values that fit into a line of a card. */
export const isFact = ({ type, reference }: Field): boolean =>
  FACT_TYPES.includes(type) || (type === 'reference' && !reference?.many)

const FACT_TYPES: readonly Field['type'][] = [
  'text',
  'email',
  'url',
  'integer',
  'number',
  'money',
  'boolean',
  'date',
  'datetime',
  'enum',
  'computed',
]

export interface Choice {
  /** As in the query of the page. */
  readonly value: string
  readonly label: string
}

/** The values of a field that isn't a reference. A boolean is one choice, its label. */
export const choicesOf = (field: Field, locale: string): readonly Choice[] =>
  field.type === 'boolean'
    ? [{ value: 'true', label: pickText(field.label, locale, 'en') }]
    : (field.values ?? []).map(value => ({ value, label: valueLabel(field, value, locale) }))

type Row = Readonly<Record<string, unknown>>
export interface Fact {
  readonly name: string
  readonly label: string
  /** `text`, `number`, `money`, `day` and `time` are formatted by the helpers of these names. */
  readonly kind: 'text' | 'number' | 'money' | 'day' | 'time'
  readonly value: string | number
  readonly currency: string | null
}

/** The facts of a row that have a value. References are expanded. */
export function factsOf(
  collections: Collections,
  collection: Collection,
  { names, row, locale }: { readonly names: readonly string[]; readonly row: Row; readonly locale: string },
): readonly Fact[] {
  return names.flatMap(name => {
    const field = collection.fields.get(name)
    const value = field && factValue(collections, field, row[name], locale)
    if (!field || value === undefined || value === '') return []
    const kind = kindOf(field)
    return [{ name, label: pickText(field.label, locale, 'en'), kind, value, currency: field.currency ?? null }]
  })
}

function factValue(collections: Collections, field: Field, value: unknown, locale: string): Fact['value'] | undefined {
  if (value === true) return pickText(field.label, locale, 'en')
  if (typeof value === 'object' && value !== null) {
    const target = collections.get(field.reference?.to ?? '')
    const name = target && (value as Row)[rowLabel(target)]
    return name === null || name === undefined ? undefined : String(name)
  }
  if (typeof value === 'string') return field.type === 'enum' ? valueLabel(field, value, locale) : value
  return typeof value === 'number' ? value : undefined
}

function kindOf({ type, computed }: Field): Fact['kind'] {
  const shown = computed?.of ?? type
  if (shown === 'datetime') return 'time'
  if (shown === 'date') return 'day'
  if (shown === 'money') return 'money'
  return shown === 'integer' || shown === 'number' ? 'number' : 'text'
}

/** The noun for this many rows, as inside a sentence: English nouns in lower case, `API key` unchanged. */
export function nounFor({ label, title }: Collection, count: number, locale: string): string {
  const noun = pickText(count === 1 ? label : title, locale, 'en')
  const isEnglish = locale === 'en' || locale.startsWith('en-')
  return isEnglish && /^[A-Z][a-z]/.test(noun) ? noun.charAt(0).toLowerCase() + noun.slice(1) : noun
}
