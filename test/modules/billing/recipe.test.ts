import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { stringify } from 'yaml'
import { checkRecipe } from '../../../bin/composition.ts'
import type { RecipeChange } from '../../../kernel/index.ts'
import { RecipeError } from '../../../kernel/recipe/index.ts'
import { readRecipe } from '../../../kernel/recipe/read.ts'
import billing from '../../../modules/billing/module.ts'
import { type BillingOptions, resolveSettings } from '../../../modules/billing/options.ts'
import { diffEntitlements, diffPlans, entitlements, plans } from '../../../modules/billing/recipe/reconcile.ts'
import { selectProvider } from '../../../modules/billing/services/providers/select-provider.ts'
import { startTestKernel } from '../../../testing/index.ts'
import { codeOf } from '../../fixtures/people.ts'
import { BILLING, buy, ENTITLEMENTS, PLANS, subscription } from './fixtures.ts'

async function faults(more: object): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-billing-'))
  const file = join(folder, 'recipe.yaml')
  const product = { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080' }
  const modules = { identity: {}, billing: {} }
  const recipe = { recipe: 1, product, modules, entitlements: ENTITLEMENTS, plans: PLANS, ...more }
  writeFileSync(file, stringify(recipe))
  try {
    await checkRecipe(readRecipe(file, {}))
    return []
  } catch (error) {
    if (!(error instanceof RecipeError)) throw error
    return error.problems.map(({ path, message }) => `${path}: ${message}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
const withBilling = (options: object) => ({ modules: { identity: {}, billing: options } })
const { free, pro } = PLANS

test('reports each invalid plan and entitlement of a recipe with its path', async t => {
  t.deepEqual(await faults({}), [])
  for (const [recipe, expected] of [
    [{ plans: { free, pro: { ...pro, entitlements: { seats: 1 } } } }, /^plans\.pro\.entitlements\.seats: there is no/],
    [{ plans: { free, pro: { ...pro, credits: { 'identity.seat': 1 } } } }, /is a gauge, not a credit$/],
    [{ plans: { free, pro: { ...pro, credits: { nobody: 1 } } } }, /^plans\.pro\.credits\.nobody: there is no/],
    [{ plans: { free, pro: { ...pro, entitlements: { 'ai.credits': 1 } } } }, /is a credit$/],
    [{ plans: { free: { ...free, credits: { 'ai.credits': 1 } } } }, /would never be granted$/],
    [{ plans: { free, pro: { name: 'Pro', price: 1 } } }, /^plans\.pro\.price: the price has no currency$/],
    [{ plans: { free, pro: { ...pro, currency: 'EUX' } } }, /^plans\.pro\.currency: 'EUX' is not a currency/],
    [
      { plans: { free, pro: { ...pro, price: 2950, currency: 'ISK' } } },
      /^plans\.pro\.price: 2950 is ISK\s29\.50, and/,
    ],
    [{ plans: { free, pro: { ...pro, price: 2950, currency: 'UGX' } } }, /^plans\.pro\.price: .* multiples of UGX\s1$/],
    [
      { plans: { free, pro: { ...pro, price: 2905, currency: 'KWD' } } },
      /^plans\.pro\.price: .* multiples of KWD\s0\.010$/,
    ],
    [{ plans: { free: { ...free, price: 900, currency: 'EUR' } } }, /^plans\.free\.price: the default plan applies/],
    [{ plans: { free: { ...free, name: 'Free\r\nBcc: a@b.test' } } }, /^plans\.free\.name/],
    [{ plans: { pro } }, /there is no plan 'free'$/],
    [withBilling({ defaultPlan: 'gold' }), /^modules\.billing\.defaultPlan: there is no plan 'gold'$/],
    [withBilling({ operatorPlan: 'gold' }), /^modules\.billing\.operatorPlan: there is no plan 'gold'$/],
    [withBilling({ provider: 'stripe' }), /stripe requires secretKey$/],
    [{ entitlements: { ...ENTITLEMENTS, 'media.storage_gb': { kind: 'gauge', period: 'day' } } }, /has no period$/],
    [{ plans: { free, pro: { ...pro, price: -1 } } }, /^plans\.pro\.price/],
    [{ plans: { free, pro: { ...pro, entitlements: { 'identity.seat': -2 } } } }, /^plans\.pro\.entitlements/],
  ] as const) {
    const [first = 'nothing'] = await faults(recipe)
    t.regex(first, expected)
  }
})

const rowOf = (key: string, definition: object, more: object = {}) => {
  const [write] = diffPlans([], { [key]: definition } as never).writes
  return { key, definition, hash: write?.declared.hash as string, retired: false, subscribers: 0, ...more } as never
}
const changesOf = (rows: readonly never[], wanted: object) =>
  plans.describe(diffPlans(rows, wanted as never), {} as never)

test('lists added, changed and removed plans, and the affected tenants', async t => {
  t.deepEqual(await changesOf([rowOf('pro', pro)], { pro }), [])
  t.deepEqual(await changesOf([], { pro }), [{ change: 'add', subject: 'plan pro', detail: 'price 29.00 EUR a month' }])
  const less = { ...pro, price: 3900, entitlements: { ...pro.entitlements, 'identity.seat': 5 } }
  t.deepEqual(await changesOf([rowOf('pro', pro, { subscribers: 2 })], { pro: less }), [
    {
      change: 'change',
      subject: 'plan pro',
      detail: 'price 29.00 → 39.00, entitlements.identity.seat 25 → 5, 2 tenants keep the old price 29.00 EUR a month',
      breaks: '2 tenants on this plan lose entitlements.identity.seat',
    },
  ])
  t.is((await changesOf([rowOf('pro', less, { subscribers: 2 })], { pro }))[0]?.breaks, undefined)
  t.deepEqual(await changesOf([rowOf('pro', pro)], {}), [{ change: 'remove', subject: 'plan pro' }])
  t.like((await changesOf([rowOf('pro', pro, { subscribers: 1 })], {}))[0], {
    change: 'remove',
    breaks: '1 tenant on this plan; no one else can buy it',
  })
  t.deepEqual(await changesOf([rowOf('pro', pro, { subscribers: 1, retired: true })], {}), [])
  t.is((await changesOf([rowOf('pro', pro, { retired: true })], { pro }))[0]?.detail, 'on sale again')
})

test('lists changed entitlements, and credits that can no longer be consumed', async t => {
  const row = { key: 'ai.credits', definition: { kind: 'credit' as const }, holders: 2 }
  const changesOf = (rows: (typeof row)[], wanted: object) =>
    entitlements.describe(diffEntitlements(rows, wanted as never), {} as never)
  t.deepEqual(await changesOf([row], { 'ai.credits': { kind: 'credit' } }), [])
  t.deepEqual(await changesOf([], { 'a.b': { kind: 'gauge' } }), [
    { change: 'add', subject: 'entitlement a.b', detail: 'gauge' },
  ])
  const breaks = '2 tenants can no longer consume remaining credits'
  t.deepEqual(await changesOf([row], {}), [{ change: 'remove', subject: 'entitlement ai.credits', breaks }])
  t.like((await changesOf([row], { 'ai.credits': { kind: 'meter' } }))[0], { detail: 'kind credit → meter', breaks })
  t.is((await changesOf([row], { 'ai.credits': { kind: 'credit', unit: 'tokens' } }))[0]?.breaks, undefined)
})

test('keeps a removed plan for its subscribers, and does not sell it to others', async t => {
  const recipe = (plans: object) => ({ modules: { identity: {}, billing: {} }, entitlements: ENTITLEMENTS, plans })
  const first = await startTestKernel({ recipe: recipe(PLANS) })
  t.teardown(() => first.stop())
  const [ada, bob] = [await first.register('ada@example.test'), await first.register('bob@example.test')]
  await buy(ada, 'team')
  const { free, pro } = PLANS
  const { sections, ports } = {
    sections: { plans: { free, pro }, entitlements: ENTITLEMENTS },
    ports: first.kernel.ports,
  }
  const changes = (await billing.plan?.(ports as never, {} as never, { sections } as never)) as RecipeChange[]
  t.like(changes[0], {
    change: 'remove',
    subject: 'plan team',
    breaks: '1 tenant on this plan; no one else can buy it',
  })

  const second = await startTestKernel({ recipe: recipe({ free, pro }), database: first.databaseUrl })
  t.teardown(() => second.stop())
  const [still, other] = [second.as(ada.token, ada.tenantId), second.as(bob.token, bob.tenantId)]
  t.like(await subscription(still), { state: 'active', planKey: 'team' })
  const { body } = await still.get(`${BILLING}/entitlements`)
  t.like(body.data[0], { key: 'identity.seat', limit: -1 })
  t.is((await other.get(`${BILLING}/plans`)).body.data.length, 2)
  t.is(codeOf(await buy(other, 'team')), '422 validation_failed')
  t.is((await buy(still, 'pro')).status, 201)
})

test('rejects the development provider in production unless the recipe allows it', async t => {
  const deps = { product: { production: true }, log: { warn: () => {} }, clock: { now: () => 0 } }
  const pick = (options: BillingOptions) =>
    selectProvider({ ...deps, billingSettings: resolveSettings(options) } as never, options)
  t.throws(() => pick({ provider: 'dev' }), { message: /NODE_ENV is production/ })
  await t.throwsAsync(pick({}).checkout({} as never), { message: /Configure a payment provider first/ })
  const order = {
    subject: { tenantId: 'ten_1', memberId: '' },
    plan: { interval: 'month', key: 'pro' },
    trialDays: 0,
    successUrl: 'https://a.test/',
  }
  const allowed = pick({ provider: 'dev', dev: { inProduction: true } })
  t.is((await allowed.checkout(order as never)).status, 'complete')
})
