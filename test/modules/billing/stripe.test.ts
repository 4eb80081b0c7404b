import test from 'ava'
import type { Person } from '../../../testing/index.ts'
import { codeOf, problem } from '../people.ts'
import { B, buy, DAY, ledger, type Stage, stage, subscription } from './fixtures.ts'
import * as stripe from './stripe-server.ts'

let s: Stage
let server: stripe.StripeServer
test.before(async () => {
  server = await stripe.startStripe()
  const { port } = server
  const keys = { secretKey: stripe.SECRET_KEY, webhookSecret: stripe.WEBHOOK_SECRET }
  s = await stage({ provider: 'stripe', stripe: { ...keys, host: '127.0.0.1', port, protocol: 'http' } })
})
test.after.always(async () => {
  await s?.stop()
  await server?.close()
})

const at = (offset = 0) => s.clock.now() + offset
const SECOND = 1000
let count = 0
const newEvent = () => `evt_${++count}`

/** Posts what Stripe would, signed now. */
const deliver = (payload: string, headers: Record<string, string> = stripe.signed(payload, at())) =>
  s.kernel.post<{ new: number }>(`${B}/webhook`, payload, { headers })
const tell = async (type: string, object: object, created = at(), id = newEvent()) => {
  // Its workspace is known to billing by then: nobody pays for one before they asked for a checkout.
  await s.kernel.settled()
  const answer = await deliver(stripe.event(id, type, object, created))
  await s.kernel.settled()
  return answer
}
const session = ({ tenantId }: Person, planKey: string, reference: string, more: object = {}) => ({
  id: 'cs_1',
  object: 'checkout.session',
  mode: 'subscription',
  payment_status: 'paid',
  client_reference_id: tenantId,
  customer: `cus_${reference}`,
  subscription: reference,
  metadata: { tenantId, planKey, interval: 'month', trialDays: '0' },
  ...more,
})
const invoice = (reference: string, reason: string, periodEnd: number) => ({
  id: 'in_1',
  object: 'invoice',
  billing_reason: reason,
  customer: `cus_${reference}`,
  parent: { type: 'subscription_details', subscription_details: { subscription: reference, metadata: {} } },
  lines: { data: [{ period: { start: 0, end: Math.floor(periodEnd / SECOND) } }] },
})
const outcomes = async (like: string) => {
  const { rows } = await s.kernel.kernel.ports.database
    .system('a test looks at webhooks')
    .query<{ outcome: string | null }>(
      'select outcome from billing_webhooks where news::text like $1 order by happened_at, received_at',
      [`%${like}%`],
    )
  return rows.map(({ outcome }) => outcome)
}

