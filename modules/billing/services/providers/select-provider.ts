import type { Deps } from 'larder/kernel'
import type { BillingOptions, BillingSettings, StripeOptions } from '../../options.ts'
import { problems } from '../../problems.ts'
import type { Catalogue } from '../plan-catalog.ts'
import { createDevProvider } from './dev-provider.ts'
import type { Provider } from './provider.ts'
import { createStripeProvider } from './stripe-provider.ts'

/** Whoever the recipe names. Throws where that is dev in production, unless the recipe says that it may be. */
export function pickProvider(
  deps: Deps<'clock' | 'secrets' | 'log' | 'product'>,
  options: BillingOptions,
  settings: BillingSettings,
  catalogue: Catalogue,
): Provider {
  if (settings.provider === 'stripe') {
    const planByPrice = (id: string) => catalogue.plans.find(plan => plan.stripePrice === id)?.key ?? null
    return createStripeProvider(deps, options.stripe as StripeOptions, planByPrice)
  }
  const dev = createDevProvider(deps)
  if (!deps.product.production || options.dev?.inProduction) return dev
  if (!settings.byDefault)
    throw new Error(
      'billing.provider is dev, which accepts any checkout, and NODE_ENV is production: give it a key of Stripe, or say dev: { inProduction: true }',
    )
  deps.log.warn('billing has no key of Stripe: nobody can buy anything')
  return closed(dev)
}

/** Plans and entitlements work; nothing can be bought. */
function closed(dev: Provider): Provider {
  const refuse = async () => {
    throw problems.no_provider()
  }
  return { ...dev, checkout: refuse, change: refuse, portal: refuse }
}
