import test from 'ava'
import type { Person } from '../../../testing/index.ts'
import { startTestKernel } from '../../../testing/index.ts'
import { createTestClock } from '../../fixtures/clock.ts'
import { codeOf, peopleOf, problem } from '../../fixtures/people.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import { BILLING, billingRecipe, buy, DAY, ledger, subscription } from './fixtures.ts'

const { kernel, clock, people, operator } = withPeople(
  test,
  { recipe: billingRecipe(), clock: true },
  { operator: 'operator' },
)

const advance = ({ tenantId }: Person, days: number, payments?: 'succeed' | 'fail') =>
  operator.post(`${BILLING}/dev/advance`, { tenantId, days, ...(payments && { payments }) })
const eventsOf = async ({ tenantId }: Person): Promise<string[]> => {
  const { rows } = await kernel.kernel.ports.database
    .tenant(tenantId)
    .query<{ type: string }>("select type from larder_events where type like 'billing.subscription.%' order by id")
  return rows.map(({ type }) => type.slice('billing.subscription.'.length))
}
const ahead = (time: string | null) => Math.round((Date.parse(time as string) - clock.now()) / DAY)

test('starts a new workspace on the default plan', async t => {
  const ada = await people.person()
  t.like(await subscription(ada), {
    state: 'free',
    planKey: 'free',
    currentPeriodEnd: null,
    trialEndsAt: null,
    graceEndsAt: null,
    cancelAtPeriodEnd: false,
  })
  const { body } = await ada.get(`/v1/identity/tenants/${ada.tenantId}`)
  t.is(body.planKey, 'free')
})

test('starts a second workspace on the default plan, with and without an Idempotency-Key', async t => {
  const ada = await people.person()
  const idempotent: Record<string, string> = { 'idempotency-key': 'second', 'x-tenant-id': ada.tenantId }
  for (const headers of [{}, idempotent]) {
    const made = await ada.post('/v1/identity/tenants', { name: 'Second' }, { headers })
    t.is(made.status, 201)
    t.is(made.body.planKey, 'free')
  }
})

test('a list of workspaces shows the plan of each', async t => {
  const ada = await people.person()
  await ada.post('/v1/identity/tenants', { name: 'Second' })
  await buy(ada, 'pro')
  const { body } = await ada.get('/v1/identity/tenants')
  const plans = body.data.map(({ id, planKey }) => [id === ada.tenantId ? 'first' : 'second', planKey])
  t.deepEqual(Object.fromEntries(plans), { first: 'pro', second: 'free' })
})

test('lists plans, cheapest first; one without a price has the currency of the others', async t => {
  const ada = await people.person()
  const { status, body } = await ada.get(`${BILLING}/plans`)
  t.is(status, 200)
  t.deepEqual(
    body.data.map(({ key, price, currency }) => [key, price, currency]),
    [
      ['free', 0, 'EUR'],
      ['pro', 2900, 'EUR'],
      ['team', 4900, 'EUR'],
    ],
  )
})

test('starts with the trial, becomes active when it ends, and renews', async t => {
  const ada = await people.person()
  const made = await buy(ada, 'pro')
  t.is(made.status, 201)
  t.like(made.body, { status: 'complete', url: 'http://localhost:8080/billing?checkout=done' })
  const trial = await subscription(ada)
  t.like(trial, { state: 'trialing', planKey: 'pro' })
  t.is(ahead(trial.trialEndsAt), 14)
  t.is((await advance(ada, 13)).body.state, 'trialing')
  t.is((await advance(ada, 1)).body.state, 'active')
  t.is((await advance(ada, 31)).body.state, 'active')
  t.deepEqual(await eventsOf(ada), ['trial_started', 'activated', 'renewed'])
  t.deepEqual(
    (await ledger(ada)).filter(({ kind }) => kind === 'grant').map(({ amount, reason }) => [amount, reason]),
    Array(3).fill([1000, 'plan pro']),
  )
  const { body } = await ada.get(`/v1/identity/tenants/${ada.tenantId}`)
  t.is(body.planKey, 'pro')
})

