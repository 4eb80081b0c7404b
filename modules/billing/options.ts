/** `modules.billing` of the recipe, and what it means in milliseconds. */

import { DURATION_PATTERN, milliseconds, OneOf, type Static, Type } from 'larder/kernel'

const closed = { additionalProperties: false }

const Stripe = Type.Object(
  {
    secretKey: Type.String({ description: 'sk_live_… or sk_test_…; empty is none', writeOnly: true }),
    webhookSecret: Type.String({ description: 'whsec_…, of the endpoint /v1/billing/webhook', writeOnly: true }),
    host: Type.Optional(Type.String({ minLength: 1, description: 'In place of api.stripe.com' })),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
    protocol: Type.Optional(OneOf(['https', 'http'])),
  },
  closed,
)

export const BillingOptions = Type.Object(
  {
    provider: Type.Optional(
      OneOf(['auto', 'dev', 'stripe'], {
        description: 'Who takes the money: stripe, or dev, which accepts any checkout. auto: stripe if it has a key',
      }),
    ),
    defaultPlan: Type.Optional(
      Type.String({ default: 'free', description: 'The plan of whoever has bought none, or has it no more' }),
    ),
    operatorPlan: Type.Optional(
      Type.String({ description: "The plan of the operator's own tenant while it has bought none: defaultPlan" }),
    ),
    grace: Type.Optional(
      Type.String({ pattern: DURATION_PATTERN, default: '14d', description: 'From a failed payment to the end' }),
    ),
    dev: Type.Optional(
      Type.Object(
        { inProduction: Type.Optional(Type.Boolean({ description: 'Whether dev runs with NODE_ENV=production' })) },
        closed,
      ),
    ),
    stripe: Type.Optional(Stripe),
  },
  closed,
)
export type BillingOptions = Static<typeof BillingOptions>
export type StripeOptions = Static<typeof Stripe>

export const DEFAULT_PLAN = 'free'

export interface BillingSettings {
  readonly provider: 'dev' | 'stripe'
  /** Nobody said dev: it is what is left where there is no key. */
  readonly byDefault: boolean
  readonly defaultPlan: string
  readonly operatorPlan: string
  /** Milliseconds. */
  readonly grace: number
}

export function billingSettings({ provider = 'auto', stripe, ...options }: BillingOptions): BillingSettings {
  const defaultPlan = options.defaultPlan ?? DEFAULT_PLAN
  const auto = stripe && stripe.secretKey !== '' ? 'stripe' : 'dev'
  return {
    provider: provider === 'auto' ? auto : provider,
    byDefault: provider === 'auto',
    defaultPlan,
    operatorPlan: options.operatorPlan ?? defaultPlan,
    grace: milliseconds(options.grace ?? '14d'),
  }
}
