import test from 'ava'
import fc from 'fast-check'
import { isKnownVersion } from '../../../modules/billing/services/providers/stripe-events.ts'
import type { Person } from '../../../testing/index.ts'
import { codeOf, problem } from '../../fixtures/people.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import { BILLING, billingRecipe, buy, DAY, ledger, subscription } from './fixtures.ts'
import * as stripe from './stripe-server.ts'

let server: stripe.StripeServer

const { kernel, clock, people } = withPeople(test, async () => {
  server = await stripe.startStripe()
  const { port } = server
  const keys = { secretKey: stripe.SECRET_KEY, webhookSecret: stripe.WEBHOOK_SECRET }
  const billing = { provider: 'stripe', stripe: { ...keys, host: '127.0.0.1', port, protocol: 'http' } }
  return { recipe: billingRecipe(billing), clock: true }
})
test.after.always(() => server?.close())

const at = (offset = 0) => clock.now() + offset
const SECOND = 1000
let count = 0
const newEvent = () => `evt_${++count}`

/** Posts a webhook, signed now. */
const deliver = (payload: string, headers: Record<string, string> = stripe.signed(payload, at())) =>
  kernel.post(`${BILLING}/webhook`, payload, { headers })
const send = async (type: string, object: object, created = at(), id = newEvent()) => {
  // Billing has handled the creation of the tenant by then, as it has before any real payment.
  await kernel.settled()
  const answer = await deliver(stripe.event(id, type, object, created))
  await kernel.settled()
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
const invoice = (reference: string, reason: string, periodEnd: number, id = 'in_1') => ({
  id,
  object: 'invoice',
  billing_reason: reason,
  customer: `cus_${reference}`,
  parent: { type: 'subscription_details', subscription_details: { subscription: reference, metadata: {} } },
  lines: { data: [{ period: { start: 0, end: Math.floor(periodEnd / SECOND) } }] },
})
const outcomes = async (like: string) => {
  const { rows } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test reads webhooks')
    .query<{ outcome: string | null }>(
      'select outcome from larder_provider_events where data::text like $1 order by occurred_at, received_at',
      [`%${like}%`],
    )
  return rows.map(({ outcome }) => outcome)
}

test.serial('replies to a checkout with a Stripe URL: 201 for API clients, 303 for browsers and forms', async t => {
  const ada = await people.person()
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
  const fromBrowser = await ada.post(`${BILLING}/checkout`, { planKey: 'pro' }, { headers: { accept: 'text/html' } })
  t.is(fromBrowser.status, 303)
  t.regex(fromBrowser.headers.get('location') as string, /^https:\/\/checkout\.stripe\.test\//)
  const posted = await ada.post(`${BILLING}/checkout`, 'planKey=pro&cancelUrl=', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  t.is(posted.status, 303)
  t.is((await subscription(ada)).state, 'free', 'nothing is paid yet')
})

test.serial('follows Stripe events: paid, renewed, failed, paid again, ended', async t => {
  const ada = await people.person()
  const state = async () => (await subscription(ada)).state
  t.is((await send('checkout.session.completed', session(ada, 'team', 'sub_life'))).status, 200)
  t.is(await state(), 'active')
  await send('invoice.paid', invoice('sub_life', 'subscription_create', at(30 * DAY)))
  t.is((await ledger(ada)).length, 1, 'the checkout covers the first invoice')
  await send('invoice.paid', invoice('sub_life', 'subscription_cycle', at(60 * DAY)))
  t.is((await ledger(ada)).length, 2)
  await send('invoice.payment_failed', invoice('sub_life', 'subscription_cycle', at(90 * DAY)))
  await send('invoice.payment_failed', invoice('sub_life', 'subscription_cycle', at(90 * DAY)))
  t.is(await state(), 'past_due')
  await send('invoice.paid', invoice('sub_life', 'subscription_cycle', at(90 * DAY)))
  t.is(await state(), 'active')
  await send('customer.subscription.updated', stripe.subscription('sub_life', { cancel_at_period_end: true }))
  t.true((await subscription(ada)).cancelAtPeriodEnd)
  await send('customer.subscription.deleted', stripe.subscription('sub_life', { status: 'canceled' }))
  t.like(await subscription(ada), { state: 'canceled', planKey: 'free' })
  t.deepEqual([...new Set(await outcomes('sub_life'))], ['done'])
})

for (const version of ['2024-06-20', '2025-03-31.basil'])
  test.serial(`reads events of API version ${version}`, async t => {
    const ada = await people.person()
    const older = version < '2025-03-31'
    const reference = `sub_${version.slice(0, 4)}`
    const shaped = (reason: string, end: number) => {
      const { parent, ...rest } = invoice(reference, reason, end)
      return older ? { ...rest, subscription: reference, subscription_details: { metadata: {} } } : { ...rest, parent }
    }
    const sendVersion = async (type: string, object: object) => {
      await kernel.settled()
      const text = JSON.stringify({ ...JSON.parse(stripe.event(newEvent(), type, object, at())), api_version: version })
      t.is((await deliver(text)).status, 200)
      await kernel.settled()
    }
    await sendVersion('checkout.session.completed', session(ada, 'team', reference))
    await sendVersion('invoice.payment_failed', shaped('subscription_cycle', at(60 * DAY)))
    t.is((await subscription(ada)).state, 'past_due')
    await sendVersion('invoice.paid', shaped('subscription_cycle', at(60 * DAY)))
    t.is((await subscription(ada)).state, 'active')
    const end = Math.floor(at(90 * DAY) / SECOND)
    const { items, ...current } = stripe.subscription(reference, {}) as { items: { data: object[] } }
    const [item] = items.data as [{ current_period_end?: number }]
    const { current_period_end, ...olderItem } = item
    await sendVersion(
      'customer.subscription.updated',
      older
        ? { ...current, current_period_end: end, items: { data: [olderItem] } }
        : { ...current, items: { data: [{ ...item, current_period_end: end }] } },
    )
    t.is(Date.parse((await subscription(ada)).currentPeriodEnd as string), end * SECOND)
  })

test('knows the API versions whose events it reads', t => {
  for (const version of ['2020-08-27', '2024-06-20', '2025-03-31.basil']) t.true(isKnownVersion(version))
  for (const version of ['2099-01-01', '2099-01-01.zinnia', 'unstable', null, undefined])
    t.false(isKnownVersion(version))
})

test.serial('refuses an invoice of a subscription that it does not name', async t => {
  const { parent, ...rest } = invoice('sub_unnamed', 'subscription_cycle', at())
  t.is(codeOf(await send('invoice.payment_failed', rest)), '400 unreadable_event')
})

test.serial('processes an event that arrives twice once', async t => {
  const ada = await people.person()
  await send('checkout.session.completed', session(ada, 'team', 'sub_twice'))
  const id = newEvent()
  const renewal = invoice('sub_twice', 'subscription_cycle', at(60 * DAY))
  t.is((await send('invoice.paid', renewal, at(), id)).body.new, 1)
  t.is((await send('invoice.paid', renewal, at(), id)).body.new, 0)
  const payload = stripe.event(
    newEvent(),
    'invoice.paid',
    invoice('sub_twice', 'subscription_cycle', at(90 * DAY)),
    at(),
  )
  await Promise.all(Array.from({ length: 5 }, () => deliver(payload)))
  await kernel.settled()
  t.is((await ledger(ada)).length, 3)
})

test.serial('grants the period of an invoice once, however many events report its payment', async t => {
  const ada = await people.person()
  await send('checkout.session.completed', session(ada, 'team', 'sub_once'))
  const renewal = invoice('sub_once', 'subscription_cycle', at(60 * DAY))
  for (const type of ['invoice.paid', 'invoice.paid', 'invoice.payment_succeeded']) await send(type, renewal)
  t.is((await ledger(ada)).length, 2)
  await send('invoice.paid', invoice('sub_once', 'subscription_cycle', at(90 * DAY)))
  t.is((await ledger(ada)).length, 3)
})

test.serial('a second event of a checkout changes nothing, even after its subscription has ended', async t => {
  const ada = await people.person()
  const paid = session(ada, 'team', 'sub_async')
  await send('checkout.session.completed', paid)
  await send('checkout.session.async_payment_succeeded', paid)
  t.is((await ledger(ada)).length, 1)
  await send('customer.subscription.deleted', stripe.subscription('sub_async', { status: 'canceled' }))
  await send('checkout.session.completed', session(ada, 'pro', 'sub_async_2'))
  await send('customer.subscription.deleted', stripe.subscription('sub_async_2', { status: 'canceled' }))
  await send('checkout.session.async_payment_succeeded', paid, at(SECOND))
  t.like(await subscription(ada), { state: 'canceled', planKey: 'free' })
  t.is((await ledger(ada)).length, 2)
})

const seats = async (person: Person) => {
  const { body } = await person.get(`${BILLING}/entitlements`)
  return body.data.find(({ key }) => key === 'identity.seat')?.limit
}
/** Status at Stripe → the state here, the limit of seats (-1: the paid plan, 3: the default one). */
const STATUSES = {
  trialing: ['trialing', -1],
  active: ['active', -1],
  past_due: ['past_due', -1],
  paused: ['active', 3],
  unpaid: ['canceled', 3],
} as const

for (const [from, [state, limit]] of Object.entries(STATUSES))
  test.serial(`follows a subscription from ${from} to every other status`, async t => {
    for (const [to, [nextState, nextLimit]] of Object.entries(STATUSES)) {
      const ada = await people.person()
      const reference = `sub_${from}_${to}`
      const update = (status: string, seconds: number) =>
        send('customer.subscription.updated', stripe.subscription(reference, { status }), at(seconds * SECOND))
      await send('checkout.session.completed', session(ada, 'team', reference))
      await update(from, 1)
      t.is((await subscription(ada)).state, state)
      t.is(await seats(ada), limit)
      await update(to, 2)
      t.like(await subscription(ada), { state: nextState, paymentPaused: to === 'paused' }, to)
      t.is(await seats(ada), nextLimit, to)
      await update('incomplete', 3)
      t.is((await subscription(ada)).state, nextState, 'precedes the payment')
      await update('active', 4)
      t.like(await subscription(ada), { state: 'active', planKey: 'team', graceEndsAt: null, paymentPaused: false }, to)
      t.is(await seats(ada), -1, to)
      await update('incomplete_expired', 5)
      await update('active', 6)
      t.like(await subscription(ada), { state: 'canceled', planKey: 'free' }, 'has ended')
    }
  })

test.serial('an update to active ends the grace period', async t => {
  const ada = await people.person()
  await send('checkout.session.completed', session(ada, 'team', 'sub_settled'), at(-20 * DAY))
  await send('invoice.payment_failed', invoice('sub_settled', 'subscription_cycle', 0), at(-15 * DAY))
  await send('customer.subscription.updated', stripe.subscription('sub_settled'), at(-10 * DAY))
  t.like(await subscription(ada), { state: 'active', graceEndsAt: null })
  await kernel.kernel.ports.jobs.enqueue('billing.run_due_changes', {})
  await kernel.settled()
  t.is((await subscription(ada)).state, 'active')
  t.false(server.calls.some(({ method, path }) => method === 'DELETE' && path.endsWith('sub_settled')))
})

for (const behavior of ['void', 'keep_as_draft', 'mark_uncollectible'])
  test.serial(`the default plan holds while the collection of payments is paused (${behavior})`, async t => {
    const ada = await people.person()
    const reference = `sub_${behavior}`
    await send('checkout.session.completed', session(ada, 'team', reference), at(-20 * DAY))
    await send('invoice.payment_failed', invoice(reference, 'subscription_cycle', 0), at(-19 * DAY))
    const paused = { status: 'past_due', pause_collection: { behavior, resumes_at: null } }
    await send('customer.subscription.updated', stripe.subscription(reference, paused), at(-18 * DAY))
    t.like(await subscription(ada), { state: 'past_due', planKey: 'team', paymentPaused: true })
    t.is(await seats(ada), 3)
    await kernel.kernel.ports.jobs.enqueue('billing.run_due_changes', {})
    await kernel.settled()
    t.is((await subscription(ada)).state, 'past_due', 'the grace period does not run')
    await send('customer.subscription.updated', stripe.subscription(reference, { status: 'past_due' }))
    t.like(await subscription(ada), { state: 'past_due', paymentPaused: false })
    t.is(await seats(ada), -1)
  })

test.serial('a later end of another line of an invoice does not move the end of the period', async t => {
  const ada = await people.person()
  await send('checkout.session.completed', session(ada, 'team', 'sub_lines'))
  const end = Math.floor(at(60 * DAY) / SECOND)
  const line = (days: number, parent?: object) => ({
    period: { start: 0, end: end + (days * DAY) / SECOND },
    ...(parent && { parent: { type: 'subscription_item_details', subscription_item_details: parent } }),
  })
  const renewal = (id: string, data: object[]) => ({
    ...invoice('sub_lines', 'subscription_cycle', 0, id),
    lines: { data },
  })
  const ends = async () => Math.floor(Date.parse((await subscription(ada)).currentPeriodEnd as string) / SECOND)
  await send('invoice.paid', renewal('in_a', [line(0), line(300)]))
  t.is(await ends(), end)
  await send('invoice.paid', renewal('in_b', [line(200, { proration: true }), line(1, { proration: false })]))
  t.is(await ends(), end + DAY / SECOND)
  await send('invoice.paid', renewal('in_c', [line(-30)]))
  t.is(await ends(), end + DAY / SECOND, 'the payment of an earlier period')
})

interface Step {
  readonly kind: 'status' | 'paid' | 'failed'
  readonly status: 'active' | 'trialing' | 'past_due' | 'paused'
  readonly pause: boolean
  readonly ending: boolean
  readonly invoice: number
}
/** What the steps lead to, applied one after the other. */
function model(steps: readonly Step[]) {
  const found = { state: 'active', paymentPaused: false, cancelAtPeriodEnd: false, grants: 1 }
  const paid = new Set<number>()
  for (const { kind, status, pause, ending, invoice } of steps)
    if (kind === 'status')
      Object.assign(found, {
        state: status === 'paused' ? 'active' : status,
        paymentPaused: pause || status === 'paused',
        cancelAtPeriodEnd: ending,
      })
    else if (!paid.has(invoice)) {
      if (kind === 'paid') paid.add(invoice)
      found.state = kind === 'paid' ? 'active' : 'past_due'
    }
  return { ...found, grants: 1 + paid.size }
}

test.serial('signed events lead to the same subscription in any order, once or twice', async t => {
  const step = fc.record<Step>({
    kind: fc.constantFrom('status', 'paid', 'failed'),
    status: fc.constantFrom('active', 'trialing', 'past_due', 'paused'),
    pause: fc.boolean(),
    ending: fc.boolean(),
    invoice: fc.integer({ min: 1, max: 3 }),
  })
  const steps = fc.array(step, { minLength: 2, maxLength: 7 })
  let run = 0
  await fc.assert(
    fc.asyncProperty(steps, fc.infiniteStream(fc.nat()), fc.infiniteStream(fc.nat(3)), async (all, random, repeats) => {
      const ada = await people.person()
      const reference = `sub_any_${++run}`
      const began = at(-60 * SECOND)
      const events = [
        { type: 'checkout.session.completed', object: session(ada, 'team', reference) as object, time: 0 },
        ...all.map(({ kind, status, pause, ending, invoice: number }, index) => {
          const pause_collection = pause ? { behavior: 'void' } : null
          return kind === 'status'
            ? {
                type: 'customer.subscription.updated',
                object: stripe.subscription(reference, { status, pause_collection, cancel_at_period_end: ending }),
                time: index + 1,
              }
            : {
                type: kind === 'paid' ? 'invoice.paid' : 'invoice.payment_failed',
                object: invoice(reference, 'subscription_cycle', began + number * 30 * DAY, `in_${number}`),
                time: index + 1,
              }
        }),
      ]
      const order = events.map(event => [random.next().value as number, event] as const)
      for (const [, { type, object, time }] of order.sort(([a], [b]) => a - b)) {
        const created = began + time * SECOND
        const id = newEvent()
        await send(type, object, created, id)
        const repeat = repeats.next().value
        if (repeat === 1) await send(type, object, created, id)
        if (repeat === 2) await send(type, object, created)
      }
      const { grants, ...expected } = model(all)
      t.like(await subscription(ada), expected)
      t.is((await ledger(ada)).length, grants)
      t.is(await seats(ada), expected.paymentPaused ? 3 : -1)
    }),
    { numRuns: 15 },
  )
})

test.serial('handles events out of order: a payment before its checkout, an old failure after a payment', async t => {
  const ada = await people.person()
  const began = at(-60 * SECOND)
  await send('invoice.paid', invoice('sub_order', 'subscription_cycle', at(30 * DAY)), began + 20 * SECOND)
  t.is((await subscription(ada)).state, 'free')
  await send('checkout.session.completed', session(ada, 'team', 'sub_order'), began)
  t.is((await subscription(ada)).state, 'active')
  t.deepEqual(await outcomes('sub_order'), ['done', 'done'])
  t.is((await ledger(ada)).length, 2)
  await send('invoice.payment_failed', invoice('sub_order', 'subscription_cycle', 0), began + 10 * SECOND)
  t.is((await subscription(ada)).state, 'active')
  t.deepEqual(await outcomes('sub_order'), ['done', 'stale', 'done'])
})

test.serial('grants the credits of a late payment without reverting newer changes', async t => {
  const ada = await people.person()
  await send('checkout.session.completed', session(ada, 'team', 'sub_late'), at(-3 * DAY))
  await send('customer.subscription.updated', stripe.subscription('sub_late', { cancel_at_period_end: true }), at())
  await send('invoice.paid', invoice('sub_late', 'subscription_cycle', at(30 * DAY)), at(-DAY))
  t.like(await subscription(ada), { state: 'active', cancelAtPeriodEnd: true })
  t.is((await ledger(ada)).length, 2)
})

test.serial('a paid checkout counts after a newer event of the earlier subscription', async t => {
  const ada = await people.person()
  await send('checkout.session.completed', session(ada, 'pro', 'sub_earlier'), at(-30 * DAY))
  const ended = at()
  await send('customer.subscription.deleted', stripe.subscription('sub_earlier', { status: 'canceled' }), ended)
  t.is((await subscription(ada)).planKey, 'free')
  await send('checkout.session.completed', session(ada, 'team', 'sub_later'), ended - 5 * SECOND)
  t.like(await subscription(ada), { state: 'active', planKey: 'team' })
  t.deepEqual(await outcomes('sub_later'), ['done'])
  await send('checkout.session.completed', session(ada, 'pro', 'sub_before'), at(-31 * DAY))
  t.deepEqual(await outcomes('sub_before'), ['stale'], 'a checkout from before the known subscription')
  t.is((await subscription(ada)).planKey, 'team')
})

test.serial('ignores events of unknown customers and plans', async t => {
  const ada = await people.person()
  t.is((await send('invoice.paid', invoice('sub_nobody', 'subscription_cycle', at()))).status, 200)
  await send('checkout.session.completed', session({ tenantId: 'ten_0' } as Person, 'team', 'sub_nobody'))
  t.deepEqual(await outcomes('sub_nobody'), [null, null])
  await send('checkout.session.completed', session(ada, 'gold', 'sub_gold'))
  t.deepEqual(await outcomes('sub_gold'), ['rejected'])
  t.is((await subscription(ada)).state, 'free')
  t.is((await send('customer.created', { id: 'cus_1', object: 'customer' })).body.new, 0)
  t.is(
    (await send('checkout.session.completed', session(ada, 'team', 'sub_open', { payment_status: 'unpaid' }))).body.new,
    0,
  )
})

test.serial('rejects webhooks with a forged, expired or missing signature', async t => {
  const ada = await people.person()
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

test.serial('reports a signed event that cannot be read under its own code', async t => {
  const { object, ...withoutData } = JSON.parse(stripe.event(newEvent(), 'invoice.paid', {}, at()))
  for (const event of ['null', '[]', '{}', '{"id":"evt_1","created":"soon"}', '{"object":"v2.core.event"}', '"text"'])
    t.is(codeOf(await deliver(event, stripe.signed(event, at()))), '400 unreadable_event', event)
  const text = JSON.stringify({ ...withoutData, data: undefined })
  t.is(codeOf(await deliver(text, stripe.signed(text, at()))), '400 unreadable_event', object)
})

test.serial('starts a trial with the first checkout only', async t => {
  const ada = await people.person()
  const trial = { trialDays: '14', planKey: 'pro', interval: 'month', tenantId: ada.tenantId }
  await send(
    'checkout.session.completed',
    session(ada, 'pro', 'sub_trial', { payment_status: 'no_payment_required', metadata: trial }),
  )
  t.is((await subscription(ada)).state, 'trialing')
  await send('invoice.paid', invoice('sub_trial', 'subscription_create', at(14 * DAY)))
  t.is((await subscription(ada)).state, 'trialing', 'nothing was due')
  await send('invoice.paid', invoice('sub_trial', 'subscription_cycle', at(44 * DAY)))
  t.is((await subscription(ada)).state, 'active')
  await send('customer.subscription.deleted', stripe.subscription('sub_trial', { status: 'canceled' }))
  await buy(ada, 'pro')
  const { form } = server.calls.at(-1) as stripe.StripeCall
  t.false(form.has('subscription_data[trial_period_days]'))
  t.is(form.get('customer'), 'cus_sub_trial')
})

test.serial('an operator extends a trial at Stripe, and cancels it at its end', async t => {
  const [ada, operator] = [await people.person(), await people.operator()]
  const trial = { trialDays: '14', planKey: 'pro', interval: 'month', tenantId: ada.tenantId }
  await send('checkout.session.completed', session(ada, 'pro', 'sub_extended', { metadata: trial }))
  const path = `${BILLING}/admin/tenants/${ada.tenantId}/subscription`
  const end = Math.floor(at(30 * DAY) / SECOND)
  const trialEndsAt = new Date(end * SECOND).toISOString()
  const extended = await operator.post(`${path}/trial` as never, { trialEndsAt, reason: 'Asked' } as never)
  t.is(extended.status, 200, JSON.stringify(extended.body))
  const { path: called, form } = server.calls.at(-1) as stripe.StripeCall
  t.is(called, '/v1/subscriptions/sub_extended')
  t.deepEqual([form.get('trial_end'), form.get('proration_behavior')], [String(end), 'none'])
  t.like(await subscription(ada), { state: 'trialing', trialEndsAt, currentPeriodEnd: trialEndsAt })
  server.failNext = { status: 400, error: { type: 'invalid_request_error', message: 'no' } }
  const later = new Date((end + 3600) * SECOND).toISOString()
  const refused = await operator.post(`${path}/trial` as never, { trialEndsAt: later, reason: 'Asked' } as never)
  t.is(codeOf(refused), '502 provider_failed')
  t.is((await subscription(ada)).trialEndsAt, trialEndsAt)
  t.is((await operator.post(`${path}/cancel` as never, { reason: 'Asked' } as never)).status, 200)
  t.is(server.calls.at(-1)?.form.get('cancel_at_period_end'), 'true')
})

test.serial('calls Stripe to cancel, resume, change the plan and open the portal, with immediate effect', async t => {
  const ada = await people.person()
  await send('checkout.session.completed', session(ada, 'team', 'sub_ask'))
  t.like((await ada.post(`${BILLING}/subscription/cancel`)).body, { state: 'active', cancelAtPeriodEnd: true })
  t.is(server.calls.at(-1)?.path, '/v1/subscriptions/sub_ask')
  t.like((await ada.post(`${BILLING}/subscription/resume`)).body, { cancelAtPeriodEnd: false })
  t.is((await buy(ada, 'pro')).status, 201)
  t.is((await subscription(ada)).planKey, 'pro')
  t.is(server.calls.at(-1)?.form.get('items[0][price_data][product]'), 'prod_x')
  const portal = await ada.post(`${BILLING}/portal`, {})
  t.is(portal.body.url, 'https://billing.stripe.test/p/1')
  t.is(server.calls.at(-1)?.form.get('customer'), 'cus_sub_ask')
  t.like((await ada.post(`${BILLING}/subscription/cancel`, { when: 'now' })).body, {
    state: 'canceled',
    planKey: 'free',
  })
  t.is(server.calls.at(-1)?.method, 'DELETE')
})

test.serial('changes nothing when Stripe rejects a call, and hides its message from the caller', async t => {
  const ada = await people.person()
  server.failNext = { status: 400, error: { type: 'invalid_request_error', message: 'No such price sk_test_larder' } }
  const rejected = await buy(ada, 'team')
  t.is(codeOf(rejected), '502 provider_failed')
  t.false(JSON.stringify(rejected.body).includes('sk_test'))
  await send('checkout.session.completed', session(ada, 'team', 'sub_no'))
  server.failNext = { status: 404, error: { type: 'invalid_request_error', message: 'No such subscription' } }
  t.is(codeOf(await ada.post(`${BILLING}/subscription/cancel`)), '502 provider_failed')
  t.false((await subscription(ada)).cancelAtPeriodEnd)
  t.is(codeOf(await (await people.operator()).post(`${BILLING}/dev/advance`, { days: 1 })), '409 not_in_development')
})

test.serial('cancels here and at Stripe when the grace period ends', async t => {
  const ada = await people.person()
  await send('checkout.session.completed', session(ada, 'team', 'sub_grace'), at(-20 * DAY))
  await send('invoice.payment_failed', invoice('sub_grace', 'subscription_cycle', 0), at(-15 * DAY))
  t.is((await subscription(ada)).state, 'past_due')
  await kernel.kernel.ports.jobs.enqueue('billing.run_due_changes', {})
  await kernel.settled()
  t.is((await subscription(ada)).state, 'canceled')
  t.true(server.calls.some(({ method, path }) => method === 'DELETE' && path === '/v1/subscriptions/sub_grace'))
})

test.serial('gives up an event after three days without a matching tenant', async t => {
  const ada = await people.person()
  await send('invoice.paid', invoice('sub_lost', 'subscription_cycle', at()))
  t.deepEqual(await outcomes('sub_lost'), [null])
  clock.at += 4 * DAY
  await kernel.kernel.ports.jobs.enqueue('billing.process_webhooks', {})
  await kernel.settled()
  t.deepEqual(await outcomes('sub_lost'), ['unknown'])
  t.is(problem(await ada.post(`${BILLING}/subscription/cancel`)).code, 'invalid_state')
})
