/** `when` of a rule: attributes, and what they must be. Pure. */
import { compareVersions, parseVersion } from './semver.ts'

export type Scalar = string | number | boolean
/** Everything in it must hold. */
export interface Operators {
  readonly eq?: Scalar
  readonly ne?: Scalar
  readonly in?: readonly Scalar[]
  readonly notIn?: readonly Scalar[]
  readonly gt?: number | string
  readonly gte?: number | string
  readonly lt?: number | string
  readonly lte?: number | string
  readonly contains?: Scalar
  readonly startsWith?: string
  readonly endsWith?: string
  readonly exists?: boolean
  readonly semverEq?: string
  readonly semverGt?: string
  readonly semverGte?: string
  readonly semverLt?: string
  readonly semverLte?: string
}
export type Condition = Scalar | Operators
export type When = Readonly<Record<string, Condition>>

/** The value of an attribute; undefined where there is none. */
export type Lookup = (attribute: string) => unknown
type Test = (value: unknown) => boolean

/** True where every attribute is as it must be; an empty `when` is true of everybody. */
export function compileWhen(when: When): (lookup: Lookup) => boolean {
  const tests = Object.entries(when).map(([attribute, condition]) => ({ attribute, holds: compile(condition) }))
  return lookup => tests.every(({ attribute, holds }) => holds(lookup(attribute)))
}

function compile(condition: Condition): Test {
  if (typeof condition !== 'object') return ofAny(same(condition))
  const tests = (Object.keys(condition) as (keyof Operators)[]).map(name => compileOne(name, condition))
  return value => tests.every(test => test(value))
}

function compileOne(name: keyof Operators, operators: Operators): Test {
  const make = OPERATORS[name] as (operand: unknown) => Test
  return make(operators[name])
}

/** A list of an attribute, such as `roles`, fits where one of its entries does; what is missing never does. */
const ofAny =
  (test: Test): Test =>
  value =>
    value === undefined || value === null ? false : Array.isArray(value) ? value.some(test) : test(value)
const not =
  (test: Test): Test =>
  value =>
    !test(value)

/** Of two types as text: the query of an address knows nothing but text. */
const same =
  (operand: Scalar): Test =>
  value =>
    value === operand || (isScalar(value) && typeof value !== typeof operand && String(value) === String(operand))
const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

function oneOf(operands: readonly Scalar[]): Test {
  const words = new Set(operands.map(String))
  return value => isScalar(value) && words.has(String(value))
}

/** Numbers by value, texts by code units (so ISO dates by time); a number that came as text counts as one. */
const ordered = (fits: (order: number) => boolean) => (operand: number | string) =>
  ofAny(value => {
    if (typeof operand === 'string') return typeof value === 'string' && fits(order(value, operand))
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    return typeof number === 'number' && !Number.isNaN(number) && fits(order(number, operand))
  })
const order = <T extends number | string>(a: T, b: T): number => (a === b ? 0 : a < b ? -1 : 1)

const text = (fits: (value: string, operand: string) => boolean) => (operand: string) =>
  ofAny(value => typeof value === 'string' && fits(value, operand))

/** An entry of a list, a part of a text. */
const contains =
  (operand: Scalar): Test =>
  value =>
    Array.isArray(value) ? value.some(same(operand)) : typeof value === 'string' && value.includes(String(operand))

/** Few versions are about at a time: the last one that was asked for is remembered. */
const version = (fits: (order: number) => boolean) => (operand: string) => {
  const wanted = parseVersion(operand)
  let last = { text: operand, fits: isThere(wanted) && fits(0) }
  return ofAny(value => {
    if (typeof value !== 'string') return false
    if (value === last.text) return last.fits
    const found = parseVersion(value)
    last = { text: value, fits: isThere(found) && isThere(wanted) && fits(compareVersions(found, wanted)) }
    return last.fits
  })
}
const isThere = <T>(version: T | undefined): version is T => version !== undefined

const OPERATORS: { readonly [K in keyof Operators]-?: (operand: NonNullable<Operators[K]>) => Test } = {
  eq: operand => ofAny(same(operand)),
  ne: operand => not(ofAny(same(operand))),
  in: operands => ofAny(oneOf(operands)),
  notIn: operands => not(ofAny(oneOf(operands))),
  gt: ordered(order => order > 0),
  gte: ordered(order => order >= 0),
  lt: ordered(order => order < 0),
  lte: ordered(order => order <= 0),
  contains,
  startsWith: text((value, operand) => value.startsWith(operand)),
  endsWith: text((value, operand) => value.endsWith(operand)),
  exists: operand => value => (value !== undefined && value !== null) === operand,
  semverEq: version(order => order === 0),
  semverGt: version(order => order > 0),
  semverGte: version(order => order >= 0),
  semverLt: version(order => order < 0),
  semverLte: version(order => order <= 0),
}
