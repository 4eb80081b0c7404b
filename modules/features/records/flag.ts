/** Flags in request bodies, replies and recipes. */
import {
  bodyOf,
  documented,
  idPattern,
  NameOf,
  Nullable,
  named,
  OneOf,
  type RecordOf,
  type Static,
  Time,
  Type,
  table,
  Writable,
} from '@larder-dev/larder/kernel'
import { type Operators as CommonOperators, conditionSchema } from '@larder-dev/larder/kernel/internal'
import type { Operators, When } from '../domain/conditions.ts'
import { type Definition, TARGETING_KEY } from '../domain/flag.ts'
import { MAX_VERSION_LENGTH, SEMVER_PATTERN } from '../domain/semver.ts'
import { TYPES, type Value } from '../domain/value.ts'

/** Characters. */
const MAX_TEXT_LENGTH = 10_000

const KEY_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]*$'
export const FlagKey = Type.String({ minLength: 1, maxLength: 100, pattern: KEY_PATTERN, examples: ['new-editor'] })
const AttributeName = { type: 'string', minLength: 1, maxLength: 100 } as const
const EntitlementKey = Type.String({ minLength: 1, maxLength: 100, pattern: KEY_PATTERN })

export const FlagValue = named(
  'FlagValue',
  Type.Unsafe<Value>({
    type: [...TYPES],
    maxLength: MAX_TEXT_LENGTH,
    description: 'On or off, a text, a number or an object; all values of a flag have one kind',
  }),
)

const version = { type: 'string', maxLength: MAX_VERSION_LENGTH, pattern: SEMVER_PATTERN }
const versionOperators: Record<Exclude<keyof Operators, keyof CommonOperators>, object> = {
  semverEq: version,
  semverGt: version,
  semverGte: version,
  semverLt: version,
  semverLte: version,
}
const Condition = named('FlagCondition', Type.Unsafe(conditionSchema(versionOperators)))

const rule = {
  when: Type.Optional(
    Type.Unsafe<When>({
      type: 'object',
      maxProperties: 20,
      propertyNames: AttributeName,
      additionalProperties: Condition,
      description: 'Maps attributes to a value, or to operators that must all match',
    }),
  ),
  rollout: Type.Optional(
    Type.Number({ minimum: 0, maximum: 100, description: 'Percentage of the matching subjects; 100 by default' }),
  ),
  value: FlagValue,
  variant: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
}
const closed = { additionalProperties: false }
const Rule = named('FlagRule', Type.Object(rule, closed))
const Prerequisite = named(
  'FlagPrerequisite',
  Type.Unsafe<string | { key: string; value?: Value }>({
    type: ['string', 'object'],
    minLength: 1,
    maxLength: 100,
    required: ['key'],
    additionalProperties: false,
    properties: { key: FlagKey, value: FlagValue },
    description: 'A flag that must be true for the same subject, or have this value',
  }),
)

const ENABLED = { description: 'If false, the default applies to everyone' }
const definition = {
  enabled: Type.Boolean(ENABLED),
  default: FlagValue,
  bucketBy: Type.String({
    ...AttributeName,
    description: `The attribute that rollouts hash: tenant, userId, ${TARGETING_KEY}, or one from the client`,
  }),
  requires: Type.Array(Prerequisite, { maxItems: 20 }),
  entitlement: Nullable(EntitlementKey),
  rules: Type.Array(Rule, { maxItems: 100 }),
}
const display = {
  name: Writable(Nullable(Type.String()), Type.Optional(Nullable(NameOf(200)))),
  description: Writable(Nullable(Type.String()), Type.Optional(Nullable(Type.String({ maxLength: 2000 })))),
}
const displayBody = bodyOf(display)
const { default: standard, ...rest } = definition
const defaulted = Type.Partial(Type.Object(rest)).properties

