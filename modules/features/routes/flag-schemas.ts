/** Flags, overrides and evaluations as they stand in bodies and answers. */
import { idPattern, Nullable, OneOf, type Static, Timestamp, Type } from 'larder/kernel'
import type { Operators, When } from '../domain/conditions.ts'
import { type Definition, TARGETING_KEY } from '../domain/flag.ts'
import type { Outcome } from '../domain/outcome.ts'
import { SEMVER } from '../domain/semver.ts'
import { type Value as FlagValue, TYPES } from '../domain/value.ts'

/** The database gives a Date; it goes over the wire as RFC 3339. */
const Time = Type.Unsafe<Date>(Timestamp)
/** Characters. */
const LONGEST_TEXT = 10_000

export const KEY_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]*$'
export const Key = Type.String({ minLength: 1, maxLength: 100, pattern: KEY_PATTERN, examples: ['new-editor'] })
const Attribute = { type: 'string', minLength: 1, maxLength: 100 } as const
const EntitlementKey = Type.String({ minLength: 1, maxLength: 100, pattern: KEY_PATTERN })

export const Value = Type.Unsafe<FlagValue>({
  type: [...TYPES],
  maxLength: LONGEST_TEXT,
  description: 'A boolean, text, number or object; one type a flag',
})

const scalar = { type: ['string', 'number', 'boolean'], maxLength: 1000 }
const text = { type: 'string', minLength: 1, maxLength: 1000 }
const scalars = { type: 'array', minItems: 1, maxItems: 1000, items: scalar }
const comparable = { type: ['number', 'string'], maxLength: 1000 }
const version = { type: 'string', maxLength: 256, pattern: SEMVER }
const operators: Record<keyof Operators, object> = {
  eq: scalar,
  ne: scalar,
  in: scalars,
  notIn: scalars,
  gt: comparable,
  gte: comparable,
  lt: comparable,
  lte: comparable,
  contains: scalar,
  startsWith: text,
  endsWith: text,
  exists: { type: 'boolean' },
  semverEq: version,
  semverGt: version,
  semverGte: version,
  semverLt: version,
  semverLte: version,
}
/** One schema and no alternatives, so that one message tells what is wrong. */
const Condition = {
  type: ['string', 'number', 'boolean', 'object'],
  maxLength: 1000,
  minProperties: 1,
  additionalProperties: false,
  properties: operators,
}

const rule = {
  when: Type.Optional(
    Type.Unsafe<When>({
      type: 'object',
      maxProperties: 20,
      propertyNames: Attribute,
      additionalProperties: Condition,
      description: 'Attribute → its value, or operators that all hold',
    }),
  ),
  rollout: Type.Optional(Type.Number({ minimum: 0, maximum: 100, description: 'Percent of those whom it fits' })),
  value: Value,
  variant: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
}
const closed = { additionalProperties: false }
const Prerequisite = Type.Unsafe<string | { key: string; value?: FlagValue }>({
  type: ['string', 'object'],
  minLength: 1,
  maxLength: 100,
  required: ['key'],
  additionalProperties: false,
  properties: { key: Key, value: Value },
  description: 'A flag that must be true here, or have this value',
})

const says = {
  enabled: Type.Boolean({ description: 'If not, everybody gets the default' }),
  default: Value,
  bucketBy: Type.String({
    ...Attribute,
    description: `The attribute that rollouts go by: tenant, userId, ${TARGETING_KEY}, or one of the client`,
  }),
  requires: Type.Array(Prerequisite, { maxItems: 20 }),
  entitlement: Nullable(EntitlementKey),
  rules: Type.Array(Type.Object(rule, closed), { maxItems: 100 }),
}
const named = {
  name: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 200 }))),
  description: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
}
const { default: standard, ...rest } = says

