/** Entries as rows of a table. Pure. */
import { isFields } from 'larder/kernel'
import { type Group, modelOf, type Node } from './field-model.ts'
import type { Json } from './schema-traversal.ts'

/** The way to a value of an entry. */
export type Column = readonly string[]

/** A column for each field that any of the versions has, in the order of the newest. */
function columnsOf(models: readonly Group[]): Column[] {
  const found = new Map<string, Column>()
  for (const model of models)
    for (const column of leafPaths(model, [])) {
      const name = JSON.stringify(column)
      if (!found.has(name)) found.set(name, column)
    }
  return [...found.values()]
}

const leafPaths = (node: Node, path: Column): Column[] =>
  node.kind === 'leaf'
    ? [[...path, node.key]]
    : node.children.flatMap(child => leafPaths(child, node.key === '' ? path : [...path, node.key]))

export const columnsOfSchemas = (schemas: readonly Json[]): Column[] =>
  columnsOf(schemas.map(schema => modelOf(schema, null)))

/** The cells of these columns, and as JSON what no column holds; empty where nothing is left. */
export function cellsOf(data: unknown, columns: readonly Column[]): string[] {
  const rest = structuredClone(data)
  const cells = columns.map(column => guarded(take(rest, column)))
  const left = prune(rest)
  return [...cells, left === undefined ? '' : JSON.stringify(left)]
}

/** Takes the value out. */
function take(data: unknown, [key, ...below]: Column): unknown {
  if (key === undefined || !isFields(data) || !Object.hasOwn(data, key)) return undefined
  if (below.length > 0) return take(data[key], below)
  const value = data[key]
  delete (data as Record<string, unknown>)[key]
  return value
}

/** Without objects that are empty now; undefined where nothing is left. */
function prune(data: unknown): unknown {
  if (!isFields(data)) return data
  const kept = Object.entries(data).flatMap(([key, value]) => {
    const inner = prune(value)
    return inner === undefined ? [] : [[key, inner] as const]
  })
  return kept.length > 0 ? Object.fromEntries(kept) : undefined
}

/** A tab, a line break and blanks before it do not stop a spreadsheet from taking a text for a formula. */
const FORMULA = /^\s*[=+\-@|＝＋－＠]|^[\t\r\n]/

/**
 * A cell that no spreadsheet runs: text that begins like a formula gets an apostrophe before it. Numbers stay numbers.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
export function guarded(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : isPlainList(value) ? value.join('; ') : JSON.stringify(value)
  return FORMULA.test(text) ? `'${text}` : text
}

const isPlainList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.every(item => typeof item !== 'object')