test.serial('a checkout leads to Stripe: 201 with the address to programs, 303 to browsers and forms', async t => {
  const ada = await s.person()
  const { status, body } = await buy(ada, 'pro')
  t.is(status, 201)
  t.like(body, { status: 'open' })
  t.regex(body.url, /^https:\/\/checkout\.stripe\.test\//)
  const { form, path } = server.calls.at(-1) as stripe.StripeCall
  t.is(path, '/v1/checkout/sessions')
  t.like(Object.fromEntries(form), {
    mode: 'subscription',
    client_reference_id: ada.tenantId,
    success_url: 'http://localhost:8080/billing?checkout=done',
    'line_items[0][price_data][currency]': 'eur',
    'line_items[0][price_data][unit_amount]': '2900',
    'line_items[0][price_data][recurring][interval]': 'month',
    'subscription_data[trial_period_days]': '14',
    'subscription_data[metadata][planKey]': 'pro',
  })
  const asked = await ada.post(`${B}/checkout`, { planKey: 'pro' }, { headers: { accept: 'text/html' } })
  t.is(asked.status, 303)
  t.regex(asked.headers.get('location') as string, /^https:\/\/checkout\.stripe\.test\//)
  const posted = await ada.post(`${B}/checkout`, 'planKey=pro&cancelUrl=', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  t.is(posted.status, 303)
  t.is((await subscription(ada)).state, 'free', 'nothing is paid yet')
})

test.serial('what Stripe tells moves the subscription: paid, renewed, failed, paid again, ended', async t => {
  const ada = await s.person()
  const state = async () => (await subscription(ada)).state
  t.is((await tell('checkout.session.completed', session(ada, 'team', 'sub_life'))).status, 200)
  t.is(await state(), 'active')
  await tell('invoice.paid', invoice('sub_life', 'subscription_create', at(30 * DAY)))
  t.is((await ledger(ada)).length, 1, 'the first invoice is the checkout itself')
  await tell('invoice.paid', invoice('sub_life', 'subscription_cycle', at(60 * DAY)))
  t.is((await ledger(ada)).length, 2)
  await tell('invoice.payment_failed', invoice('sub_life', 'subscription_cycle', at(90 * DAY)))
  await tell('invoice.payment_failed', invoice('sub_life', 'subscription_cycle', at(90 * DAY)))
  t.is(await state(), 'past_due')
  await tell('invoice.paid', invoice('sub_life', 'subscription_cycle', at(90 * DAY)))
  t.is(await state(), 'active')
  await tell('customer.subscription.updated', stripe.subscription('sub_life', { cancel_at_period_end: true }))
  t.true((await subscription(ada)).cancelAtPeriodEnd)
  await tell('customer.subscription.deleted', stripe.subscription('sub_life', { status: 'canceled' }))
  t.like(await subscription(ada), { state: 'canceled', planKey: 'free' })
  t.deepEqual([...new Set(await outcomes('sub_life'))], ['done'])
})

test.serial('what comes twice counts once', async t => {
  const ada = await s.person()
  await tell('checkout.session.completed', session(ada, 'team', 'sub_twice'))
  const id = newEvent()
  const renewal = invoice('sub_twice', 'subscription_cycle', at(60 * DAY))
  t.is((await tell('invoice.paid', renewal, at(), id)).body.new, 1)
  t.is((await tell('invoice.paid', renewal, at(), id)).body.new, 0)
  const payload = stripe.event(
    newEvent(),
    'invoice.paid',
    invoice('sub_twice', 'subscription_cycle', at(90 * DAY)),
    at(),
  )
  await Promise.all(Array.from({ length: 5 }, () => deliver(payload)))
  await s.kernel.settled()
  t.is((await ledger(ada)).length, 3)
})

test.serial('out of order is put in order: a payment before its checkout, an old failure after a payment', async t => {
  const ada = await s.person()
  const began = at(-60 * SECOND)
  await tell('invoice.paid', invoice('sub_order', 'subscription_cycle', at(30 * DAY)), began + 20 * SECOND)
  t.is((await subscription(ada)).state, 'free')
  await tell('checkout.session.completed', session(ada, 'team', 'sub_order'), began)
  t.is((await subscription(ada)).state, 'active')
  t.deepEqual(await outcomes('sub_order'), ['done', 'done'])
  t.is((await ledger(ada)).length, 2)
  await tell('invoice.payment_failed', invoice('sub_order', 'subscription_cycle', 0), began + 10 * SECOND)
  t.is((await subscription(ada)).state, 'active')
  t.deepEqual(await outcomes('sub_order'), ['done', 'stale', 'done'])
})

test.serial('a payment that comes a day late still brings its credits, and takes nothing back', async t => {
  const ada = await s.person()
  await tell('checkout.session.completed', session(ada, 'team', 'sub_late'), at(-3 * DAY))
  await tell('customer.subscription.updated', stripe.subscription('sub_late', { cancel_at_period_end: true }), at())
  await tell('invoice.paid', invoice('sub_late', 'subscription_cycle', at(30 * DAY)), at(-DAY))
  t.like(await subscription(ada), { state: 'active', cancelAtPeriodEnd: true })
  t.is((await ledger(ada)).length, 2)
})

test.serial('news of a customer whom nobody knows, or of a plan that nobody sells, changes nothing', async t => {
  const ada = await s.person()
  t.is((await tell('invoice.paid', invoice('sub_nobody', 'subscription_cycle', at()))).status, 200)
  await tell('checkout.session.completed', session({ tenantId: 'ten_0' } as Person, 'team', 'sub_nobody'))
  t.deepEqual(await outcomes('sub_nobody'), [null, null])
  await tell('checkout.session.completed', session(ada, 'gold', 'sub_gold'))
  t.deepEqual(await outcomes('sub_gold'), ['refused'])
  t.is((await subscription(ada)).state, 'free')
  t.is((await tell('customer.created', { id: 'cus_1', object: 'customer' })).body.new, 0)
  t.is(
    (await tell('checkout.session.completed', session(ada, 'team', 'sub_open', { payment_status: 'unpaid' }))).body.new,
    0,
  )
})

test.serial('what is forged, too old or not signed is 400, and is not kept', async t => {
  const ada = await s.person()
  const payload = stripe.event(newEvent(), 'checkout.session.completed', session(ada, 'team', 'sub_forged'), at())
  for (const headers of [
    stripe.signed(payload, at(), 'whsec_other'),
    stripe.signed(`${payload} `, at()),
    stripe.signed(payload, at(-301 * SECOND)),
    { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=00' },
    { 'content-type': 'application/json' },
  ])
    t.is(codeOf(await deliver(payload, headers as Record<string, string>)), '400 bad_signature')
  t.is((await deliver(payload, stripe.signed(payload, at(-290 * SECOND)))).status, 200)
  t.is(codeOf(await deliver('{', stripe.signed('{', at()))), '400 not_a_webhook')
  t.is(codeOf(await deliver('', stripe.signed('', at()))).slice(0, 3), '400')
})

test.serial('a trial is told by Stripe, and there is none the second time', async t => {
  const ada = await s.person()
  const trial = { trialDays: '14', planKey: 'pro', interval: 'month', tenantId: ada.tenantId }
  await tell(
    'checkout.session.completed',
    session(ada, 'pro', 'sub_trial', { payment_status: 'no_payment_required', metadata: trial }),
  )
  t.is((await subscription(ada)).state, 'trialing')
  await tell('invoice.paid', invoice('sub_trial', 'subscription_create', at(14 * DAY)))
  t.is((await subscription(ada)).state, 'trialing', 'nothing was to be paid')
  await tell('invoice.paid', invoice('sub_trial', 'subscription_cycle', at(44 * DAY)))
  t.is((await subscription(ada)).state, 'active')
  await tell('customer.subscription.deleted', stripe.subscription('sub_trial', { status: 'canceled' }))
  await buy(ada, 'pro')
  const { form } = server.calls.at(-1) as stripe.StripeCall
  t.false(form.has('subscription_data[trial_period_days]'))
  t.is(form.get('customer'), 'cus_sub_trial')
})

test.serial('canceling, resuming, another plan and the portal ask Stripe, and count at once', async t => {
  const ada = await s.person()
  await tell('checkout.session.completed', session(ada, 'team', 'sub_ask'))
  t.like((await ada.post(`${B}/subscription/cancel`)).body, { state: 'active', cancelAtPeriodEnd: true })
  t.is(server.calls.at(-1)?.path, '/v1/subscriptions/sub_ask')
  t.like((await ada.post(`${B}/subscription/resume`)).body, { cancelAtPeriodEnd: false })
  t.is((await buy(ada, 'pro')).status, 201)
  t.is((await subscription(ada)).planKey, 'pro')
  t.is(server.calls.at(-1)?.form.get('items[0][price_data][product]'), 'prod_x')
  const portal = await ada.post<{ url: string }>(`${B}/portal`, {})
  t.is(portal.body.url, 'https://billing.stripe.test/p/1')
  t.is(server.calls.at(-1)?.form.get('customer'), 'cus_sub_ask')
  t.like((await ada.post(`${B}/subscription/cancel`, { when: 'now' })).body, { state: 'canceled', planKey: 'free' })
  t.is(server.calls.at(-1)?.method, 'DELETE')
})

test.serial('where Stripe says no, nothing has changed, and its words stay in the log', async t => {
  const ada = await s.person()
  server.refuse = { status: 400, error: { type: 'invalid_request_error', message: 'No such price sk_test_larder' } }
  const refused = await buy(ada, 'team')
  t.is(codeOf(refused), '502 provider_failed')
  t.false(JSON.stringify(refused.body).includes('sk_test'))
  await tell('checkout.session.completed', session(ada, 'team', 'sub_no'))
  server.refuse = { status: 404, error: { type: 'invalid_request_error', message: 'No such subscription' } }
  t.is(codeOf(await ada.post(`${B}/subscription/cancel`)), '502 provider_failed')
  t.false((await subscription(ada)).cancelAtPeriodEnd)
  t.is(codeOf(await (await s.operator()).post(`${B}/dev/advance`, { days: 1 })), '409 not_in_development')
})

test.serial('grace that is over ends it here and at Stripe', async t => {
  const ada = await s.person()
  await tell('checkout.session.completed', session(ada, 'team', 'sub_grace'), at(-20 * DAY))
  await tell('invoice.payment_failed', invoice('sub_grace', 'subscription_cycle', 0), at(-15 * DAY))
  t.is((await subscription(ada)).state, 'past_due')
  await s.kernel.kernel.ports.jobs.enqueue('billing.clock', {})
  await s.kernel.settled()
  t.is((await subscription(ada)).state, 'canceled')
  t.true(server.calls.some(({ method, path }) => method === 'DELETE' && path === '/v1/subscriptions/sub_grace'))
})

test.serial('what fits nothing for three days is given up', async t => {
  const ada = await s.person()
  await tell('invoice.paid', invoice('sub_lost', 'subscription_cycle', at()))
  t.deepEqual(await outcomes('sub_lost'), [null])
  s.clock.at += 4 * DAY
  await s.kernel.kernel.ports.jobs.enqueue('billing.webhooks', {})
  await s.kernel.settled()
  t.deepEqual(await outcomes('sub_lost'), ['unknown'])
  t.is(problem(await ada.post(`${B}/subscription/cancel`)).code, 'invalid_state')
})
