/** Examines the webhook endpoints in Stripe's account. */
import { SECOND } from '@larder-dev/larder/kernel'
import type Stripe from 'stripe'
import { type BillingOptions, resolveSettings } from '../../options.ts'
import { createStripeClient } from './stripe-client.ts'
import { isKnownVersion } from './stripe-events.ts'

const LIMITS = { timeout: 5 * SECOND, maxNetworkRetries: 0 }
const MAX_ENDPOINTS = 100
const PATH = '/v1/billing/webhook'

/** `larder doctor` prints the result. */
export async function diagnoseStripe(options: BillingOptions): Promise<string[]> {
  if (!options.stripe || resolveSettings(options).provider !== 'stripe') return []
  try {
    const stripe = await createStripeClient(options.stripe, LIMITS)
    const { data } = await stripe.webhookEndpoints.list({ limit: MAX_ENDPOINTS })
    const endpoints = data.filter(({ url, status }) => status === 'enabled' && new URL(url).pathname === PATH)
    if (endpoints.length === 0) return [`Stripe has no enabled webhook endpoint with the path ${PATH}.`]
    return endpoints.flatMap(unknownVersion)
  } catch (error) {
    return [`The webhook endpoints in Stripe can't be read: ${(error as Error).message}`]
  }
}

/** An endpoint without a version uses that of the account, which Stripe doesn't return. */
const unknownVersion = ({ url, api_version: version }: Stripe.WebhookEndpoint): string[] =>
  version === null || isKnownVersion(version)
    ? []
    : [`The webhook endpoint ${url} in Stripe has API version ${version}, which this version of Larder doesn't know.`]
