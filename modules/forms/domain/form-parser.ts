/** Parses posted fields into an entry, and formats default values for fields. Pure. */
import { isBlank, Problem, plainNumber } from '@larder-dev/larder/kernel'
import { isExactNumber, parseJson } from '@larder-dev/larder/kernel/internal'
import type { Field, FieldGroup, FieldNode } from './field-model.ts'

/** Field name → text, as posted by a browser. */
export type PostedFields = Readonly<Record<string, string>>

/** Each checkbox has its own name, because only the last of two fields with one name is kept. */
export const checkboxName = (field: Field, index: number): string => `${index}:${field.pointer}`

/** Leaves out empty fields. An unchecked checkbox is false. */
export const parseEntry = (model: FieldGroup, posted: PostedFields): Record<string, unknown> =>
  parseGroup(model, posted).value

function parseGroup(group: FieldGroup, posted: PostedFields): { value: Record<string, unknown>; present: boolean } {
  let present = group.required
  const entries = group.children.flatMap((node): [string, unknown][] => {
    if (node.kind === 'group') {
      const inner = parseGroup(node, posted)
      present ||= inner.present
      return inner.present ? [[node.key, inner.value]] : []
    }
    const value = parseField(node, posted)
    // An unchecked checkbox alone doesn't make an optional group present.
    present ||= value !== undefined && value !== false
    return value === undefined ? [] : [[node.key, value]]
  })
  return { value: Object.fromEntries(entries), present }
}

function parseField(field: Field, posted: PostedFields): unknown {
  if (field.valueFormat === 'boolean') return posted[field.pointer] !== undefined
  if (field.valueFormat === 'choices') {
    const checked = field.choices.filter((_, index) => posted[checkboxName(field, index)] !== undefined)
    return checked.length > 0 || field.required ? checked.map(({ value }) => value) : undefined
  }
  const text = (posted[field.pointer] ?? '').replaceAll('\r\n', '\n')
  return isBlank(text) ? undefined : parseText(field, text)
}

/** No two parts match the same digits: the time would grow with the square of their number. */
const NUMBER = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d{1,3})?\s*$/i

const WHOLE_STEP = /^\d+$/

/** Invalid text stays text, so that validation against the schema reports it. */
function parseText({ valueFormat, widget, type, choices, attributes }: Field, text: string): unknown {
  switch (valueFormat) {
    case 'number': {
      const isClear = plainNumber(text, false, WHOLE_STEP.test(attributes.step)) !== undefined
      return isClear && NUMBER.test(text) && isExactNumber(text.trim()) ? Number(text) : text
    }
    case 'choice':
      return /^\d{1,5}$/.test(text) && choices[Number(text)] ? choices[Number(text)]?.value : text
    case 'lines':
      return text
        .split('\n')
        .map(line => line.trim())
        .filter(Boolean)
    case 'json':
      return parseJsonText(text)
    case 'date-time':
      return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) ? `${text}${text.length === 16 ? ':00' : ''}Z` : text
    case 'time':
      return /^\d\d:\d\d(:\d\d)?$/.test(text) ? `${text}${text.length === 5 ? ':00' : ''}Z` : text
    default:
      return widget === 'input' && type !== 'text' ? text.trim() : text
  }
}

/** Applies the same limits as to request bodies. */
function parseJsonText(text: string): unknown {
  try {
    return parseJson(Buffer.from(text))
  } catch (error) {
    if (!Problem.is(error)) throw error
    return text
  }
}

/** The schema's default values as field texts. */
export function defaultFields(node: FieldNode): Record<string, string> {
  if (node.kind === 'group') return Object.assign({}, ...node.children.map(defaultFields))
  const { defaultValue, valueFormat, choices, pointer } = node
  if (defaultValue === undefined || defaultValue === null) return {}
  const isChosen = (value: unknown) => JSON.stringify(value) === JSON.stringify(defaultValue)
  if (valueFormat === 'boolean') return defaultValue === true ? { [pointer]: 'true' } : {}
  if (valueFormat === 'choice') {
    const index = choices.findIndex(({ value }) => isChosen(value))
    return index < 0 ? {} : { [pointer]: String(index) }
  }
  if (valueFormat === 'choices') {
    const wanted = Array.isArray(defaultValue) ? defaultValue : []
    const checked = choices.flatMap(({ value }, index) => (wanted.includes(value) ? [index] : []))
    return Object.fromEntries(checked.map(index => [checkboxName(node, index), 'true']))
  }
  return { [pointer]: formatText(node, defaultValue) }
}

function formatText({ valueFormat }: Field, value: unknown): string {
  if (valueFormat === 'lines' && Array.isArray(value)) return value.join('\n')
  if (valueFormat === 'date-time' || valueFormat === 'time') return String(value).replace(/(:00)?(\.\d+)?Z$/i, '')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
