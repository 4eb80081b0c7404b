/** Compiles `when` of a rule: attributes and the conditions on them. Pure. */
import type { Operators as CommonOperators, Scalar } from '@larder-dev/larder/kernel/internal'
import { compareVersions, parseVersion } from './semver.ts'

/** Those of the kernel, and comparisons of versions. */
export interface Operators extends CommonOperators {
  readonly semverEq?: string
  readonly semverGt?: string
  readonly semverGte?: string
  readonly semverLt?: string
  readonly semverLte?: string
}
export type Condition = Scalar | Operators
export type When = Readonly<Record<string, Condition>>

/** The value of an attribute, or undefined. */
export type Lookup = (attribute: string) => unknown
type Predicate = (value: unknown) => boolean

/** The result is true where every attribute matches. An empty `when` matches everyone. */
export function compileWhen(when: When): (lookup: Lookup) => boolean {
  const tests = Object.entries(when).map(([attribute, condition]) => ({ attribute, matches: compile(condition) }))
  return lookup => tests.every(({ attribute, matches }) => matches(lookup(attribute)))
}

function compile(condition: Condition): Predicate {
  if (typeof condition !== 'object') return anyOf(equalTo(condition))
  const tests = (Object.keys(condition) as (keyof Operators)[]).map(name => compileOperator(name, condition))
  return value => tests.every(test => test(value))
}

function compileOperator(name: keyof Operators, operators: Operators): Predicate {
  // The operand of `name` has the type that `OPERATORS[name]` accepts; TypeScript can't relate the two.
  const make = OPERATORS[name] as (operand: unknown) => Predicate
  return make(operators[name])
}

/** A list, such as `roles`, matches if one of its entries does. A missing attribute never matches. */
const anyOf =
  (test: Predicate): Predicate =>
  value =>
    value === undefined || value === null ? false : Array.isArray(value) ? value.some(test) : test(value)
const not =
  (test: Predicate): Predicate =>
  value =>
    !test(value)

/** Values of different types are compared as text: query parameters are always text. */
const equalTo =
  (operand: Scalar): Predicate =>
  value =>
    value === operand || (isScalar(value) && typeof value !== typeof operand && String(value) === String(operand))
const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

function oneOf(operands: readonly Scalar[]): Predicate {
  const texts = new Set(operands.map(String))
  return value => isScalar(value) && texts.has(String(value))
}

/** Compares numbers by value and text by code units (so ISO dates by time). Numeric text counts as a number. */
const ordered = (matches: (order: number) => boolean) => (operand: number | string) =>
  anyOf(value => {
    if (typeof operand === 'string') return typeof value === 'string' && matches(compare(value, operand))
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    return typeof number === 'number' && !Number.isNaN(number) && matches(compare(number, operand))
  })
const compare = <T extends number | string>(a: T, b: T): number => (a === b ? 0 : a < b ? -1 : 1)

const text = (matches: (value: string, operand: string) => boolean) => (operand: string) =>
  anyOf(value => typeof value === 'string' && matches(value, operand))

/** An entry of a list, or a part of a text. */
const contains =
  (operand: Scalar): Predicate =>
  value =>
    Array.isArray(value) ? value.some(equalTo(operand)) : typeof value === 'string' && value.includes(String(operand))

/** Few client versions are in use at a time, so the last result is remembered. */
const version = (matches: (order: number) => boolean) => (operand: string) => {
  const wanted = parseVersion(operand)
  let last = { text: operand, matches: isDefined(wanted) && matches(0) }
  return anyOf(value => {
    if (typeof value !== 'string') return false
    if (value === last.text) return last.matches
    const found = parseVersion(value)
    last = { text: value, matches: isDefined(found) && isDefined(wanted) && matches(compareVersions(found, wanted)) }
    return last.matches
  })
}
const isDefined = <T>(version: T | undefined): version is T => version !== undefined

const OPERATORS: { readonly [K in keyof Operators]-?: (operand: NonNullable<Operators[K]>) => Predicate } = {
  eq: operand => anyOf(equalTo(operand)),
  ne: operand => not(anyOf(equalTo(operand))),
  in: operands => anyOf(oneOf(operands)),
  notIn: operands => not(anyOf(oneOf(operands))),
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
