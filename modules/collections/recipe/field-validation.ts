import { didYouMean, formatSize, inEnglish } from '@larder-dev/larder/kernel'
import { isCurrency } from '@larder-dev/larder/kernel/internal'
import { type Collection, type Field, SIGNED_IN } from '../domain/declarations/collection.ts'
import type { DeclaredCollection, DeclaredField } from '../domain/declarations/declaration.ts'
import { DEFAULT_VARIABLES, defaultVariables } from '../domain/declarations/default-variables.ts'
import { MAX_INDEXED_LENGTH, MAX_LENGTH } from '../domain/declarations/normalize.ts'
import { reservedFieldReason } from '../domain/declarations/reserved.ts'
import { isFilled } from '../domain/fields/defaults.ts'
import { ExpressionError, type ExpressionType, parseExpression } from '../domain/fields/expression.ts'
import { EXPRESSION_TYPES, expressionType, readsTime } from '../domain/fields/expression-types.ts'
import { jsonSchemaError, jsonValueError } from '../domain/fields/json-schema.ts'
import { isMediaTypeOf } from '../domain/fields/media-types.ts'
import { linearPattern } from '../domain/fields/patterns.ts'
import { valueError } from '../domain/fields/value-validation.ts'
import { type Known, type Path, type Report, suggest, validateRole } from './report.ts'
import { validateStates } from './state-validation.ts'

/** Reports a problem of the field at a path below it. */
type FieldReport = (path: Path, code: string, message: string, hint?: string, at?: 'key' | 'value') => void

export function validateField(
  field: Field,
  { fields }: DeclaredCollection,
  collection: Collection,
  known: Known,
  report: Report,
): void {
  const { name } = field
  const declared = fields[name] as DeclaredField
  const reportField: FieldReport = (path, ...rest) => report([collection.name, 'fields', name, ...path], ...rest)
  const reserved = reservedFieldReason(name)
  if (reserved)
    reportField([], 'reserved_name', `A field can't be named "${name}": ${reserved}`, 'Choose another name', 'key')
  validateCombination(field, collection, reportField)
  if (field.type === 'file' && !known.files)
    reportField(['type'], 'missing_port', `"${name}" is a file, but no module stores files`, 'Add media: {} to modules')
  validateLengths(field, reportField)
  validateBounds(field, reportField)
  validateCurrency(field, reportField)
  validateLabels(field, reportField)
  validateStates(field, declared, known, reportField)
  validateFile(field, known.files, reportField)
  validatePattern(field, reportField)
  if (field.schema) validateSchema(field, reportField)
  if (field.from !== undefined) validateFrom(field, collection, reportField)
  if (field.computed) validateComputed(field, collection, reportField)
  if (field.using !== undefined) validateUsing(field, reportField)
  if (declared.default !== undefined && field.sequence === undefined)
    validateDefault(field, declared, collection, reportField)
  validateSequence(field, declared, collection, reportField)
  for (const list of ['read', 'write'] as const)
    for (const [index, role] of (declared[list] ?? []).entries())
      if (role !== SIGNED_IN || list !== 'read')
        validateRole(
          role,
          [collection.name, 'fields', name, list, index],
          'value',
          { ...known, words: list === 'read' ? [SIGNED_IN] : [] },
          report,
        )
}

function validateLabels({ name, values = [], valueLabels }: Field, report: FieldReport): void {
  for (const value of Object.keys(valueLabels))
    if (!values.includes(value))
      report(
        ['labels', value],
        'unknown_value',
        `"${value}" is not a value of "${name}"`,
        suggest(value, values, 'Values'),
        'key',
      )
}

