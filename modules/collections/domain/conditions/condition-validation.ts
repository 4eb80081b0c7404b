/** Checks conditions against the fields of a collection: their names, operators and values. Pure. */
import { didYouMean, inEnglish, isRecord } from '@larder-dev/larder/kernel'
import {
  conditionParts,
  conditionShape,
  formatList,
  type Operators,
  type Scalar,
} from '@larder-dev/larder/kernel/internal'
import { type Collection, type Collections, type Field, SYSTEM_FIELDS } from '../declarations/collection.ts'
import { type Condition, VARIABLES, variableOf } from '../declarations/condition.ts'
import { type ValueRules, valueError } from '../fields/value-validation.ts'
import { MAX_HOPS } from './resolved-condition.ts'

export interface ConditionError {
  /** Path in the condition. */
  readonly path: readonly (string | number)[]
  readonly code: 'unknown_field' | 'invalid_condition'
  readonly message: string
  readonly hint?: string
}

/** Types of operands and operators. */
type Kind = 'text' | 'number' | 'time' | 'boolean' | 'id' | 'list' | 'json'
type Operator = keyof Operators

const EQUALITY: readonly Operator[] = ['eq', 'ne', 'in', 'notIn', 'exists']
const ORDER: readonly Operator[] = ['gt', 'gte', 'lt', 'lte']
const OPERATORS: { readonly [K in Kind]: readonly Operator[] } = {
  text: [...EQUALITY, ...ORDER, 'contains', 'startsWith', 'endsWith'],
  number: [...EQUALITY, ...ORDER],
  time: [...EQUALITY, ...ORDER],
  boolean: EQUALITY,
  id: EQUALITY,
  list: ['contains', 'exists', 'in', 'notIn', 'eq', 'ne'],
  json: ['exists'],
}

/** Which field a name of a condition refers to; also one of another collection, over a reference. */
interface Resolved {
  readonly kind: Kind
  /** Undefined for a system field. */
  readonly field: Field | undefined
  /** Name of the field in its own collection. */
  readonly name: string
}

export function conditionErrors(
  condition: Condition,
  collection: Collection,
  collections: Collections,
): ConditionError[] {
  const mistakes = conditionShape(condition)
  return mistakes.length > 0
    ? mistakes.map(mistake => ({ ...mistake, code: 'invalid_condition' }))
    : partErrors(condition, collection, collections)
}

function partErrors(condition: Condition, collection: Collection, collections: Collections): ConditionError[] {
  const within = (inner: Condition, path: ConditionError['path']) =>
    partErrors(inner, collection, collections).map(error => ({ ...error, path: [...path, ...error.path] }))
  return conditionParts(condition).flatMap((part): ConditionError[] => {
    if (part.kind === 'not') return within(part.condition, ['not'])
    if (part.kind === 'or') return part.alternatives.flatMap((each, index) => within(each, ['or', index]))
    const { name, operators } = part
    const found = resolve(name, collection, collections)
    if ('message' in found) return [{ path: [name], ...found }]
    const given = condition[name]
    if (!isRecord(given)) return operandErrors(found, name, given as Scalar, [name])
    return Object.entries(operators).flatMap(([operator, operand]) =>
      operatorErrors(found, name, operator as Operator, operand, [name, operator]),
    )
  })
}

type Unresolved = Omit<ConditionError, 'path'>

function resolve(name: string, collection: Collection, collections: Collections): Resolved | Unresolved {
  const steps = name.split('.')
  const last = steps.pop() ?? ''
  if (steps.length > MAX_HOPS)
    return {
      code: 'invalid_condition',
      message: `"${name}" follows more than ${MAX_HOPS} references`,
      hint: `Follow ${MAX_HOPS} references at most`,
    }
  let at = collection
  for (const step of steps) {
    const field = at.fields.get(step)
    const target = field?.reference && collections.get(field.reference.to)
    if (!field) return unknownField(step, at)
    if (!target)
      return {
        code: 'invalid_condition',
        message: `Field "${step}" is not a reference, so "${name}" can't follow it`,
        hint: 'Use the name of a field, or of a reference and a field of the other collection',
      }
    at = target
  }
  return resolveOwn(last, at)
}

function resolveOwn(name: string, collection: Collection): Resolved | Unresolved {
  const system = SYSTEM_KINDS[name]
  if (system) return { kind: system, field: undefined, name }
  const field = collection.fields.get(name)
  if (!field) return unknownField(name, collection)
  if (field.private)
    return {
      code: 'invalid_condition',
      message: `Field "${name}" of ${collection.name} is private, so conditions can't use it`,
    }
  return { kind: kindOf(field), field, name }
}

const SYSTEM_KINDS: Readonly<Record<string, Kind>> = {
  id: 'id',
  createdAt: 'time',
  updatedAt: 'time',
  createdBy: 'id',
  revision: 'number',
}