/** What a recipe says of a flag. */
export const recipeFlag = {
  ...named,
  default: standard,
  ...Type.Partial(Type.Object(rest)).properties,
  overridable: Type.Optional(Type.Boolean({ description: 'Whether tenants may set their own value; true' })),
  editable: Type.Optional(Type.Boolean({ description: 'Whether the operator’s tenant may change it here; false' })),
}
export const RecipeFlag = Type.Object(recipeFlag, closed)
export type RecipeFlag = Static<typeof RecipeFlag>

const exampleRules = [{ when: { country: { in: ['DE', 'AT'] } }, rollout: 50, value: true }]
export const NewFlag = Type.Object(
  { key: Key, ...named, default: standard, ...Type.Partial(Type.Object(rest)).properties },
  { examples: [{ key: 'dark-mode', default: false, bucketBy: TARGETING_KEY, rules: exampleRules }] },
)
export type NewFlag = Static<typeof NewFlag>
export const FlagPatch = Type.Partial(Type.Object({ ...named, ...says }), { examples: [{ rules: exampleRules }] })
export type FlagPatch = Static<typeof FlagPatch>

const ManagedBy = Nullable(Type.String({ description: 'recipe, or null where the tenant made it' }))
export const Flag = Type.Object({
  id: Type.String({ pattern: idPattern('ftr') }),
  key: Type.String(),
  name: Nullable(Type.String()),
  description: Nullable(Type.String()),
  type: OneOf(TYPES),
  enabled: says.enabled,
  default: Type.Unknown(),
  bucketBy: Type.String(),
  requires: Type.Array(Type.Object({ key: Type.String(), value: Type.Unknown() })),
  entitlement: Nullable(Type.String()),
  overridable: Type.Boolean(),
  rules: Type.Array(Type.Unknown({ description: '{when?, rollout?, value, variant?}' })),
  override: Type.Unknown({ description: 'What this tenant has instead; null where it has nothing' }),
  managedBy: ManagedBy,
  createdAt: Time,
  updatedAt: Time,
})
export type Flag = Omit<Static<typeof Flag>, keyof Definition> & Definition & { override: FlagValue | null }

export const Override = Type.Object(
  {
    value: Value,
    tenantId: Type.Optional(
      Type.String({ pattern: idPattern('ten'), description: 'Another tenant: needs features.override.grant' }),
    ),
  },
  { examples: [{ value: true }] },
)
export type Override = Static<typeof Override>

/** OFREP's context: anything, with a text as targetingKey. */
export const Context = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: true,
  maxProperties: 200,
  properties: { targetingKey: { type: 'string', maxLength: 1000 } },
})
/** Of a question. */
export const examples = [{ context: { targetingKey: 'user-7', country: 'DE' } }]
export const Question = Type.Object({ context: Type.Optional(Context) }, { examples })
export const BulkQuestion = Type.Object(
  {
    context: Type.Optional(Context),
    keys: Type.Optional(Type.Array(Key, { minItems: 1, maxItems: 200, description: 'These alone; all, if left out' })),
  },
  { examples },
)

export const Evaluation = Type.Object({
  key: Type.String(),
  value: Type.Unknown({ description: 'Of the type of the flag' }),
  reason: Type.String({ description: 'STATIC, DEFAULT, TARGETING_MATCH, SPLIT or DISABLED' }),
  variant: Type.Optional(Type.String()),
  metadata: Type.Unknown({ description: 'source: disabled, prerequisite, override, entitlement, rule or default' }),
})
const failure = {
  errorCode: Type.String({ description: 'Of OpenFeature: FLAG_NOT_FOUND, TARGETING_KEY_MISSING, …' }),
  errorDetails: Type.Optional(Type.String()),
}
export const Failure = Type.Object({ key: Type.String(), ...failure })
export const BulkFailure = Type.Object(failure)
export const Evaluations = Type.Object({
  flags: Type.Array(
    Type.Unsafe<Outcome>({ type: 'object', additionalProperties: true, description: 'Evaluations and failures' }),
  ),
})