function validateCombination(field: Field, { scope, name: collection, from }: Collection, report: FieldReport): void {
  const { name, type, reference, required, readOnly } = field
  if (type === 'member' && scope === 'shared')
    report(
      ['type'],
      'invalid_option',
      `${collection} is shared, and its rows belong to no workspace's members`,
      'Use scope: tenant, or another type',
    )
  if (reference?.many) {
    for (const option of ['unique', 'index', 'required'] as const)
      if (field[option])
        report(
          [option],
          'invalid_option',
          `A reference to several rows can't have ${option}`,
          `Remove ${option}`,
          'key',
        )
    if (name === 'history')
      report([], 'reserved_name', 'A reference to several rows can\'t be named "history"', 'Choose another name', 'key')
  }
  if (reference?.onDelete === 'clear' && required)
    report(['onDelete'], 'invalid_option', `"${name}" is required, so it can't be cleared`, 'Use restrict or cascade')
  // A hook of the module that declares the collection can set the value.
  if (required && readOnly && !isFilled(field) && type !== 'computed' && from === 'recipe')
    report(
      ['readOnly'],
      'invalid_option',
      `"${name}" is required, but nobody can write it`,
      'Add a default, or remove required',
      'key',
    )
}

function validateLengths(field: Field, report: FieldReport): void {
  const { type, minLength = 0, maxLength, unique, isIndexed } = field
  if (maxLength === undefined) return
  const limit = MAX_LENGTH[type]
  if (unique || isIndexed) {
    if (maxLength > MAX_INDEXED_LENGTH)
      report(
        ['maxLength'],
        'invalid_option',
        `A field with unique or index can have at most ${MAX_INDEXED_LENGTH} characters`,
        `Use at most ${MAX_INDEXED_LENGTH}`,
      )
  } else if (limit !== undefined && maxLength > limit)
    report(
      ['maxLength'],
      'invalid_option',
      `A field of type ${type} can have at most ${limit} characters`,
      type === 'text' ? 'Use type longtext' : `Use at most ${limit}`,
    )
  if (minLength > maxLength)
    report(
      ['minLength'],
      'invalid_option',
      `minLength ${minLength} is more than maxLength ${maxLength}`,
      'Exchange them',
    )
}

function validateBounds(field: Field, report: FieldReport): void {
  const free = { ...field, min: undefined, max: undefined }
  let valid = true
  for (const bound of ['min', 'max'] as const) {
    const error = field[bound] === undefined ? undefined : valueError(free, field[bound])
    if (error) report([bound], 'invalid_value', `${bound} ${inEnglish(error)}`)
    valid &&= error === undefined
  }
  if (valid && field.min !== undefined && field.max !== undefined && valueError({ ...free, max: field.max }, field.min))
    report(['min'], 'invalid_option', `min ${field.min} is more than max ${field.max}`, 'Exchange them')
}

function validateCurrency({ currency }: Field, report: FieldReport): void {
  if (currency !== undefined && !isCurrency(currency))
    report(
      ['currency'],
      'invalid_value',
      `"${currency}" is not a currency of ISO 4217`,
      didYouMean(currency, Intl.supportedValuesOf('currency')) ?? 'Use a code such as EUR',
    )
}

/** Reports files that no upload could provide. */
function validateFile({ accept = [], maxSize }: Field, files: Known['files'], report: FieldReport): void {
  const { types, maxBytes } = files ?? {}
  for (const [index, wanted] of accept.entries()) {
    if (types && !types.some(type => isMediaTypeOf(type, wanted)))
      report(
        ['accept', index],
        'invalid_option',
        `No upload can have the type ${wanted}, because the module that stores files doesn't allow it`,
        `Add ${wanted.endsWith('/*') ? 'a type of this kind' : wanted} to its option allow; allowed are ${types.join(', ')}`,
      )
  }
  if (maxSize !== undefined && maxBytes !== undefined && maxSize > maxBytes)
    report(
      ['maxSize'],
      'invalid_option',
      `maxSize is more than the ${formatSize(maxBytes)} that an upload can have`,
      `Use at most ${formatSize(maxBytes).replace(' ', '')}, or raise the option maxBytes of the module that stores files`,
    )
}

