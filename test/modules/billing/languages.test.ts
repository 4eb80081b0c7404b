import test from 'ava'
import { pickText } from '../../../kernel/base/locale.ts'
import { fieldChanges } from '../../../modules/billing/recipe/reconcile.ts'
import { startTestKernel } from '../../../testing/index.ts'
import type { Listed } from '../../fixtures/people.ts'
import { peopleOf } from '../../fixtures/people.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import { BILLING, billingRecipe } from './fixtures.ts'
import * as stripe from './stripe-server.ts'

const seats = { en: 'Seats', de: 'Plätze' }
const credits = { en: 'AI credits', de: 'KI-Guthaben' }
const basic = { en: 'Basic', de: 'Basis' }

const { kernel, people } = withPeople(test, {
  recipe: billingRecipe(
    {},
    {
      locales: { default: 'en', available: ['en', 'de'] },
      entitlements: {
        'identity.seat': { kind: 'gauge', name: seats },
        'ai.credits': { kind: 'credit', name: credits },
        'media.storage_gb': { kind: 'gauge', name: 'Storage' },
      },
      plans: {
        free: { name: basic, price: 0, entitlements: { 'identity.seat': 3, 'media.storage_gb': 1 } },
        pro: {
          name: 'Pro',
          description: { en: 'For teams', de: 'Für Teams' },
          price: 2900,
          currency: 'EUR',
          entitlements: { 'identity.seat': 25 },
          credits: { 'ai.credits': 1000 },
        },
      },
    },
  ),
  clock: true,
})

interface Named {
  key: string
  name: string
  description?: string | null
}

for (const [language, expected] of [
  ['de-DE, en;q=0.5', { plan: 'Basis', pro: 'Für Teams', seat: 'Plätze', credit: 'KI-Guthaben' }],
  ['fr', { plan: 'Basic', pro: 'For teams', seat: 'Seats', credit: 'AI credits' }],
] as const)
  test(`plans and entitlements have names in the language of the reader: ${language}`, async t => {
    const ada = await people.person()
    const headers = { 'accept-language': language }
    const list = async (path: string) => (await ada.get<Listed<Named>>(`${BILLING}/${path}`, { headers })).body.data
    const plans = await list('plans')
    t.is(plans.find(({ key }) => key === 'free')?.name, expected.plan)
    t.is(plans.find(({ key }) => key === 'pro')?.description, expected.pro)
    const entitlements = await list('entitlements')
    t.is(entitlements.find(({ key }) => key === 'identity.seat')?.name, expected.seat)
    t.is(entitlements.find(({ key }) => key === 'media.storage_gb')?.name, 'Storage')
    t.is((await list('credits')).find(({ key }) => key === 'ai.credits')?.name, expected.credit)

    const { body } = await kernel.get<string>('/billing', {
      headers: { accept: 'text/html', cookie: ada.cookie, ...headers },
    })
    for (const name of Object.values(expected)) t.true(body.includes(name), name)
    t.false(body.includes('[object'))
  })

test('the payment page names the plan in the language of the buyer', async t => {
  const server = await stripe.startStripe()
  t.teardown(server.close)
  const keys = { secretKey: stripe.SECRET_KEY, webhookSecret: stripe.WEBHOOK_SECRET }
  const recipe = billingRecipe(
    { provider: 'stripe', stripe: { ...keys, host: '127.0.0.1', port: server.port, protocol: 'http' } },
    {
      locales: { default: 'en', available: ['en', 'de'] },
      plans: {
        free: { name: 'Free', price: 0 },
        large: { name: { en: 'Large', de: 'Groß' }, price: 900, currency: 'EUR' },
      },
    },
  )
  const kernel = await startTestKernel({ recipe })
  t.teardown(() => kernel.stop())
  const { person } = peopleOf(kernel)
  const ada = await person()
  const product = () => server.calls.at(-1)?.form.get('line_items[0][price_data][product_data][name]')
  for (const [language, expected] of [
    ['de-AT', 'Groß'],
    ['fr', 'Large'],
  ] as const) {
    const headers = { 'accept-language': language }
    t.is((await ada.post(`${BILLING}/checkout`, { planKey: 'large' }, { headers })).status, 201)
    t.is(product(), expected)
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
    t.is((await ada.post(`${BILLING}/checkout`, 'planKey=large', { headers: form })).status, 303)
    t.is(product(), expected)
    const page = await fetch(new URL('/billing', kernel.url), {
      method: 'POST',
      redirect: 'manual',
      headers: {
        ...headers,
        accept: 'text/html',
        cookie: ada.cookie,
        origin: kernel.url,
        'sec-fetch-site': 'same-origin',
      },
      body: new URLSearchParams({ planKey: 'large' }),
    })
    t.is(page.status, 200)
    t.is(product(), expected)
  }
})

test('a translated name has a fallback, and a diff names each translation', t => {
  t.is(pickText(basic, 'de-AT', 'en'), 'Basis')
  t.is(pickText({ de: 'Basis' }, 'en', 'en'), 'Basis')
  const plan = { name: basic, price: 0 }
  t.deepEqual(fieldChanges(plan, plan), [])
  t.deepEqual(fieldChanges(plan, { name: { ...basic, de: 'Grund' }, price: 0 }), [
    { field: 'name.de', before: 'Basis', after: 'Grund' },
  ])
})
