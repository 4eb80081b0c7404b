/** Converts entries into rows of a CSV table. Pure. */
import { isRecord } from '@larder-dev/larder/kernel'
import { createFieldModel, type FieldGroup, type FieldNode } from './field-model.ts'
import type { Json } from './schema-traversal.ts'

/** Path of a value in an entry. */
export type Column = readonly string[]

/** One column per field of any version, in the order of the newest. */
function columnsOf(models: readonly FieldGroup[]): Column[] {
  const found = new Map<string, Column>()
  for (const model of models)
    for (const column of fieldPaths(model, [])) {
      const name = JSON.stringify(column)
      if (!found.has(name)) found.set(name, column)
    }
  return [...found.values()]
}

const fieldPaths = (node: FieldNode, path: Column): Column[] =>
  node.kind === 'field'
    ? [[...path, node.key]]
    : node.children.flatMap(child => fieldPaths(child, node.key === '' ? path : [...path, node.key]))

export const columnsOfVersions = (schemas: readonly Json[]): Column[] =>
  columnsOf(schemas.map(schema => createFieldModel(schema, null)))

/** The last column. */
const REST = 'other'

/**
 * Each column has a name of its own: a question `id` is `id (2)`, as is the second of two with one name.
 * @param own columns of a submission, before those of its answers.
 */
export function headerOf(own: readonly string[], columns: readonly Column[]): string[] {
  const taken = new Set([...own, REST])
  const names = columns.map(path => {
    const name = path.join('.')
    let free = name
    for (let count = 2; taken.has(free); count++) free = `${name} (${count})`
    taken.add(free)
    return escapeFormula(free)
  })
  return [...own, ...names, REST]
}

/** The cells of the columns, and one cell with the remaining values as JSON, or empty. */
export function toCells(data: unknown, columns: readonly Column[]): string[] {
  const rest = structuredClone(data)
  const cells = columns.map(column => escapeFormula(take(rest, column)))
  const left = withoutEmptyObjects(rest)
  return [...cells, left === undefined ? '' : JSON.stringify(left)]
}

/** Removes and returns a value. */
function take(data: unknown, [key, ...below]: Column): unknown {
  if (key === undefined || !isRecord(data) || !Object.hasOwn(data, key)) return undefined
  if (below.length > 0) return take(data[key], below)
  const value = data[key]
  delete (data as Record<string, unknown>)[key]
  return value
}

/** Removes empty objects; undefined if nothing remains. */
function withoutEmptyObjects(data: unknown): unknown {
  if (!isRecord(data)) return data
  const kept = Object.entries(data).flatMap(([key, value]) => {
    const inner = withoutEmptyObjects(value)
    return inner === undefined ? [] : [[key, inner] as const]
  })
  return kept.length > 0 ? Object.fromEntries(kept) : undefined
}

/** Spreadsheets recognize a formula after a tab, a line break or spaces, too. */
const FORMULA = /^\s*[=+\-@|＝＋－＠]|^[\t\r\n]/

/**
 * Keeps spreadsheets from running a cell: text that begins like a formula gets a leading apostrophe. Numbers are unchanged.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
export function escapeFormula(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value instanceof Date) return value.toISOString()
  const text = typeof value === 'string' ? value : isPlainList(value) ? value.join('; ') : JSON.stringify(value)
  return FORMULA.test(text) ? `'${text}` : text
}

const isPlainList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.every(item => typeof item !== 'object')
