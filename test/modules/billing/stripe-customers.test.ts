/** Stripe in a product of people: its events find the customer whose subscription they are about. */
import test from 'ava'
import type { Person } from '../../../testing/index.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import { BILLING, billingRecipe, buy, subscription } from './fixtures.ts'
import * as stripe from './stripe-server.ts'

let server: stripe.StripeServer
const { kernel, people } = withPeople(test, async () => {
  server = await stripe.startStripe()
  const { port } = server
  const keys = { secretKey: stripe.SECRET_KEY, webhookSecret: stripe.WEBHOOK_SECRET }
  const billing = { provider: 'stripe', stripe: { ...keys, host: '127.0.0.1', port, protocol: 'http' } }
  const product = { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080', audience: 'people' }
  return { recipe: billingRecipe(billing, { product }) }
})
test.after.always(() => server?.close())

let events = 0
async function send(type: string, object: object): Promise<void> {
  await kernel.settled()
  const payload = stripe.event(`evt_${++events}`, type, object, Date.now())
  const { status } = await kernel.post(`${BILLING}/webhook`, payload, { headers: stripe.signed(payload, Date.now()) })
  if (status !== 200) throw new Error(`the webhook answered ${status}`)
  await kernel.settled()
}

/** Buys a plan, and has Stripe report the payment with the metadata that it received. */
async function subscribe(person: Person, reference: string): Promise<void> {
  await buy(person, 'team')
  const { form } = server.calls.at(-1) as stripe.StripeCall
  const metadata = Object.fromEntries(
    ['tenantId', 'memberId', 'planKey', 'interval', 'trialDays'].map(key => [key, form.get(`metadata[${key}]`)]),
  )
  await send('checkout.session.completed', {
    id: `cs_${reference}`,
    object: 'checkout.session',
    mode: 'subscription',
    payment_status: 'paid',
    client_reference_id: form.get('client_reference_id'),
    customer: `cus_${reference}`,
    subscription: reference,
    metadata,
  })
}

test.serial('a payment gives the plan to the customer who paid, and to nobody else', async t => {
  const [ada, bob] = await Promise.all([people.person(), people.person()])
  await subscribe(ada, 'sub_ada')
  t.like(await subscription(ada), { planKey: 'team', state: 'active' })
  t.like(await subscription(bob), { planKey: 'free', state: 'free' })
})

test.serial('an event without metadata finds the customer by the subscription', async t => {
  const [ada, bob] = await Promise.all([people.person(), people.person()])
  await subscribe(ada, 'sub_first')
  await subscribe(bob, 'sub_second')
  await send('customer.subscription.deleted', stripe.subscription('sub_second', { status: 'canceled' }))
  t.is((await subscription(ada)).state, 'active')
  t.is((await subscription(bob)).state, 'canceled')
})

test.serial('a customer who deletes the account is not charged any more', async t => {
  const ada = await people.person()
  await subscribe(ada, 'sub_leaving')
  t.is((await ada.post('/v1/auth/me/delete', { password: ada.password })).status, 204)
  await kernel.settled()
  const ended = server.calls.filter(
    ({ method, path }) => method === 'DELETE' && path === '/v1/subscriptions/sub_leaving',
  )
  t.is(ended.length, 1)
})