test('grants one trial per workspace', async t => {
  const ada = await people.person()
  await buy(ada, 'pro')
  await ada.post(`${BILLING}/subscription/cancel`, { when: 'now' })
  t.like(await subscription(ada), { state: 'canceled', planKey: 'free', currentPeriodEnd: null })
  await buy(ada, 'pro')
  t.like(await subscription(ada), { state: 'active', planKey: 'pro', trialEndsAt: null })
})

test('cancels two weeks after a failed payment unless it is paid by then', async t => {
  const [ada, bob] = [await people.person(), await people.person()]
  for (const person of [ada, bob]) {
    await buy(person, 'team')
    t.is((await advance(person, 32, 'fail')).body.state, 'past_due')
    t.is((await advance(person, 11, 'fail')).body.state, 'past_due')
  }
  t.is((await advance(ada, 0)).body.state, 'active')
  t.is((await advance(bob, 3, 'fail')).body.state, 'canceled')
  t.deepEqual(await eventsOf(ada), ['activated', 'past_due', 'activated'])
  t.deepEqual(await eventsOf(bob), ['activated', 'past_due', 'canceled'])
  t.is((await subscription(bob)).planKey, 'free')
})

test('is past due after an unpaid trial', async t => {
  const ada = await people.person()
  await buy(ada, 'pro')
  t.is((await advance(ada, 14, 'fail')).body.state, 'past_due')
})

test('cancels at the end of the period, and can be resumed until then', async t => {
  const ada = await people.person()
  await buy(ada, 'team')
  const canceled = await ada.post(`${BILLING}/subscription/cancel`)
  t.is(canceled.status, 200)
  t.like(canceled.body, { state: 'active', cancelAtPeriodEnd: true })
  t.is(codeOf(await ada.post(`${BILLING}/subscription/cancel`)), '409 invalid_state')
  t.like((await ada.post(`${BILLING}/subscription/resume`)).body, { state: 'active', cancelAtPeriodEnd: false })
  t.is(codeOf(await ada.post(`${BILLING}/subscription/resume`)), '409 invalid_state')
  await ada.post(`${BILLING}/subscription/cancel`)
  t.is((await advance(ada, 32)).body.state, 'canceled')
  t.deepEqual(await eventsOf(ada), ['activated', 'cancel_scheduled', 'resumed', 'cancel_scheduled', 'canceled'])
})

test('changes the plan at once, without a second activation', async t => {
  const ada = await people.person()
  await buy(ada, 'team')
  t.is((await buy(ada, 'pro')).status, 201)
  t.like(await subscription(ada), { state: 'active', planKey: 'pro', trialEndsAt: null })
  t.deepEqual(await eventsOf(ada), ['activated', 'plan_changed'])
  t.is(problem(await buy(ada, 'pro')).detail, 'The plan is already Pro.')
  await ada.post(`${BILLING}/subscription/cancel`)
  t.regex(problem(await buy(ada, 'pro')).detail ?? '', / Resume the subscription to keep it\.$/)
})

test('catches up on a year without a worker, period by period', async t => {
  const ada = await people.person()
  await buy(ada, 'team')
  t.is((await advance(ada, 360)).body.state, 'active')
  t.deepEqual(await eventsOf(ada), ['activated', ...Array(11).fill('renewed')])
  const left = ahead((await subscription(ada)).currentPeriodEnd)
  t.true(left > 0 && left <= 31, `${left} days`)
})

