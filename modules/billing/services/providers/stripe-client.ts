import { importOptional } from '@larder-dev/larder/kernel/internal'
import type Stripe from 'stripe'
import type { StripeOptions } from '../../options.ts'

/** Loads the library, which takes longer than the rest of the module. */
export async function createStripeClient(
  { secretKey, webhookSecret: _, ...address }: StripeOptions,
  limits: { readonly timeout: number; readonly maxNetworkRetries: number },
): Promise<Stripe> {
  const { default: StripeClient } = await importOptional('stripe', () => import('stripe'))
  return new StripeClient(secretKey, { ...address, ...limits, telemetry: false })
}
