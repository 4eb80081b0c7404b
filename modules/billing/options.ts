/** `modules.billing` of the recipe, and the settings that follow from it. */

import { DURATION_PATTERN, milliseconds, OneOf, type Static, Type } from '@larder-dev/larder/kernel'

const closed = { additionalProperties: false }

const Stripe = Type.Object(
  {
    secretKey: Type.String({ description: 'sk_live_… or sk_test_…; empty disables Stripe', writeOnly: true }),
    webhookSecret: Type.String({
      description: 'whsec_…, the signing secret of the endpoint /v1/billing/webhook',
      writeOnly: true,
    }),
    host: Type.Optional(Type.String({ minLength: 1, description: 'Replaces api.stripe.com' })),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
    protocol: Type.Optional(OneOf(['https', 'http'])),
  },
  closed,
)

export const BillingOptions = Type.Object(
  {
    provider: Type.Optional(
      OneOf(['auto', 'dev', 'stripe'], {
        description:
          'Payment provider: stripe, or dev, which accepts every checkout. auto selects stripe if it has a key',
      }),
    ),
    defaultPlan: Type.Optional(
      Type.String({ default: 'free', description: 'Plan of tenants without a paid subscription' }),
    ),
    operatorPlan: Type.Optional(
      Type.String({
        description:
          "Plan of the operator's tenant without a paid subscription; defaultPlan if omitted, and in a product of people no limits",
      }),
    ),
    grace: Type.Optional(
      Type.String({
        pattern: DURATION_PATTERN,
        default: '14d',
        description: 'Time from a failed payment to cancellation',
      }),
    ),
    dev: Type.Optional(
      Type.Object(
        { inProduction: Type.Optional(Type.Boolean({ description: 'Allows dev with NODE_ENV=production' })) },
        closed,
      ),
    ),
    returnHosts: Type.Optional(
      Type.Array(Type.String({ pattern: '^[a-z0-9.-]+(:\\d{1,5})?$', examples: ['app.acme.test'] }), {
        uniqueItems: true,
        description: 'Hosts, in addition to that of the product, to which successUrl, cancelUrl and returnUrl may lead',
      }),
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
  /** True if the recipe doesn't name a provider. */
  readonly isImplicit: boolean
  readonly defaultPlan: string
  /** Undefined: the default plan; in a product of people, no limits. */
  readonly operatorPlan: string | undefined
  readonly graceMs: number
  readonly returnHosts: readonly string[]
}

export function resolveSettings({ provider = 'auto', stripe, ...options }: BillingOptions): BillingSettings {
  const defaultPlan = options.defaultPlan ?? DEFAULT_PLAN
  const auto = stripe && stripe.secretKey !== '' ? 'stripe' : 'dev'
  return {
    provider: provider === 'auto' ? auto : provider,
    isImplicit: provider === 'auto',
    defaultPlan,
    operatorPlan: options.operatorPlan,
    returnHosts: options.returnHosts ?? [],
    graceMs: milliseconds(options.grace ?? '14d'),
  }
}
