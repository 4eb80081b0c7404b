/** Checks conditions against the fields of a collection: their names, operators and values. Pure. */
import { didYouMean, inEnglish, isRecord } from '@larder-dev/larder/kernel'
import {
  conditionParts,
  conditionShape,
  formatList,
  type Operators,
  type Scalar,
} from '@larder-dev/larder/kernel/internal'
import {
  type Collection,
  type Collections,
  type ComputedType,
  type Field,
  SYSTEM_FIELDS,
} from '../declarations/collection.ts'
import { type Condition, REQUEST_VARIABLES, VARIABLES, type Variable, variableOf } from '../declarations/condition.ts'
import { normalizeField } from '../declarations/normalize.ts'
import { type ValueRules, valueError } from '../fields/value-validation.ts'
import { MAX_HOPS, memberFieldOf } from './resolved-condition.ts'

export interface ConditionError {
  /** Path in the condition. */
  readonly path: readonly (string | number)[]
  readonly code: 'unknown_field' | 'invalid_condition'
  readonly message: string
  readonly hint?: string
}

/** What the recipe says about callers. Undefined: not known, for example because a module could not be loaded. */
export interface CallerNames {
  readonly roles: readonly string[] | undefined
  readonly hasPlans: boolean | undefined
  readonly plans: readonly string[] | undefined
  /** Entitlement → kind. */
  readonly entitlements: ReadonlyMap<string, string> | undefined
  /** Fields of `profile.user`. */
  readonly profile: ReadonlyMap<string, Field> | undefined
}
export const UNKNOWN_CALLER: CallerNames = {
  roles: undefined,
  hasPlans: undefined,
  plans: undefined,
  entitlements: undefined,
  profile: undefined,
}
interface Names {
  readonly collections: Collections
  readonly caller: CallerNames
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
  /** The rows of a reference to many, which a variable can be one of. */
  readonly people?: Collection | undefined
  /** Whether there can be several rows with the field. */
  readonly isOfMany?: boolean
}

export function conditionErrors(
  condition: Condition,
  collection: Collection,
  collections: Collections,
  caller: CallerNames,
): ConditionError[] {
  const mistakes = conditionShape(condition)
  return mistakes.length > 0
    ? mistakes.map(mistake => ({ ...mistake, code: 'invalid_condition' }))
    : partErrors(condition, collection, { collections, caller })
}

