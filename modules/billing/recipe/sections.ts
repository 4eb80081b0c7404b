/** The top-level sections of a recipe that billing owns. */
import { LINE_PATTERN, OneOf, type Static, Type } from '@larder-dev/larder/kernel'
import { localTextOf } from '@larder-dev/larder/kernel/internal'

const closed = { additionalProperties: false }

export const PlanKey = Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-z][a-z0-9_-]*$' })
export const EntitlementKey = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[a-z][a-z0-9_-]*(\\.[a-z][a-z0-9_-]*)*$',
  examples: ['media.storage_gb'],
})
export const KINDS = ['flag', 'gauge', 'meter', 'credit'] as const
export const INTERVALS = ['month', 'year'] as const
export const PERIODS = ['day', 'month'] as const

/** One text, or a translation per locale. */
const Name = localTextOf(Type.String({ minLength: 1, maxLength: 100, pattern: LINE_PATTERN }))

export const RecipeEntitlement = Type.Object(
  {
    kind: OneOf(KINDS, {
      description: 'flag: on or off. gauge: current count. meter: usage per period. credit: consumable balance',
    }),
    name: Type.Optional(Name),
    unit: Type.Optional(Type.String({ minLength: 1, maxLength: 20, pattern: LINE_PATTERN, examples: ['GiB'] })),
    period: Type.Optional(OneOf(PERIODS, { description: 'Of a meter, in UTC; defaults to month' })),
  },
  closed,
)
export type RecipeEntitlement = Static<typeof RecipeEntitlement>

/** A map with keys of one schema. */
const mapOf = <T>(key: object, value: object, description: string) =>
  Type.Unsafe<Record<string, T>>({ type: 'object', propertyNames: key, additionalProperties: value, description })

export const RecipePlan = Type.Object(
  {
    name: Name,
    description: Type.Optional(localTextOf(Type.String({ maxLength: 500 }))),
    price: Type.Integer({ minimum: 0, maximum: 99_999_999, description: 'Minor units: 2900 is 29.00' }),
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217', examples: ['EUR'] })),
    interval: Type.Optional(OneOf(INTERVALS, { description: 'Defaults to month' })),
    recommended: Type.Optional(
      Type.Boolean({ description: 'Emphasizes the plan among the others; by default the cheapest one that costs' }),
    ),
    trialDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 730 })),
    entitlements: Type.Optional(
      mapOf<number>(EntitlementKey, Type.Number({ minimum: -1 }), 'Key → limit: -1 unlimited, 0 none'),
    ),
    credits: Type.Optional(
      mapOf<number>(
        EntitlementKey,
        Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
        'Key → credits that are granted each period and expire with it',
      ),
    ),
    stripePrice: Type.Optional(
      Type.String({ pattern: '^price_\\w+$', description: 'Id of an existing price at Stripe' }),
    ),
  },
  closed,
)
export type RecipePlan = Static<typeof RecipePlan>

export const sections = {
  entitlements: mapOf<RecipeEntitlement>(EntitlementKey, RecipeEntitlement, 'Entitlements by key'),
  plans: mapOf<RecipePlan>(PlanKey, RecipePlan, 'Plans that tenants can buy, by key'),
}
export type Sections = { [K in keyof typeof sections]: Static<(typeof sections)[K]> }
