/** Checks the keys, indexes, periods and the capacity of a collection. */
import { conditionErrors, UNKNOWN_CALLER } from '../domain/conditions/condition-validation.ts'
import type { Collection, Field, UniqueKey } from '../domain/declarations/collection.ts'
import type { DeclaredCollection } from '../domain/declarations/declaration.ts'
import { KEY_OPERATORS } from '../domain/tables/key-condition.ts'
import { type Known, type Path, type Report, suggest } from './report.ts'

export function validateKeys(
  collection: Collection,
  declared: DeclaredCollection,
  known: Pick<Known, 'collections'>,
  report: Report,
): void {
  validateUnique(collection, declared, known, report)
  validateIndexes(collection, report)
  validatePeriods(collection, report)
  validateCapacity(collection, known, report)
}

const isKey = ({ type, reference }: Field): boolean =>
  !['json', 'longtext', 'markdown', 'file', 'computed'].includes(type) && !reference?.many

/** Reports the parts that can't be in a key. @param what `a unique key`. */
function validateParts(
  { name, fields }: Collection,
  key: readonly string[],
  path: Path,
  what: string,
  report: Report,
  isPart = isKey,
): void {
  const fitting = [...fields.values()].filter(isPart).map(field => field.name)
  for (const [position, part] of key.entries()) {
    const field = fields.get(part)
    if (!field)
      report(
        [...path, position],
        'unknown_field',
        `Unknown field "${part}" in ${name}`,
        suggest(part, fitting, 'Fields'),
      )
    else if (!isPart(field)) report([...path, position], 'invalid_option', `Field "${part}" can't be part of ${what}`)
  }
}

function validateUnique(
  collection: Collection,
  { unique = [] }: DeclaredCollection,
  known: Pick<Known, 'collections'>,
  report: Report,
): void {
  const seen = new Set<string>()
  for (const [index, key] of collection.unique.entries()) {
    const path = [collection.name, 'unique', ...(Array.isArray(unique) ? [index] : [])]
    validateParts(collection, key.fields, key.where ? [...path, 'fields'] : path, 'a unique key', report)
    validateWhere(collection, key, [...path, 'where'], known, report, 'a unique key')
    const id = JSON.stringify([[...key.fields].sort(), key.where])
    if (seen.has(id)) report(path, 'duplicate_name', 'The same unique key is declared twice', 'Remove one')
    seen.add(id)
  }
}

/** PostgreSQL evaluates the condition when a row is written, so it reads that row only, and compares it with constants. */
function validateWhere(
  collection: Collection,
  { where = {} }: UniqueKey,
  path: Path,
  { collections }: Pick<Known, 'collections'>,
  report: Report,
  /** `a unique key`. */
  what: string,
): void {
  const fitting = [...collection.fields.values()].filter(isKey).map(field => field.name)
  for (const [name, operators] of Object.entries(where)) {
    const field = collection.fields.get(name)
    if (!field || !isKey(field)) {
      const message = field
        ? `Field "${name}" can't be in the condition of ${what}`
        : `Unknown field "${name}" in ${collection.name}`
      const hint = name.includes('.') ? 'Use fields of the row itself' : suggest(name, fitting, 'Fields')
      report([...path, name], field ? 'invalid_condition' : 'unknown_field', message, hint, 'key')
      continue
    }
    const errors = conditionErrors({ [name]: operators }, collection, collections, UNKNOWN_CALLER)
    for (const error of errors)
      report([...path, ...error.path], error.code, error.message, error.hint, error.path.length === 1 ? 'key' : 'value')
    if (errors.length > 0) continue
    if (typeof operators === 'object')
      for (const operator of Object.keys(operators))
        if (!KEY_OPERATORS.some(other => other === operator))
          report(
            [...path, name, operator],
            'invalid_condition',
            `Operator ${operator} can't be used in the condition of ${what}`,
            `Operators: ${KEY_OPERATORS.join(', ')}`,
            'key',
          )
    const operands = typeof operators === 'object' ? Object.values(operators).flat() : [operators]
    const variable = operands.find(operand => typeof operand === 'string' && operand.startsWith('$'))
    if (variable !== undefined)
      report(
        [...path, name],
        'invalid_condition',
        `The condition of ${what} can't use ${variable}`,
        'Use a constant value',
      )
  }
}