test('renews on the last day of shorter months, and on the first day again afterwards', async t => {
  const clock = createTestClock()
  const kernel = await startTestKernel({ recipe: billingRecipe(), clock })
  t.teardown(() => kernel.stop())
  const year = new Date(clock.now()).getUTCFullYear() + 1
  clock.forward(Date.UTC(year, 0, 31, 12) - clock.now())
  const ada = await peopleOf(kernel).person()
  await buy(ada, 'team')
  const { jobs, database } = kernel.kernel.ports
  const periodEnd = async () => {
    const { rows } = await database
      .tenant(ada.tenantId)
      .query<{ end: Date }>('select current_period_end as end from billing_subscriptions')
    return rows[0]?.end as Date
  }
  const days: string[] = []
  for (let month = 0; month < 4; month++) {
    const end = await periodEnd()
    days.push(end.toISOString().slice(5, 10))
    clock.forward(end.getTime() - clock.now() + 1000)
    await jobs.enqueue('billing.run_due_changes', {})
    await kernel.settled()
  }
  const lastOfFebruary = new Date(Date.UTC(year, 2, 0)).toISOString().slice(5, 10)
  t.deepEqual(days, [lastOfFebruary, '03-31', '04-30', '05-31'])
})

test('rejects transitions that the state does not allow, and invalid bodies', async t => {
  const ada = await people.person()
  for (const [path, body] of [
    ['subscription/cancel', {}],
    ['subscription/cancel', { when: 'now' }],
    ['subscription/resume', undefined],
    ['portal', {}],
  ] as const)
    t.is(codeOf(await ada.post(`${BILLING}/${path}`, body)), '409 invalid_state', path)
  for (const [path, body, pointer] of [
    ['checkout', {}, '/planKey'],
    ['checkout', { planKey: 7 }, '/planKey'],
    ['checkout', { planKey: 'nobody' }, '/planKey'],
    ['checkout', { planKey: 'free' }, '/planKey'],
    ['checkout', { planKey: 'pro', price: 0 }, '/price'],
    ['checkout', { planKey: 'pro', successUrl: 'javascript:alert(1)' }, '/successUrl'],
    ['checkout', { planKey: 'pro', cancelUrl: '//evil.test' }, '/cancelUrl'],
    ['checkout', { planKey: 'pro', successUrl: 'https://evil.test/' }, '/successUrl'],
    ['checkout', { planKey: 'pro', cancelUrl: 'http://localhost:8080@evil.test/' }, '/cancelUrl'],
    ['checkout', { planKey: 'pro', cancelUrl: 'http://localhost:8081/' }, '/cancelUrl'],
    ['portal', { returnUrl: 'https://evil.test/' }, '/returnUrl'],
    ['subscription/cancel', { when: 'yesterday' }, '/when'],
    ['portal', { returnUrl: 'x' }, '/returnUrl'],
  ] as const) {
    const answer = await ada.post(`${BILLING}/${path}`, body)
    t.is(codeOf(answer), '422 validation_failed', JSON.stringify(body))
    t.is(problem(answer).errors?.[0]?.pointer, pointer, JSON.stringify(body))
  }
  t.is((await subscription(ada)).state, 'free')
})

test('allows return URLs on the host of the product and on hosts of the recipe', async t => {
  const other = await startTestKernel({ recipe: billingRecipe({ returnHosts: ['app.acme.test'] }) })
  t.teardown(() => other.stop())
  const ada = await peopleOf(other).person()
  const refused = await ada.post(`${BILLING}/checkout`, { planKey: 'team', successUrl: 'https://acme.test/thanks' })
  t.is(codeOf(refused), '422 validation_failed')
  t.like(problem(refused).errors?.[0], {
    code: 'host_not_allowed',
    detail: 'must be on an allowed host: localhost:8080, app.acme.test',
  })
  const urls = { successUrl: 'https://app.acme.test/thanks', cancelUrl: 'http://localhost:8080/billing' }
  const bought = await ada.post(`${BILLING}/checkout`, { planKey: 'team', ...urls })
  t.deepEqual([bought.status, bought.body.url], [201, urls.successUrl])
})

