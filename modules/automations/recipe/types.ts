/** What schemas say about values: the fields at a path, and whether a value fits where it is written. Pure. */
import { didYouMean, isRecord } from '@larder-dev/larder/kernel'
import { formatList } from '@larder-dev/larder/kernel/internal'

export type Schema = Readonly<Record<string, unknown>>

export interface Mistake {
  readonly path: readonly (string | number)[]
  readonly code: string
  readonly message: string
  readonly hint?: string
  /** Where the path ends: at the value, or at its key. */
  readonly at?: 'key'
  readonly severity?: 'warning'
}

/** Anything: nothing is known about the value. */
export const ANY: Schema = {}

/** The schema without null. */
export function withoutNull(schema: Schema): Schema {
  const options = optionsOf(schema)
  if (!options) return schema
  const left = options.filter(each => each.type !== 'null')
  return left.length === 1 ? (left[0] as Schema) : { ...schema, anyOf: left }
}
const optionsOf = ({ anyOf, oneOf }: Schema): readonly Schema[] | undefined =>
  (anyOf ?? oneOf) as readonly Schema[] | undefined

/** The schema of the value at a path, or the mistake in the path. */
export function schemaAt(schema: Schema, path: readonly string[], written: string): Schema | Omit<Mistake, 'path'> {
  let at = schema
  for (const [index, step] of path.entries()) {
    at = withoutNull(at)
    const before = path.slice(0, index).join('.')
    const properties = at.properties as Readonly<Record<string, Schema>> | undefined
    if (properties && Object.hasOwn(properties, step)) at = properties[step] as Schema
    else if (at.type === 'array' || Array.isArray(at.items))
      at = /^\d+$/.test(step)
        ? ((at.items ?? ANY) as Schema)
        : at.type === 'array'
          ? missing(written, before, 'list')
          : ANY
    else if (properties && at.additionalProperties !== true && !isRecord(at.additionalProperties)) {
      const known = Object.keys(properties)
      if (index === 1 && path[0] === 'steps')
        return {
          code: 'unknown_step',
          message: `No earlier step has the name "${step}"`,
          hint: didYouMean(step, known) ?? `Name a step before this one, with as: ${step}`,
        }
      return {
        code: index === 0 ? 'unknown_value' : 'unknown_field',
        message: index === 0 ? `There is no value ${written} here` : `${before} has no field "${step}"`,
        hint: didYouMean(step, known) ?? `It has ${formatList(known)}`,
      }
    } else if (isRecord(at.additionalProperties)) at = at.additionalProperties
    else if (typeof at.type === 'string' && at.type !== 'object')
      return { code: 'unknown_field', message: `${before} is ${nameOf(at)}, which has no fields` }
    else return ANY
    if ('code' in at && 'message' in at) return at as unknown as Omit<Mistake, 'path'>
  }
  return at
}
const missing = (written: string, before: string, what: string): Schema => ({
  code: 'unknown_field',
  message: `${before} is a ${what}, which has no fields: ${written}`,
})

export const isMistake = (found: Schema | Omit<Mistake, 'path'>): found is Omit<Mistake, 'path'> =>
  typeof found.code === 'string' && typeof found.message === 'string'

const NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
}

const FORMATS: Readonly<Record<string, string>> = { date: 'a date', 'date-time': 'a date with a time' }

/** `a text`, `one of open, solved`. */
export function nameOf(schema: Schema): string {
  if (Array.isArray(schema.enum)) return `one of ${formatList(schema.enum.map(String))}`
  if (typeof schema.format === 'string' && FORMATS[schema.format]) return String(FORMATS[schema.format])
  const types = typesOf(schema) ?? []
  return types.map(type => NAMES[type] ?? type).join(' or ') || 'a value'
}

/** The JSON types of a schema, without null; undefined for any. */
export function typesOf(schema: Schema): readonly string[] | undefined {
  const options = optionsOf(schema)
  if (options) {
    const all = options.map(typesOf)
    return all.some(types => types === undefined) ? undefined : [...new Set(all.flatMap(types => types ?? []))]
  }
  if (Array.isArray(schema.enum)) return [...new Set(schema.enum.map(typeOf))]
  if ('const' in schema) return [typeOf(schema.const)]
  if (schema.type === undefined) return schema.properties ? ['object'] : undefined
  return [schema.type].flat().filter((type): type is string => type !== 'null')
}

export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

/** Whether a value of one schema can be written where the other one is expected. */
export function fits(value: Schema, expected: Schema): boolean {
  const [from, to] = [typesOf(value), typesOf(expected)]
  if (!from || !to || from.length === 0) return true
  const accepts = (type: string) => to.includes(type) || (type === 'integer' && to.includes('number'))
  if (!from.some(accepts)) return false
  const [format, wanted] = [withoutNull(value).format, withoutNull(expected).format]
  if (isDay(format) && isDay(wanted) && format !== wanted) return false
  const [given, known] = [value.enum, expected.enum]
  return !(Array.isArray(given) && Array.isArray(known)) || given.some(word => known.includes(word))
}

const isDay = (format: unknown): boolean => format === 'date' || format === 'date-time'

const canBeTime = (text: string) => !Number.isNaN(Date.parse(text))
/** Texts of a format, with an example. */
const WRITTEN: Readonly<Record<string, readonly [fits: (text: string) => boolean, example: string]>> = {
  date: [text => /^\d{4}-\d\d-\d\d$/.test(text) && canBeTime(text), '2026-01-31'],
  'date-time': [text => /^\d{4}-\d\d-\d\dT/.test(text) && canBeTime(text), '2026-01-31T09:00:00Z'],
  email: [text => /^[^\s@]+@[^\s@]+$/.test(text), 'ada@example.com'],
  uri: [text => URL.canParse(text), 'https://example.com/'],
}

/** The mistake in a value that the recipe writes out; undefined if it fits. */
export function literalMistake(value: unknown, expected: Schema): Pick<Mistake, 'message' | 'hint'> | undefined {
  const schema = withoutNull(expected)
  if (value === null) return undefined
  const options = optionsOf(schema)
  if (options) {
    const mistakes = options.map(each => literalMistake(value, each))
    return mistakes.some(each => each === undefined) ? undefined : mistakes[0]
  }
  const types = typesOf(schema)
  const type = typeOf(value)
  if (types && !types.includes(type) && !(type === 'integer' && types.includes('number')))
    return { message: `must be ${nameOf(schema)}` }
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) {
    const hint = typeof value === 'string' ? didYouMean(value, schema.enum.map(String)) : undefined
    return { message: `must be ${nameOf(schema)}`, ...(hint && { hint }) }
  }
  const { minLength, maxLength, minimum, maximum, pattern } = schema as Readonly<Record<string, number>> & {
    pattern?: string
  }
  if (typeof value === 'string') {
    const [fits, example] = (typeof schema.format === 'string' && WRITTEN[schema.format]) || []
    if (fits && !fits(value)) return { message: `must be like ${example}` }
    if (minLength !== undefined && value.length < minLength)
      return { message: `must have at least ${minLength} characters` }
    if (maxLength !== undefined && value.length > maxLength)
      return { message: `must have at most ${maxLength} characters` }
    if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return { message: `must match ${pattern}` }
  }
  if (typeof value === 'number') {
    if (minimum !== undefined && value < minimum) return { message: `must be at least ${minimum}` }
    if (maximum !== undefined && value > maximum) return { message: `must be at most ${maximum}` }
  }
  return undefined
}