function validateIndexes(collection: Collection, report: Report): void {
  const seen = new Set<string>()
  for (const [index, key] of collection.index.entries()) {
    const path = [collection.name, 'index', index]
    validateParts(collection, key, path, 'an index', report, field => isKey(field) || field.type === 'computed')
    const id = key.join(' ')
    if (seen.has(id)) report(path, 'duplicate_name', 'The same index is declared twice', 'Remove one')
    seen.add(id)
  }
}

const TIMES: readonly Field['type'][] = ['date', 'datetime']

function validatePeriods(collection: Collection, report: Report): void {
  const { name, fields, noOverlap } = collection
  if (!noOverlap) return
  const { by, from, to } = noOverlap
  const path = [name, 'noOverlap']
  const times = [...fields.values()].filter(({ type }) => TIMES.includes(type)).map(field => field.name)
  for (const [option, part] of [
    ['from', from],
    ['to', to],
  ] as const) {
    const field = fields.get(part)
    if (!field)
      report(
        [...path, option],
        'unknown_field',
        `Unknown field "${part}" in ${name}`,
        suggest(part, times, 'Dates and times'),
      )
    else if (!TIMES.includes(field.type))
      report(
        [...path, option],
        'invalid_option',
        `Field "${part}" has no date or time`,
        suggest('', times, 'Dates and times'),
      )
  }
  const [start, end] = [fields.get(from), fields.get(to)]
  if (from === to)
    report(
      [...path, 'to'],
      'invalid_option',
      'A period begins and ends with the same field',
      'Name the field with the end',
    )
  else if (start && end && TIMES.includes(start.type) && TIMES.includes(end.type) && start.type !== end.type)
    report(
      [...path, 'to'],
      'invalid_option',
      `"${from}" is of type ${start.type}, and "${to}" of type ${end.type}`,
      'Give both the same type',
    )
  validateParts(
    collection,
    by,
    [...path, 'by'],
    'a calendar',
    report,
    field => isKey(field) && !TIMES.includes(field.type),
  )
}

const NUMBERS: readonly (Field['type'] | undefined)[] = ['integer', 'number']
const isNumber = ({ type, computed }: Field): boolean => NUMBERS.includes(type === 'computed' ? computed?.of : type)

function validateCapacity(collection: Collection, known: Pick<Known, 'collections'>, report: Report): void {
  const { name, fields, scope, capacity } = collection
  if (!capacity) return
  const { of, max, key } = capacity
  const path = [name, 'capacity']
  validateWhere(collection, key, [...path, 'where'], known, report, 'a capacity')
  const single = [...fields.values()].filter(({ reference }) => reference && !reference.many).map(field => field.name)
  const field = fields.get(of)
  if (!field?.reference || field.reference.many) {
    const [code, message] = !field
      ? ['unknown_field', `Unknown field "${of}" in ${name}`]
      : ['invalid_option', `Field "${of}" ${field.reference ? 'refers to many rows' : 'is no reference'}`]
    report([...path, 'of'], code, message, suggest(of, single, 'References to one row'))
    return
  }
  const target = known.collections.get(field.reference.to)
  if (!target) return
  // Row level security hides the rows of other workspaces, so nobody could count them.
  if (target.scope !== scope)
    report(
      [...path, 'of'],
      'invalid_option',
      `Rows of ${target.name} are shared, and each workspace has its own rows of ${name}, which nobody counts together`,
      'Share the rows of both, or of none; in a product of people (audience: people), all rows belong to one workspace',
    )
  if (typeof max === 'number') return
  const numbers = [...target.fields.values()].filter(isNumber).map(other => `${of}.${other.name}`)
  const [reference, number = '', ...more] = max.split('.')
  const found = reference === of && more.length === 0 ? target.fields.get(number) : undefined
  if (!found)
    report(
      [...path, 'max'],
      'unknown_field',
      `No number field of ${target.name} is "${max}"`,
      suggest(max, numbers, 'Numbers'),
    )
  else if (!isNumber(found))
    report(
      [...path, 'max'],
      'invalid_option',
      `Field "${number}" of ${target.name} is no number`,
      suggest('', numbers, 'Numbers'),
    )
}