function validatePattern({ pattern }: Field, report: FieldReport): void {
  if (pattern === undefined) return
  try {
    linearPattern(pattern)
  } catch (error) {
    report(['pattern'], 'invalid_pattern', `The pattern ${error instanceof Error ? error.message : String(error)}`)
  }
}

function validateSchema({ schema, default: standard }: Field, report: FieldReport): void {
  const error = jsonSchemaError(schema ?? {})
  if (error) report(['schema'], 'invalid_schema', `The JSON Schema ${error}`)
  else if (standard !== undefined) {
    const mistake = jsonValueError(schema ?? {}, standard)
    if (mistake) report(['default'], 'invalid_value', `The default doesn't match the schema: ${mistake}`)
  }
}

function validateFrom({ name, from = '' }: Field, { fields, name: collection }: Collection, report: FieldReport): void {
  const texts = [...fields.values()].filter(({ type }) => type === 'text').map(field => field.name)
  const source = fields.get(from)
  if (!source)
    report(['from'], 'unknown_field', `Unknown field "${from}" in ${collection}`, suggest(from, texts, 'Text fields'))
  else if (source.type !== 'text')
    report(
      ['from'],
      'invalid_option',
      `"${name}" can't be made from "${from}", which is not a text`,
      suggest('', texts, 'Text fields'),
    )
  else if (source.sequence !== undefined)
    report(['from'], 'invalid_option', `"${name}" can't be made from "${from}", which is the number of the row`)
  else if (source.private) report(['from'], 'invalid_option', `"${name}" would reveal "${from}", which is private`)
}

function validateDefault(field: Field, declared: DeclaredField, collection: Collection, report: FieldReport): void {
  const { name, type, default: standard, defaultFrom, unique } = field
  if (defaultFrom) {
    if ('expression' in defaultFrom) validateDefaultExpression(field, defaultFrom.expression, collection, report)
    return
  }
  const variable = DEFAULT_VARIABLES.find(each => each === declared.default)
  if (variable && type !== 'json') {
    const types = TYPES_OF_VARIABLES.get(variable) ?? []
    report(
      ['default'],
      'invalid_value',
      `The default of "${name}" can't be ${variable}, because it is of type ${type}`,
      `Use type ${types.join(' or ')}, or default: { expression: "'${variable}'" } for this text`,
    )
    return
  }
  const error = valueError(field, standard)
  if (error) report(['default'], 'invalid_value', `The default of "${name}" ${inEnglish(error)}`)
  else if (unique)
    report(
      ['default'],
      'invalid_option',
      `"${name}" is unique, so only one row could have the default`,
      'Remove the default',
    )
}

const TYPES_OF_VARIABLES = new Map(
  DEFAULT_VARIABLES.map(variable => [
    variable,
    (['datetime', 'date', 'member', 'text'] as const).filter(type => defaultVariables(type).includes(variable)),
  ]),
)

function validateDefaultExpression(
  { name, type, private: hidden, readRoles }: Field,
  source: string,
  { fields, name: collection }: Collection,
  report: FieldReport,
): void {
  const path = ['default', 'expression']
  const wanted = EXPRESSION_TYPES[type]
  const typeOf = (other: string): ExpressionType => {
    const field = fields.get(other)
    if (!field)
      throw new Error(`Unknown field "${other}" in ${collection}. ${suggest(other, [...fields.keys()], 'Fields')}`)
    if (other === name) throw new Error(`"${name}" can't read itself`)
    if (field.type === 'computed' || field.sequence !== undefined || field.from !== undefined)
      throw new Error(`"${other}" has no value yet when the default is computed`)
    if (field.defaultFrom && 'expression' in field.defaultFrom)
      throw new Error(`The default of "${other}" is an expression too, and can't be used`)
    if ((field.private && !hidden) || (field.readRoles && !readRoles))
      throw new Error(`"${name}" would reveal "${other}", which not everyone may read`)
    const found = EXPRESSION_TYPES[field.type]
    if (!found) throw new Error(`A field of type ${field.type} can't be used in an expression: "${other}"`)
    return found
  }
  try {
    const found = expressionType(parseExpression(source), typeOf)
    if (wanted && found !== undefined && found !== wanted)
      report(path, 'invalid_expression', `The result is a ${found}, but "${name}" is of type ${type}`)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    report(path, 'invalid_expression', error.message, `At character ${error.offset + 1} of the expression`)
  }
}

