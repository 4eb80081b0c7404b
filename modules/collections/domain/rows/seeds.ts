/** Rows of a recipe and of CSV files. Pure. */

import { createHash } from 'node:crypto'
import { type FieldError, Problem, placedWording, type Wording } from '@larder-dev/larder/kernel'
import { parseJson } from '@larder-dev/larder/kernel/internal'
import type { Collection, Field } from '../declarations/collection.ts'
import type { Creation } from '../fields/defaults.ts'
import { specOf } from '../fields/field-types.ts'
import { newValues, type Values } from './row-values.ts'

/** Separates the ids of a reference to several rows in a cell. */
const LIST_SEPARATOR = ';'
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** Characters of an id after its prefix and a first digit below 8. */
const ID_LENGTH = 25

/** The same in every database: the row keeps its id when its values change. */
export function seedId({ name, idPrefix }: Pick<Collection, 'name' | 'idPrefix'>, key: string): string {
  const digest = createHash('sha256').update(`${name}:${key}`).digest()
  const text = [...digest.subarray(0, ID_LENGTH)].map(byte => ALPHABET[byte & 31]).join('')
  return `${idPrefix}_0${text}`
}

/** The unique field by which a seed finds its row, and other seeds refer to it. */
export const naturalKey = ({ fields }: Collection): Field | undefined =>
  [...fields.values()].find(({ unique, type }) => unique && TEXTS.includes(type))
/** The one of rows in a recipe, which don't know their number. */
export const seedKey = ({ fields }: Collection): Field | undefined =>
  [...fields.values()].find(({ unique, type, sequence }) => unique && sequence === undefined && TEXTS.includes(type))
const TEXTS: readonly Field['type'][] = ['text', 'slug', 'email', 'url', 'enum']

/** The cells of a line of CSV as JSON values. An empty cell is a missing value. */
export function fromCells(collection: Collection, cells: Readonly<Record<string, string>>): Record<string, unknown> {
  const entries = Object.entries(cells).filter(([, cell]) => cell !== '')
  return Object.fromEntries(entries.map(([name, cell]) => [name, fromCell(collection.fields.get(name), cell)]))
}

export function fromCell(field: Field | undefined, cell: string): unknown {
  if (!field) return cell
  if (field.reference?.many) return cell.split(LIST_SEPARATOR).map(part => part.trim())
  if (field.type === 'json') return parsedJson(cell)
  if (field.type === 'boolean') return BOOLEANS.get(cell.toLowerCase()) ?? cell
  const { parse, fromColumn, toColumn } = specOf(field)
  const parsed = parse(cell)
  return parsed === undefined ? cell : fromColumn(toColumn(parsed))
}

/** Spreadsheets write the words of their language. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['wahr', true],
  ['falsch', false],
])

/**
 * The end of a sentence about a cell of JSON with a number that JavaScript would round. Text that isn't JSON is a
 * value.
 */
export function jsonError(cell: string): Wording | undefined {
  try {
    parseJson(Buffer.from(cell))
    return undefined
  } catch (error) {
    const [first] = (Problem.is(error) ? (error.extras.errors ?? []) : []) as FieldError[]
    return first && placedWording(first)
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export interface SeedError {
  /** Undefined for the row as a whole. */
  readonly field: string | undefined
  readonly message: string
}

/** Rows of a recipe are created by nobody, and checked without a time. */
export const NOBODY: Creation = { member: null, user: null, now: 0 }

/** References are not checked: they may name rows by their unique field. */
export function seedErrors(collection: Collection, row: Values): SeedError[] {
  const unknown = Object.keys(row).filter(name => !collection.fields.has(name))
  const references = [...collection.fields.values()].filter(({ reference }) => reference)
  const standIns = Object.fromEntries(references.map(({ name, reference }) => [name, reference?.many ? ['id'] : 'id']))
  const present = Object.keys(standIns).filter(name => row[name] !== undefined && row[name] !== null)
  const given = { ...row, ...Object.fromEntries(present.map(name => [name, standIns[name]])) }
  return [
    ...Object.keys(row).flatMap(name =>
      collection.fields.get(name)?.sequence === undefined
        ? []
        : [{ field: name, message: `"${name}" can't be set, because rows are numbered` }],
    ),
    ...unknown.map(name => ({ field: name, message: `Unknown field "${name}" in ${collection.name}` })),
    ...newValues(collection, given, NOBODY).errors.map(({ pointer, detail }) => {
      const field = pointer.split('/')[1]
      return { field: field !== undefined && field in row ? field : undefined, message: `"${field}" ${detail}` }
    }),
  ]
}
