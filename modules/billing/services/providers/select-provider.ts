import type { Deps } from '@larder-dev/larder/kernel'
import type { BillingOptions, BillingSettings, StripeOptions } from '../../options.ts'
import { operatorErrors, problems } from '../../problems.ts'
import type { PlanCatalog } from '../plan-catalog.ts'
import { createDevProvider } from './dev-provider.ts'
import type { PaymentProvider } from './provider.ts'
import { createStripeProvider } from './stripe-provider.ts'

type ProviderDeps = Deps<'clock' | 'secrets' | 'log' | 'product'> & {
  readonly billingSettings: BillingSettings
  readonly catalog: PlanCatalog
}

/** The provider that the recipe names. Throws for `dev` in production unless the recipe allows it. */
export function selectProvider(deps: ProviderDeps, options: BillingOptions): PaymentProvider {
  const { billingSettings: settings, catalog } = deps
  if (settings.provider === 'stripe') {
    const planByPrice = (id: string) => catalog.plans.find(plan => plan.stripePrice === id)?.key ?? null
    return createStripeProvider(deps, options.stripe as StripeOptions, planByPrice)
  }
  const dev = createDevProvider(deps)
  if (!deps.product.production || options.dev?.inProduction) return dev
  if (!settings.isImplicit) throw operatorErrors.dev_provider_in_production()
  deps.log.warn("Billing has no Stripe key, so plans can't be bought.")
  return withoutCheckout(dev)
}

/** Plans and entitlements work, but plans can't be bought. */
function withoutCheckout(dev: PaymentProvider): PaymentProvider {
  const refuse = async () => {
    throw problems.no_provider()
  }
  return { ...dev, checkout: refuse, change: refuse, portal: refuse }
}