function unknownField(name: string, { name: collection, fields }: Collection): Unresolved {
  const known = [...fields.keys(), ...SYSTEM_FIELDS]
  return {
    code: 'unknown_field',
    message: `Unknown field "${name}" in ${collection}`,
    hint: didYouMean(name, known) ?? `Fields: ${formatList(known)}`,
  }
}

function kindOf({ type, reference, computed }: Field): Kind {
  if (reference) return reference.many ? 'list' : 'id'
  if (computed) return computed.of === 'integer' ? 'number' : computed.of
  return KINDS[type as keyof typeof KINDS]
}
const KINDS = {
  text: 'text',
  longtext: 'text',
  markdown: 'text',
  slug: 'text',
  email: 'text',
  url: 'text',
  enum: 'text',
  integer: 'number',
  number: 'number',
  money: 'number',
  duration: 'time',
  date: 'time',
  datetime: 'time',
  boolean: 'boolean',
  member: 'id',
  file: 'id',
  json: 'json',
} as const satisfies Record<Exclude<Field['type'], 'reference' | 'computed'>, Kind>

function operatorErrors(
  found: Resolved,
  name: string,
  operator: Operator,
  operand: unknown,
  path: readonly (string | number)[],
): ConditionError[] {
  const allowed = OPERATORS[found.kind]
  if (!allowed.includes(operator))
    return [
      {
        path,
        code: 'invalid_condition',
        message: `Operator ${operator} can't be used with "${name}"`,
        hint: `Operators: ${allowed.join(', ')}`,
      },
    ]
  if (operator === 'exists') return []
  if (Array.isArray(operand))
    return operand.flatMap((each, index) => operandErrors(found, name, each, [...path, index]))
  const isPart = operator === 'contains' || operator === 'startsWith' || operator === 'endsWith'
  // A part of a text doesn't have to follow the rules of the whole text.
  if (isPart && found.kind === 'text') return []
  return operandErrors(found, name, operand as Scalar, path)
}

function operandErrors(
  { kind, field, name: own }: Resolved,
  name: string,
  operand: Scalar,
  path: readonly (string | number)[],
): ConditionError[] {
  const invalid = (message: string, hint?: string): ConditionError[] => [
    { path, code: 'invalid_condition', message, ...(hint && { hint }) },
  ]
  if (kind === 'json') return invalid(`"${name}" is JSON: only the operator exists can be used with it`)
  if (typeof operand === 'string' && operand.startsWith('$')) {
    if (!variableOf(operand))
      return invalid(
        `Unknown variable "${operand}"`,
        didYouMean(operand, VARIABLES) ?? `Variables: ${VARIABLES.join(', ')}`,
      )
    return fitsVariable(operand, kind, field, own)
      ? []
      : invalid(`"${name}" can't be compared with ${operand}`, variableHint(kind, field, own))
  }
  if (kind === 'boolean' && typeof operand !== 'boolean')
    return invalid(`"${name}" must be compared with true or false`)
  if (kind === 'number' && typeof operand !== 'number') return invalid(`"${name}" must be compared with a number`)
  if (kind === 'id' || kind === 'list')
    return typeof operand === 'string' ? [] : invalid(`"${name}" must be compared with an id or a variable`)
  const error = valueError(comparable(field, own), operand)
  return error === undefined ? [] : invalid(`The value compared with "${name}" ${inEnglish(error)}`)
}

/** IDs of members, users, workspaces and rows differ, so the comparison of one with another is never true. */
function fitsVariable(variable: string, kind: Kind, field: Field | undefined, name: string): boolean {
  if (variable === '$now') return kind === 'time' && field?.type !== 'duration'
  if (field?.type === 'member') return variable === '$member'
  if (field === undefined && name === 'createdBy') return variable === '$user'
  return kind === 'text' && field?.type !== 'enum'
}

function variableHint(kind: Kind, field: Field | undefined, name: string): string | undefined {
  const fitting = VARIABLES.filter(variable => fitsVariable(variable, kind, field, name))
  return fitting.length > 0 ? `Compare it with ${fitting.join(' or ')}` : undefined
}

/** The field without its bounds: a comparison can lie outside of them. */
function comparable(field: Field | undefined, name: string): ValueRules {
  const type = field?.computed ? COMPUTED[field.computed.of] : (field?.type ?? SYSTEM_TYPES[name] ?? 'text')
  return { type: TEXTS.includes(type) ? 'text' : type, values: field?.values }
}
const COMPUTED = { text: 'text', number: 'number', integer: 'number', boolean: 'boolean' } as const
const SYSTEM_TYPES: Readonly<Record<string, Field['type']>> = {
  createdAt: 'datetime',
  updatedAt: 'datetime',
  revision: 'integer',
}
const TEXTS: readonly Field['type'][] = ['slug', 'email', 'url']
