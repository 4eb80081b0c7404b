/** Generates JSON that is valid against a schema, and JSON that is not. */
import fc from 'fast-check'
import type { Random } from './fixtures.ts'

export type Schema = Readonly<Record<string, unknown>>
/** Ids, keys and other values of earlier responses, by the name of their field. */
export interface KnownValues {
  valuesOf(name: string): readonly unknown[]
}

const MAX_DEPTH = 6

/** Values that commonly break servers. */
export const MALICIOUS_VALUES: readonly unknown[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u2028',
  '\ufeff',
  '\u202e',
  'İ',
  'ß',
  'e\u0301',
  '💥',
  'null',
  'true',
  '-1',
  'NaN',
  '1e400',
  '%00',
  '%',
  '{{7*7}}',
  '{{#each .}}x{{/each}}',
  '$1',
  '\\',
  "'; drop table identity_users; --",
  '../../etc/passwd',
  'a\r\nBcc: b@c.test',
  '<script>',
  '__proto__',
  'constructor',
  '+275760-09-13T00:00:00.001Z',
  '275760-09-13T00:00:00Z',
  '9999-12-31T23:59:60Z',
  '9999-12-31T23:59:59-23:59',
  '0000-01-01T00:00:00Z',
  '2024-02-30T00:00:00Z',
  '1990-12-31T23:59:60Z',
  '2024-01-01 00:00:00z',
  'ten_7zzzzzzzzzzzzzzzzzzzzzzzzz',
  'usr_00000000000000000000000000',
  'ten_x',
  'a@b',
  'a@b.c,d@e.f',
  '"a b"@c.test',
  'x'.repeat(300),
  'x'.repeat(5000),
  'é'.repeat(255),
  '*',
  'identity.*',
  'tenant.owner',
  'platform.admin',
  0,
  -0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e21,
  1e308,
  5e-324,
  true,
  false,
  null,
  [],
  {},
  [[]],
  [null],
  { a: { b: {} } },
  { toString: 1 },
  { $link: { path: '/', purpose: 'x', id: 'y', version: 1 } },
]

export interface ValueGenerator {
  /** A value that the schema accepts, for the field `name`. */
  valid(schema: Schema, name?: string): unknown
  /** A valid value, changed in one place. */
  invalid(schema: Schema): unknown
}

export function createValueGenerator(
  random: Random,
  definitions: Readonly<Record<string, Schema>>,
  values: KnownValues,
): ValueGenerator {
  const resolve = (schema: Schema): Schema => {
    const ref = schema.$ref
    return typeof ref === 'string' ? (definitions[ref.split('/').at(-1) as string] ?? {}) : schema
  }
  const make = (given: Schema, name: string, depth: number): unknown => {
    const schema = resolve(given)
    const alternatives = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined
    if (alternatives) return make(random.pick(alternatives), name, depth)
    if (schema.const !== undefined) return schema.const
    if (Array.isArray(schema.enum)) return random.pick(schema.enum)
    const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type
    if (type === 'object' || schema.properties || schema.allOf) return object(schema, depth)
    if (type === 'array') return array(schema, name, depth)
    if (type === 'string') return text(schema, name)
    if (type === 'integer' || type === 'number') return number(schema)
    if (type === 'boolean') return random.chance(0.5)
    return type === 'null' ? null : random.pick(MALICIOUS_VALUES)
  }

  function object(schema: Schema, depth: number): unknown {
    const parts = [schema, ...((schema.allOf ?? []) as Schema[]).map(resolve)]
    const made: Record<string, unknown> = {}
    for (const { properties = {}, required = [] } of parts)
      for (const [name, part] of Object.entries(properties as Record<string, Schema>))
        if ((required as string[]).includes(name) || (depth < MAX_DEPTH && random.chance(0.6)))
          made[name] = make(part, name, depth + 1)
    const open = schema.patternProperties ?? schema.additionalProperties
    if (open && depth < MAX_DEPTH)
      for (let n = random.below(3); n > 0; n--) made[`k${n}`] = random.pick(MALICIOUS_VALUES)
    return made
  }

  function array({ items, minItems = 0, maxItems = 4 }: Schema, name: string, depth: number): unknown {
    const limit = Math.min(Number(maxItems), 4)
    const length = Number(minItems) + random.below(Math.max(1, limit - Number(minItems) + 1))
    const made = Array.from({ length }, () => make((items ?? {}) as Schema, name, depth + 1))
    return [...new Map(made.map(value => [JSON.stringify(value), value])).values()]
  }

  function text({ pattern, format, examples, minLength = 0, maxLength = 40 }: Schema, name: string): unknown {
    const known = values.valuesOf(name)
    if (known.length > 0 && random.chance(0.6)) return random.pick(known)
    if (format === 'email') return `f${random.below(1e9).toString(36)}@example.test`
    if (format === 'date-time') return new Date(Date.UTC(2020 + random.below(20), random.below(12), 1)).toISOString()
    if (typeof pattern === 'string') return matchingString(pattern, random, (examples ?? []) as string[])
    const letters = 'abc XYZ 019 -_ éß💥'
    const length = Number(minLength) + random.below(Math.min(Number(maxLength), 40) - Number(minLength) + 1)
    return Array.from({ length }, () => random.pick([...letters]))
      .join('')
      .padEnd(Number(minLength), 'a')
  }

  function number({ minimum = -1000, maximum = 1000 }: Schema): number {
    return random.chance(0.3)
      ? random.pick([Number(minimum), Number(maximum)])
      : Math.round(Number(minimum) + random.next() * (Number(maximum) - Number(minimum)))
  }

  return {
    valid: (schema, name = '') => make(schema, name, 0),
    invalid: schema => corrupt(make(schema, '', 0), random),
  }
}

const samples = new Map<string, readonly string[]>()

function matchingString(pattern: string, random: Random, examples: readonly string[]): string {
  const list = samples.get(pattern) ?? sampleStrings(pattern, examples)
  samples.set(pattern, list)
  return random.pick(list)
}

/** fast-check does not support lookaheads and some character classes. For such patterns, uses the schema's examples. */
function sampleStrings(pattern: string, examples: readonly string[]): readonly string[] {
  try {
    return fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { numRuns: 40, seed: 1 })
  } catch (error) {
    if (examples.length === 0)
      throw new Error(`no strings can be generated for the pattern '${pattern}': the schema needs examples`, {
        cause: error,
      })
    return examples
  }
}

/** Replaces a value, or adds or removes a field. */
function corrupt(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.1)) return random.pick(MALICIOUS_VALUES)
  if (Array.isArray(value)) {
    const at = random.below(value.length + 1)
    return [
      ...value.slice(0, at),
      at < value.length ? corrupt(value[at], random) : random.pick(MALICIOUS_VALUES),
      ...value.slice(at + 1),
    ]
  }
  const fields = Object.entries(value)
  if (fields.length === 0 || random.chance(0.15))
    return { ...value, [random.pick(UNDECLARED_FIELDS)]: random.pick(MALICIOUS_VALUES) }
  const [name, inner] = random.pick(fields)
  if (random.chance(0.2)) return Object.fromEntries(fields.filter(([other]) => other !== name))
  return { ...value, [name]: corrupt(inner, random) }
}

/** Fields that only the server sets, and names with a meaning in JavaScript. */
const UNDECLARED_FIELDS = [
  'id',
  'tenantId',
  'roles',
  'status',
  'price',
  'builtIn',
  'createdAt',
  'constructor',
  'toString',
  'x y',
  '',
]