/** Options that a number can't have: PostgreSQL makes it, and it stays. */
const NOT_NUMBERED = ['default', 'write', 'writeOnce', 'minLength', 'maxLength', 'pattern', 'using'] as const

function validateSequence(field: Field, declared: DeclaredField, { fields }: Collection, report: FieldReport): void {
  if (field.onUpdate && field.writeOnce)
    report(
      ['onUpdate'],
      'invalid_option',
      `"${field.name}" is written once, so no change can set it`,
      'Remove one',
      'key',
    )
  if (field.sequence === undefined) return
  for (const option of NOT_NUMBERED)
    if (declared[option] !== undefined)
      report([option], 'invalid_option', `A field with sequence can't have ${option}`, `Remove ${option}`, 'key')
  for (const option of ['required', 'unique', 'readOnly'] as const)
    if (declared[option] === false)
      report([option], 'invalid_option', `A field with sequence always has ${option}`, `Remove ${option}`, 'key')
  const [first] = [...fields.values()].filter(({ sequence }) => sequence !== undefined)
  if (first && first.name !== field.name)
    report(
      ['sequence'],
      'invalid_option',
      `Only one field can number the rows, and "${first.name}" does`,
      'Remove it',
      'key',
    )
}

/** The fields that it reads are those of the recipe that was applied before, so the plan checks them. */
function validateUsing({ name, type, using = '', reference }: Field, report: FieldReport): void {
  if (!EXPRESSION_TYPES[type] || reference)
    report(
      ['using'],
      'invalid_option',
      `The values of "${name}" can't be computed, because it is of type ${type}`,
      'Remove using',
      'key',
    )
  try {
    parseExpression(using)
    if (readsTime(parseExpression(using))) report(['using'], 'invalid_expression', "using can't read the time")
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    report(['using'], 'invalid_expression', error.message, `At character ${error.offset + 1} of the expression`)
  }
}

function validateComputed(
  { name, computed, private: hidden, readRoles }: Field,
  { fields, name: collection }: Collection,
  report: FieldReport,
): void {
  const { expression = '', of = 'text' } = computed ?? {}
  const path = ['expression']
  const typeOf = (other: string): ExpressionType => {
    const field = fields.get(other)
    if (!field)
      throw new Error(`Unknown field "${other}" in ${collection}. ${suggest(other, [...fields.keys()], 'Fields')}`)
    if (field.type === 'computed') throw new Error(`"${other}" is computed too, and can't be used`)
    if ((field.private && !hidden) || (field.readRoles && !readRoles))
      throw new Error(`"${name}" would reveal "${other}", which not everyone may read`)
    const type = EXPRESSION_TYPES[field.type]
    if (!type) throw new Error(`A field of type ${field.type} can't be used in an expression: "${other}"`)
    return type
  }
  try {
    const parsed = parseExpression(expression)
    if (readsTime(parsed))
      report(path, 'invalid_expression', "The database can't compute a field from the time", 'Use a default instead')
    const found = expressionType(parsed, typeOf)
    const wanted = of === 'integer' ? 'number' : of
    if (found !== undefined && found !== wanted)
      report(path, 'invalid_expression', `The result is a ${found}, but "${name}" is of ${of}`, `Write of: ${found}`)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    report(path, 'invalid_expression', error.message, `At character ${error.offset + 1} of the expression`)
  }
}