function partErrors(condition: Condition, collection: Collection, names: Names): ConditionError[] {
  const within = (inner: Condition, path: ConditionError['path']) =>
    partErrors(inner, collection, names).map(error => ({ ...error, path: [...path, ...error.path] }))
  return conditionParts(condition).flatMap((part): ConditionError[] => {
    if (part.kind === 'not') return within(part.condition, ['not'])
    if (part.kind === 'or') return part.alternatives.flatMap((each, index) => within(each, ['or', index]))
    const { name, operators } = part
    const found = name.startsWith('$')
      ? resolveCaller(name, names.caller)
      : resolve(name, collection, names.collections)
    if ('message' in found) return [{ path: [name], ...found }]
    const isCaller = name.startsWith('$')
    const isShort = !isRecord(condition[name])
    return Object.entries(operators).flatMap(([operator, operand]) => {
      const path = isShort ? [name] : [name, operator]
      return isCaller && [operand].flat().some(each => String(each).startsWith('$'))
        ? [{ path, code: 'invalid_condition', message: `"${name}" must be compared with a value`, hint: NO_VARIABLE }]
        : operatorErrors(found, name, operator as Operator, operand, path, names)
    })
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
  let isOfMany = false
  const left = new Set<Collection>()
  for (const step of steps) {
    const field = at.fields.get(step)
    const target = field?.reference && collections.get(field.reference.to)
    if (!field && SYSTEM_KINDS[step] === undefined) return unknownField(step, at)
    if (target && left.has(target))
      return {
        code: 'invalid_condition',
        message: `"${name}" goes in a circle: "${step}" leads back to ${target.name}`,
        hint: 'Name each collection once. Rows of a tree refer to their own collection, as in parent.parent',
      }
    if (!target)
      return {
        code: 'invalid_condition',
        message: `Field "${step}" is not a reference, so "${name}" can't follow it`,
        hint: 'Use the name of a field, or of a reference and a field of the other collection',
      }
    if (target !== at) left.add(at)
    isOfMany ||= field.reference?.many === true
    at = target
  }
  const own = resolveOwn(last, at)
  if ('message' in own) return own
  const { reference } = own.field ?? {}
  return { ...own, isOfMany, people: reference?.many ? collections.get(reference.to) : undefined }
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
  if (computed) return COMPUTED_KINDS[computed.of]
  return KINDS[type as keyof typeof KINDS]
}
const COMPUTED_KINDS = {
  text: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  date: 'time',
  datetime: 'time',
} as const satisfies Record<ComputedType, Kind>
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
  names: Names,
): ConditionError[] {
  const allowed: readonly Operator[] =
    found.kind === 'id' && found.isOfMany ? [...OPERATORS.id, 'contains'] : OPERATORS[found.kind]
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
    return operand.flatMap((each, index) => operandErrors(found, name, each, [...path, index], names))
  if (operand === '$role' && !EQUALITY.includes(operator))
    return [
      {
        path,
        code: 'invalid_condition',
        message: `Operator ${operator} can't be used with $role, which is a list`,
        hint: 'Operators: eq, ne, in, notIn',
      },
    ]
  const isPart = operator === 'contains' || operator === 'startsWith' || operator === 'endsWith'
  // A part of a text doesn't have to follow the rules of the whole text.
  if (isPart && found.kind === 'text') return []
  return operandErrors(found, name, operand as Scalar, path, names)
}

function operandErrors(
  { kind, field, name: own, people }: Resolved,
  name: string,
  operand: Scalar,
  path: readonly (string | number)[],
  names: Names,
): ConditionError[] {
  const invalid = (message: string, hint?: string): ConditionError[] => [
    { path, code: 'invalid_condition', message, ...(hint && { hint }) },
  ]
  if (kind === 'json') return invalid(`"${name}" is JSON: only the operator exists can be used with it`)
  if (typeof operand === 'string' && operand.startsWith('$')) {
    const variable = variableOf(operand)
    if (!variable) return [{ path, ...unknownVariable(operand) }]
    if (people && operand === '$member') {
      const mistake = memberMistake(name, people)
      return mistake ? [{ path, ...mistake }] : []
    }
    const known = resolveVariable(operand, variable, names.caller)
    if (known && 'message' in known) return [{ path, ...known }]
    return fitsVariable(variable, known, kind, field, own)
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

const unknownVariable = (name: string): Unresolved => ({
  code: 'invalid_condition',
  message: `Unknown variable "${name}"`,
  hint: didYouMean(name, VARIABLES) ?? `Variables: ${VARIABLES.join(', ')}`,
})
const NO_VARIABLE = 'Write the value. What a row is compared with stands after the name of a field'

/** `$member` is one of the rows of a reference to many by the only field of theirs that has a member. */
function memberMistake(name: string, people: Collection): Unresolved | undefined {
  if (memberFieldOf(people)) return undefined
  const fields = [...people.fields.values()].filter(({ type, private: hidden }) => type === 'member' && !hidden)
  const [first] = fields
  return {
    code: 'invalid_condition',
    message: `"${name}" refers to ${people.name}, which ${first ? 'have several fields' : 'have no field'} of type member`,
    hint: first
      ? `Name the field: ${formatList(fields.map(field => `${name}.${field.name}`))}`
      : `Add a field of type member to ${people.name}`,
  }
}

/** What a variable before a comparison is. */
function resolveCaller(name: string, caller: CallerNames): Resolved | Unresolved {
  const variable = variableOf(name)
  if (!variable) return unknownVariable(name)
  return (
    resolveVariable(name, variable, caller) ?? {
      code: 'invalid_condition',
      message: `"${name}" can't be compared itself`,
      hint: `Compare a field with it, as in createdBy: $user`,
    }
  )
}

/** Undefined for what the request says. */
function resolveVariable(name: string, variable: Variable, caller: CallerNames): Resolved | Unresolved | undefined {
  const wrong = (message: string, hint: string): Unresolved => ({ code: 'invalid_condition', message, hint })
  if (variable.kind === 'request') return undefined
  if (variable.kind === 'role') return valuesOf(name, caller.roles)
  if (variable.kind === 'profile') return resolveProfile(variable.key, caller.profile, wrong)
  if (caller.hasPlans === false) return wrong(`"${name}" needs plans, and no module has any`, 'Add billing to modules')
  if (variable.kind === 'plan') return valuesOf(name, caller.plans)
  const kind = caller.entitlements?.get(variable.key)
  if (caller.entitlements && kind === undefined) {
    const known = [...caller.entitlements.keys()]
    const hint = known.length > 0 ? `Entitlements: ${formatList(known)}` : 'Add it under entitlements'
    return wrong(`Unknown entitlement "${variable.key}"`, didYouMean(variable.key, known) ?? hint)
  }
  const type = kind === 'flag' ? 'boolean' : 'number'
  return { kind: type, field: normalizeField(name, { type }), name }
}

/** A text with these values. */
const valuesOf = (name: string, values: readonly string[] | undefined): Resolved => ({
  kind: 'text',
  field: values && { ...ENUM, name, values },
  name,
})
const ENUM = normalizeField('values', { type: 'enum', values: [] })

const TRUSTED: readonly Field['type'][] = [
  'text',
  'slug',
  'email',
  'url',
  'enum',
  'integer',
  'number',
  'money',
  'boolean',
  'date',
]
function resolveProfile(
  key: string,
  profile: CallerNames['profile'],
  wrong: (message: string, hint: string) => Unresolved,
): Resolved | Unresolved {
  const field = profile?.get(key)
  const known = [...(profile?.values() ?? [])].filter(({ readOnly }) => readOnly).map(({ name }) => name)
  if (!field)
    return wrong(
      `Unknown field "${key}" in profile.user`,
      didYouMean(key, known) ?? 'Add it under profile.user.fields with readOnly: true',
    )
  if (!field.readOnly)
    return wrong(
      `People change "${key}" of their profile themselves, so rules can't trust it`,
      `Add readOnly: true to profile.user.fields.${key}, so that only operators change it`,
    )
  if (!TRUSTED.includes(field.type))
    return wrong(
      `"${key}" of profile.user is a ${field.type}, which rules can't compare`,
      `Types: ${formatList(TRUSTED)}`,
    )
  return { kind: kindOf(field), field, name: key }
}

/** IDs of members, users, workspaces and rows differ, so the comparison of one with another is never true. */
function fitsVariable(
  variable: Variable,
  known: Resolved | undefined,
  kind: Kind,
  field: Field | undefined,
  name: string,
): boolean {
  if (variable.kind === 'profile' || variable.kind === 'entitlement') return known?.kind === kind
  if (variable.kind !== 'request') return kind === 'text'
  if (variable.name === '$now') return kind === 'time' && field?.type !== 'duration'
  if (field?.type === 'member') return variable.name === '$member'
  if (field === undefined && name === 'createdBy') return variable.name === '$user'
  return kind === 'text' && field?.type !== 'enum'
}

function variableHint(kind: Kind, field: Field | undefined, name: string): string | undefined {
  const fitting = REQUEST_VARIABLES.filter(variable =>
    fitsVariable({ kind: 'request', name: variable }, undefined, kind, field, name),
  )
  return fitting.length > 0 ? `Compare it with ${fitting.join(' or ')}` : undefined
}

/** The field without its bounds: a comparison can lie outside of them. */
function comparable(field: Field | undefined, name: string): ValueRules {
  const type = field?.computed ? COMPUTED[field.computed.of] : (field?.type ?? SYSTEM_TYPES[name] ?? 'text')
  return { type: TEXTS.includes(type) ? 'text' : type, values: field?.values }
}
const COMPUTED = {
  text: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
} as const
const SYSTEM_TYPES: Readonly<Record<string, Field['type']>> = {
  createdAt: 'datetime',
  updatedAt: 'datetime',
  revision: 'integer',
}
const TEXTS: readonly Field['type'][] = ['slug', 'email', 'url']
