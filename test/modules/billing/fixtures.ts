/** A kernel with billing, a movable clock, and users with different roles. */

import type { Client, Person } from '../../../testing/index.ts'
import type { CreditTransaction as Entry, Entitlement as Standing, Subscription } from '../../fixtures/api-types.ts'

export type { Entry, Standing, Subscription }

export const DAY = 24 * 60 * 60 * 1000

export const ENTITLEMENTS = {
  'identity.seat': { kind: 'gauge' },
  'media.storage_gb': { kind: 'gauge', unit: 'GiB' },
  'api.calls': { kind: 'meter', period: 'month' },
  'api.white_label': { kind: 'flag', name: 'White label' },
  'ai.credits': { kind: 'credit' },
}
export const PLANS = {
  free: { name: 'Free', price: 0, entitlements: { 'identity.seat': 3, 'media.storage_gb': 1, 'api.calls': 2 } },
  pro: {
    name: 'Pro',
    price: 2900,
    currency: 'EUR',
    interval: 'month',
    trialDays: 14,
    entitlements: { 'identity.seat': 25, 'media.storage_gb': 100, 'api.calls': 1000, 'api.white_label': 1 },
    credits: { 'ai.credits': 1000 },
  },
  team: {
    name: 'Team',
    price: 4900,
    currency: 'EUR',
    entitlements: { 'identity.seat': -1, 'media.storage_gb': 100 },
    credits: { 'ai.credits': 100 },
  },
}

export function billingRecipe(
  billing: Readonly<Record<string, unknown>> = {},
  more: Readonly<Record<string, unknown>> = {},
) {
  const { modules, ...rest } = more as { modules?: object }
  return { entitlements: ENTITLEMENTS, plans: PLANS, ...rest, modules: { identity: {}, billing, ...modules } }
}

/** Grants credits that expire at `expiresAt`, or never. */
export async function grant(
  operator: Client,
  { tenantId }: Person,
  amount: number,
  expiresAt?: string,
): Promise<Entry> {
  const order = { tenantId, key: 'ai.credits', amount, reason: 'promotion', ...(expiresAt && { expiresAt }) }
  const { status, body } = await operator.post('/v1/billing/credits', order)
  if (status !== 201) throw new Error(`granting credits returned ${status}: ${JSON.stringify(body)}`)
  return body
}

export const BILLING = '/v1/billing'

export const subscription = async (client: Client): Promise<Subscription> =>
  (await client.get(`${BILLING}/subscription`)).body
/** Buys a plan. */
export const buy = (client: Client, planKey: string) => client.post(`${BILLING}/checkout`, { planKey })

let keys = 0
/** Consumes with a new Idempotency-Key unless one is given. */
export const consume = (client: Client, amount: number, key = `key-${++keys}`, more: object = {}) =>
  client.post(
    `${BILLING}/credits/consume`,
    { key: 'ai.credits', amount, reason: 'image', ...more },
    { headers: { 'idempotency-key': key } },
  )
export async function balance(client: Client): Promise<number> {
  const { body } = await client.get(`${BILLING}/credits`)
  return body.data[0]?.balance as number
}
export async function ledger(client: Client): Promise<Entry[]> {
  return (await client.get(`${BILLING}/credits/transactions?limit=200`)).body.data
}