test('creates one subscription from ten concurrent checkouts', async t => {
  const ada = await people.person()
  const made = await Promise.all(Array.from({ length: 10 }, () => buy(ada, 'team')))
  t.deepEqual([...new Set(made.map(({ status }) => status))].sort(), [201, 409])
  t.is(made.filter(({ status }) => status === 201).length, 1)
  t.is((await ledger(ada)).length, 1)
})

test('checks out once per Idempotency-Key', async t => {
  const ada = await people.person()
  const again = { headers: { 'idempotency-key': 'one' } }
  const [first, second] = [
    await ada.post(`${BILLING}/checkout`, { planKey: 'team' }, again),
    await ada.post(`${BILLING}/checkout`, { planKey: 'team' }, again),
  ]
  t.is(first.body.id, second.body.id)
  t.is(second.headers.get('idempotent-replayed'), 'true')
})

test('requires the permission of each route, and platform scope to advance time', async t => {
  const ada = await people.person()
  const reader = await people.colleague(ada, ['tenant.member'])
  for (const [method, path, permission] of [
    ['GET', 'plans', 'billing.plan.read'],
    ['GET', 'subscription', 'billing.subscription.read'],
    ['POST', 'checkout', 'billing.subscription.update'],
    ['POST', 'subscription/cancel', 'billing.subscription.update'],
    ['POST', 'subscription/resume', 'billing.subscription.update'],
    ['POST', 'portal', 'billing.subscription.update'],
    ['GET', 'entitlements', 'billing.entitlement.read'],
    ['POST', 'entitlements/identity.seat/check', 'billing.entitlement.read'],
    ['GET', 'credits', 'billing.credit.read'],
    ['GET', 'credits/transactions', 'billing.credit.read'],
    ['POST', 'credits/consume', 'billing.credit.consume'],
  ] as const) {
    const answer = await reader.call(method, `${BILLING}/${path}`, method === 'POST' ? {} : undefined)
    t.is(problem(answer).requiredPermission, permission, path)
    const foreign = kernel.as((await people.person()).token, ada.tenantId)
    t.is(
      codeOf(await foreign.call(method, `${BILLING}/${path}`, method === 'POST' ? {} : undefined)),
      '403 not_a_member',
    )
  }
  for (const path of ['dev/advance', 'credits'])
    t.is(codeOf(await ada.post(`${BILLING}/${path}`, {})), '403 forbidden', `owner of a workspace: ${path}`)
  for (const body of [{}, { days: -1 }, { days: 1, payments: 'perhaps' }, { days: 1, tenantId: 'x' }])
    t.is(codeOf(await operator.post(`${BILLING}/dev/advance`, body)), '422 validation_failed')
})

test('rejects grants and advanced time for workspaces that do not exist', async t => {
  const former = await people.person()
  await former.delete(`/v1/identity/tenants/${former.tenantId}`)
  await kernel.settled()
  for (const tenantId of [former.tenantId, `ten_${'0'.repeat(26)}`]) {
    const grant = { tenantId, key: 'ai.credits', amount: 1, reason: 'promotion' }
    t.is(codeOf(await operator.post(`${BILLING}/credits`, grant)), '404 not_found')
    t.is(codeOf(await operator.post(`${BILLING}/dev/advance`, { tenantId, days: 1 })), '404 not_found')
  }
  const { rowCount } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test looks for rows of a deleted tenant')
    .query('select 1 from billing_subscriptions where tenant_id = $1', [former.tenantId])
  t.is(rowCount, 0)
})

test('deletes the subscription with its workspace', async t => {
  const ada = await people.person()
  await buy(ada, 'team')
  await ada.delete(`/v1/identity/tenants/${ada.tenantId}`)
  await kernel.settled()
  const { rowCount } = await kernel.kernel.ports.database
    .tenant(ada.tenantId)
    .query('select 1 from billing_subscriptions')
  t.is(rowCount, 0)
})