export const RecipeFlag = Type.Object(
  {
    ...displayBody,
    default: standard,
    ...defaulted,
    overridable: Type.Optional(Type.Boolean({ description: 'Whether tenants may override the flag; true by default' })),
    editable: Type.Optional(
      Type.Boolean({ description: "Whether the operator's tenant may change the flag; false by default" }),
    ),
  },
  closed,
)
export type RecipeFlag = Static<typeof RecipeFlag>

const exampleRules = [{ when: { country: { in: ['DE', 'AT'] } }, rollout: 50, value: true }]
export const NewFlag = Type.Object(
  {
    key: FlagKey,
    scope: Type.Optional(
      OneOf(['tenant', 'product'], {
        description:
          "product: the flag applies to every workspace. It is created in the operator's workspace, with `features.product.manage`",
      }),
    ),
    ...displayBody,
    default: standard,
    ...defaulted,
    enabled: Type.Optional(Type.Boolean({ ...ENABLED, default: true })),
  },
  { examples: [{ key: 'dark-mode', default: false, bucketBy: TARGETING_KEY, rules: exampleRules }] },
)
export type NewFlag = Static<typeof NewFlag>
export const FlagPatch = Type.Partial(Type.Object({ ...displayBody, ...definition }), {
  examples: [{ rules: exampleRules }],
})
export type FlagPatch = Static<typeof FlagPatch>

export const Flag = named(
  'Flag',
  Type.Object({
    id: Type.String({ pattern: idPattern('ftr') }),
    key: Type.String(),
    ...display,
    type: OneOf(TYPES),
    enabled: definition.enabled,
    default: documented(FlagValue, Type.Unknown()),
    bucketBy: Type.String(),
    requires: Type.Array(
      named('FlagRequirement', Type.Object({ key: Type.String(), value: documented(FlagValue, Type.Unknown()) })),
    ),
    entitlement: Nullable(Type.String()),
    overridable: Type.Boolean(),
    rules: Type.Array(documented(Rule, Type.Unknown())),
    override: documented(Nullable(FlagValue), Type.Unknown({ description: "The tenant's override, or null" })),
    managedBy: Nullable(
      Type.String({
        description:
          'recipe, operator for a flag of every tenant that an operator created, or null for a flag of the tenant',
      }),
    ),
    createdAt: Time,
    updatedAt: Time,
  }),
)
export const FlagRevision = named(
  'FlagRevision',
  Type.Object({
    revision: Type.Integer(),
    changedAt: Time,
    changedBy: Nullable(Type.String({ description: 'User ID; null for a change of the recipe' })),
    ...display,
    ...Type.Pick(Flag, ['enabled', 'default', 'bucketBy', 'requires', 'entitlement', 'overridable', 'rules'])
      .properties,
  }),
)
export type FlagRevision = Omit<Static<typeof FlagRevision>, keyof Definition> & Definition
export type Flag = Omit<Static<typeof Flag>, keyof Definition> & Definition & { override: Value | null }

const StoredDefinition = Type.Unsafe<Definition>({ type: 'object' })
export const flagTable = table(
  'features_flags',
  Type.Object({
    id: Type.String(),
    key: Type.String(),
    ...display,
    definition: StoredDefinition,
    revision: Type.Integer(),
    managedBy: Nullable(Type.String()),
    editable: Type.Boolean(),
    recipeHash: Nullable(Type.String()),
    createdAt: Time,
    updatedAt: Time,
  }),
  { what: 'feature', defaults: { revision: 1 }, hidden: { tenantId: Type.String() }, revision: 'revision' },
)
export type FlagRow = RecordOf<typeof flagTable>

export const revisionTable = table(
  'features_revisions',
  Type.Object({
    revision: Type.Integer(),
    ...display,
    definition: StoredDefinition,
    changedBy: Nullable(Type.String()),
    changedAt: Time,
  }),
  { what: 'revision', key: 'revision', hidden: { flagId: Type.String() } },
)
