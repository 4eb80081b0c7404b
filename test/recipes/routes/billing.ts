import { newId } from '../../../kernel/base/index.ts'
import { signDevWebhook } from '../../../modules/billing/services/providers/dev-provider.ts'
import { api, defineRequests, form, page } from './request.ts'
import type { Account, World } from './world.ts'

const CHECKOUT = { planKey: 'pro' }

/** A workspace that has subscribed. */
async function subscriber({ register, call }: Pick<World, 'register' | 'call'>): Promise<Account> {
  const account = await register()
  await call(account, 'POST', '/v1/billing/checkout', CHECKOUT)
  return account
}
async function canceled(world: Pick<World, 'register' | 'call'>): Promise<Account> {
  const account = await subscriber(world)
  await world.call(account, 'POST', '/v1/billing/subscription/cancel', {})
  return account
}

export const billing = defineRequests(
  async world => {
    const { owner, call } = world
    await call(owner, 'POST', '/v1/billing/checkout', CHECKOUT)
    for (let n = 0; n < 20; n++) await grant(world, owner)
    return {}
  },
  {
    'GET /v1/billing/plans': ({ owner }) => api(owner, '/v1/billing/plans'),
    'GET /v1/billing/subscription': ({ owner }) => api(owner, '/v1/billing/subscription'),
    'POST /v1/billing/checkout': async ({ register }) => api(await register(), '/v1/billing/checkout', CHECKOUT),
    'POST /v1/billing/subscription/cancel': async world =>
      api(await subscriber(world), '/v1/billing/subscription/cancel', {}),
    'POST /v1/billing/subscription/resume': async world =>
      api(await canceled(world), '/v1/billing/subscription/resume'),
    'POST /v1/billing/portal': ({ owner }) => api(owner, '/v1/billing/portal', {}),
    'GET /v1/billing/credits': ({ owner }) => api(owner, '/v1/billing/credits'),
    'GET /v1/billing/credits/transactions': ({ owner }) => api(owner, '/v1/billing/credits/transactions'),
    'POST /v1/billing/credits': ({ operator, owner }, n) =>
      api(
        operator,
        '/v1/billing/credits',
        { key: 'ai.credits', amount: 5, reason: 'test', tenantId: owner.tenantId },
        { headers: { 'idempotency-key': `grant-${process.pid}-${n}` } },
      ),
    'POST /v1/billing/credits/consume': ({ owner }, n) =>
      api(
        owner,
        '/v1/billing/credits/consume',
        { key: 'ai.credits', amount: 1, reason: 'test' },
        { headers: { 'idempotency-key': `consume-${process.pid}-${n}` } },
      ),
    'GET /v1/billing/entitlements': ({ owner }) => api(owner, '/v1/billing/entitlements'),
    'POST /v1/billing/entitlements/:key/check': ({ owner }) =>
      api(owner, '/v1/billing/entitlements/identity.seat/check', { amount: 1 }),
    'GET /v1/billing/admin/tenants/:id': ({ operator, owner }) =>
      api(operator, `/v1/billing/admin/tenants/${owner.tenantId}`),
    'GET /v1/billing/admin/revenue': ({ operator }) => api(operator, '/v1/billing/admin/revenue'),
    'POST /v1/billing/admin/tenants/:id/subscription/cancel': async world =>
      api(world.operator, `/v1/billing/admin/tenants/${(await subscriber(world)).tenantId}/subscription/cancel`, {
        reason: 'test',
      }),
    'POST /v1/billing/admin/tenants/:id/subscription/trial': async world =>
      api(world.operator, `/v1/billing/admin/tenants/${(await subscriber(world)).tenantId}/subscription/trial`, {
        trialEndsAt: new Date(Date.now() + 60 * 86_400_000).toISOString(),
        reason: 'test',
      }),
    'PUT /v1/billing/admin/tenants/:id/subscription': async ({ operator, register }) =>
      api(operator, `/v1/billing/admin/tenants/${(await register()).tenantId}/subscription`, {
        planKey: 'pro',
        reason: 'test',
      }),
    'POST /v1/billing/admin/tenants/:id/credits': ({ operator, owner }, n) =>
      api(
        operator,
        `/v1/billing/admin/tenants/${owner.tenantId}/credits`,
        { key: 'ai.credits', amount: 5, reason: 'test' },
        { headers: { 'idempotency-key': `operator-${process.pid}-${n}` } },
      ),
    // Each workspace once: grants add up with every day. The first call creates the subscription.
    'POST /v1/billing/dev/advance': async ({ operator, register, call }) => {
      const { tenantId } = await register()
      await call(operator, 'POST', '/v1/billing/dev/advance', { days: 1, tenantId })
      return api(operator, '/v1/billing/dev/advance', { days: 1, tenantId })
    },
    'POST /v1/billing/webhook': ({ owner, secrets }) => {
      const event = {
        id: newId('evt_dev'),
        at: Date.now(),
        tenantId: owner.tenantId,
        customer: null,
        subscription: null,
        change: { type: 'updated' },
      }
      const body = JSON.stringify(event)
      const signature = { 'larder-signature': signDevWebhook({ secrets }, body, Date.now()) }
      return api(undefined, '/v1/billing/webhook', event, { headers: signature, status: 200 })
    },
    'GET /billing': ({ owner }) => page(owner, '/billing'),
    'POST /billing': async world => form(await subscriber(world), '/billing', { action: 'cancel' }),
  },
)

const grant = ({ operator, call }: World, { tenantId }: Account) =>
  call(operator, 'POST', '/v1/billing/credits', { key: 'ai.credits', amount: 1000, reason: 'test', tenantId })
