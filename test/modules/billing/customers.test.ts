/** Plans in a product of people: each customer has a plan, usage and credits of their own. */
import test from 'ava'
import type { Client, Person } from '../../../testing/index.ts'
import { mistakesOf, runAction } from '../../fixtures/actions.ts'
import type { Revenue } from '../../fixtures/api-types.ts'
import { codeOf, newEmail } from '../../fixtures/people.ts'
import { problemOf } from '../../fixtures/problem-of.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import { BILLING, balance, billingRecipe, buy, ledger, PLANS, type Standing, subscription } from './fixtures.ts'

const recipe = billingRecipe(
  {},
  {
    product: { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080', audience: 'people' },
    // Bought in the tests of revenue alone.
    plans: {
      ...PLANS,
      francs: { name: 'Francs', price: 1500, currency: 'CHF' },
      crowns: { name: 'Crowns', price: 900, currency: 'SEK' },
    },
  },
)
const { kernel, people, operator } = withPeople(test, { recipe }, { operator: 'operator' })
type Membership = { readonly memberId: string }
const memberOf = async (person: Person): Promise<Membership & Person> => {
  const { people: port, operator: own, systemDatabase } = kernel.kernel.ports
  const { rows } = await systemDatabase
    .acrossTenants('a test reads members')
    .query<{ id: string }>('select id from identity_members where tenant_id = $1 and user_id = $2', [
      own.tenantId,
      person.userId,
    ])
  const memberId = rows[0]?.id as string
  if ((await port.customers(own.tenantId, [memberId])).length === 0) throw new Error('the person is no customer')
  return Object.assign(person, { memberId })
}
const customer = async () => memberOf(await people.person())
const use = ({ memberId, userId, tenantId }: Membership & Person, amount = 1) =>
  kernel.kernel.ports.entitlements.require({ tenantId, memberId, userId }, 'api.calls', amount)
const used = async (client: Client): Promise<number | undefined> =>
  (await client.get(`${BILLING}/entitlements`)).body.data.find(({ key }: Standing) => key === 'api.calls')?.used
const operatorCredits = (memberId: string, body: object, key: string) =>
  operator.post(
    `${BILLING}/admin/members/${memberId}/credits` as never,
    { key: 'ai.credits', amount: 5, reason: 'Outage', ...body } as never,
    { headers: { 'idempotency-key': key } },
  )

test('a customer buys a plan for themselves and nobody else', async t => {
  const [ada, bob] = await Promise.all([customer(), customer()])
  t.is(ada.tenantId, bob.tenantId)
  t.is((await buy(ada, 'team')).status, 201)
  t.like(await subscription(ada), { planKey: 'team', state: 'active' })
  t.like(await subscription(bob), { planKey: 'free', state: 'free' })
  t.deepEqual([await balance(ada), await balance(bob)], [100, 0])
  t.deepEqual([(await ledger(ada)).length, (await ledger(bob)).length], [1, 0])
})

test('concurrent purchases of customers of one workspace all succeed', async t => {
  const buyers = await Promise.all([1, 2, 3, 4, 5].map(customer))
  const answers = await Promise.all(buyers.map(buyer => buy(buyer, 'team')))
  t.deepEqual(
    answers.map(({ status }) => status),
    buyers.map(() => 201),
  )
  for (const buyer of buyers) t.is((await subscription(buyer)).planKey, 'team')
})

test('the meter of a customer counts what they use, up to the limit of their own plan', async t => {
  const [ada, bob] = await Promise.all([customer(), customer()])
  await use(ada, 2)
  await t.throwsAsync(use(ada), { message: /2 of 2 Calls/ })
  await t.notThrowsAsync(use(bob))
  await buy(ada, 'pro')
  await t.notThrowsAsync(use(ada))
  t.deepEqual([await used(ada), await used(bob)], [3, 1])
})

test('callers in random order always meet the plan of their own', async t => {
  const all = await Promise.all([1, 2, 3, 4].map(customer))
  const [first, second, ...others] = all as [(typeof all)[0], (typeof all)[0], ...typeof all]
  await Promise.all([first, second].map(buyer => buy(buyer, 'pro')))
  const order = Array.from({ length: 60 }, (_, index) => all[(index * 7 + (index % 3)) % all.length] as (typeof all)[0])
  const outcomes = await Promise.allSettled(order.map(person => use(person)))
  const allowedOf = (person: (typeof all)[0]) =>
    outcomes.filter(({ status }, index) => order[index] === person && status === 'fulfilled').length
  const triesOf = (person: (typeof all)[0]) => order.filter(one => one === person).length
  for (const person of others) t.is(allowedOf(person), 2)
  for (const person of [first, second]) t.is(allowedOf(person), triesOf(person))
})

test("the plans of customers don't limit staff", async t => {
  const { tenantId } = kernel.kernel.ports.operator
  const { entitlements } = kernel.kernel.ports
  for (let count = 0; count < 5; count++) await t.notThrowsAsync(entitlements.require(tenantId, 'api.calls'))
})

test('a period of one customer ends without touching the others', async t => {
  const [ada, bob] = await Promise.all([customer(), customer()])
  for (const buyer of [ada, bob]) await buy(buyer, 'team')
  const path = `${BILLING}/dev/advance`
  const failed = await operator.post(path, { days: 60, payments: 'fail', memberId: ada.memberId } as never)
  t.is(failed.status, 200)
  t.not((await subscription(ada)).state, 'active')
  t.is((await subscription(bob)).state, 'active')
})

test('an operator sees and changes the plan of one customer', async t => {
  const [ada, bob] = await Promise.all([customer(), customer()])
  const path = (member: Membership) => `${BILLING}/admin/members/${member.memberId}` as const
  const changed = await operator.put(
    `${path(ada)}/subscription` as never,
    { planKey: 'team', reason: 'Asked' } as never,
  )
  t.is(changed.status, 200)
  t.like((await operator.get(path(ada) as never)).body, { subscription: { planKey: 'team' } })
  t.like((await operator.get(path(bob) as never)).body, { subscription: { planKey: 'free' } })
  t.is((await operatorCredits(ada.memberId, {}, 'first')).status, 201)
  t.is((await operatorCredits(ada.memberId, {}, 'first')).status, 201)
  t.deepEqual([await balance(ada), await balance(bob)], [105, 0])
})

test("operators' routes refuse people who are no members, and customers", async t => {
  const ada = await customer()
  for (const id of ['mem_00000000000000000000000000', 'x', ada.tenantId])
    t.is(codeOf((await operator.get(`${BILLING}/admin/members/${id}` as never)) as never), '404 not_found')
  t.is(codeOf((await ada.get(`${BILLING}/admin/members/${ada.memberId}` as never)) as never), '403 forbidden')
})

test('events of a subscription name the customer', async t => {
  const ada = await customer()
  await buy(ada, 'team')
  const { rows } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test reads events')
    .query<{ payload: { memberId?: string } }>(
      "select payload from larder_events where type = 'billing.subscription.activated' and payload->>'memberId' = $1",
      [ada.memberId],
    )
  t.is(rows.length, 1)
})

test('the due changes of many customers are applied by the worker', async t => {
  const [ada, bob] = await Promise.all([customer(), customer()])
  for (const buyer of [ada, bob]) await buy(buyer, 'pro')
  t.deepEqual([(await subscription(ada)).state, (await subscription(bob)).state], ['trialing', 'trialing'])
  await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test ends trials')
    .query('update billing_subscriptions set trial_ends_at = $2 where member_id = any ($1)', [
      [ada.memberId, bob.memberId],
      new Date(Date.now() - 60_000),
    ])
  await kernel.kernel.ports.jobs.enqueue('billing.run_due_changes', {})
  await kernel.settled()
  t.deepEqual([(await subscription(ada)).state, (await subscription(bob)).state], ['active', 'active'])
})

test('the export of an account has the plan and the credits of the customer, and of nobody else', async t => {
  const [ada, bob] = await Promise.all([customer(), customer()])
  for (const buyer of [ada, bob]) await buy(buyer, 'team')
  const [own] = await ledger(ada)
  const { body } = await ada.get<unknown>('/v1/auth/me/export' as never)
  const text = JSON.stringify(body)
  t.true(text.includes((await subscription(ada)).id) && text.includes(own?.id as string))
  t.false(text.includes((await subscription(bob)).id))
})

test('registration, sign-in and account answer the plan of the customer', async t => {
  const ada = await customer()
  await buy(ada, 'team')
  const signedIn = await kernel.post('/v1/auth/login', { email: ada.email, password: ada.password })
  t.like(signedIn.body, { workspace: { planKey: 'team' } })
  t.like((await ada.get('/v1/me')).body, { workspace: { planKey: 'team' } })
  t.like((await ada.get('/v1/auth/me')).body, { memberships: [{ tenant: { planKey: 'team' } }] })
  t.like((await ada.get('/v1/identity/tenants')).body, { data: [{ planKey: 'team' }] })
  const registered = await kernel.post('/v1/auth/register', { email: newEmail(), password: ada.password })
  t.like(registered.body, { workspace: { planKey: 'free' } })
})

test('the list of customers has the plan of each', async t => {
  const [ada, bob] = await Promise.all([customer(), customer()])
  await buy(ada, 'team')
  const { body } = await operator.get<{ data: { id: string; planKey: string }[] }>('/v1/identity/customers' as never)
  const planOf = ({ memberId }: Membership) => body.data.find(({ id }) => id === memberId)?.planKey
  t.deepEqual([planOf(ada), planOf(bob)], ['team', 'free'])
})

test('an automation grants credits to the customer whom the step names, and to nobody else', async t => {
  const [ada, bob] = await Promise.all([customer(), customer()])
  const grant = { key: 'ai.credits', amount: 30 }
  const person = ({ userId, email }: Person) => ({ userId, email, name: null, locale: null, isForeign: false })
  const run = (member: object) =>
    runAction(kernel.kernel, 'billing.grant_credits', { ...grant, member }, { tenantId: ada.tenantId })
  t.like(await run(person(ada)), { balance: 30 })
  t.deepEqual([await balance(ada), await balance(bob)], [30, 0])
  t.like((await ledger(ada))[0], { kind: 'grant', amount: 30, reason: 'automation welcome' })
  for (const userId of [null, 'usr_01k00000000000000000000000']) {
    const refusal = await problemOf(t, run({ ...person(bob), userId }))
    t.deepEqual([refusal.status, refusal.code], [422, 'customer_not_found'])
  }
  t.deepEqual(mistakesOf(kernel.kernel, 'billing.grant_credits', { ...grant, member: '$row.createdBy' }), [])
})

const revenueIn = async (currency: string) => {
  const { body } = await operator.get<Revenue>(`${BILLING}/admin/revenue`)
  const found = body.data.at(-1)?.currencies.find(one => one.currency === currency)
  return found && { recurring: found.recurring, new: found.new, lost: found.lost, subscriptions: found.subscriptions }
}

test('what each customer pays is revenue, and that of a customer who leaves is lost', async t => {
  const [ada, bob] = await Promise.all([customer(), customer()])
  for (const buyer of [ada, bob]) await buy(buyer, 'francs')
  t.deepEqual(await revenueIn('CHF'), { recurring: 3000, new: 3000, lost: 0, subscriptions: 2 })
  t.true((await ada.post('/v1/auth/me/delete', { password: ada.password })).status < 300)
  await kernel.settled()
  t.deepEqual(await revenueIn('CHF'), { recurring: 1500, new: 3000, lost: -1500, subscriptions: 1 })
})

test('the plan of a customer who leaves ends: it is not renewed, and gives no credits', async t => {
  const [paying, trying] = await Promise.all([customer(), customer()])
  await buy(paying, 'team')
  await buy(trying, 'pro')
  const leavers = [paying.memberId, trying.memberId]
  const unit = kernel.kernel.ports.systemDatabase.acrossTenants('a test reads the plans of people who left')
  const grants = async () =>
    (await unit.query(`select id from billing_credit_entries where kind = 'grant' and member_id = any ($1)`, [leavers]))
      .rows.length
  const granted = await grants()
  t.true(granted > 0)
  for (const { post, password } of [paying, trying])
    t.true((await post('/v1/auth/me/delete', { password })).status < 300)
  await kernel.settled()
  await unit.query(
    `update billing_subscriptions set current_period_end = current_period_end - interval '2 months',
       trial_ends_at = trial_ends_at - interval '2 months' where member_id = any ($1)`,
    [leavers],
  )
  await kernel.kernel.ports.jobs.enqueue('billing.run_due_changes', {})
  await kernel.settled()
  const { rows } = await unit.query(
    `select distinct state, revenue, current_period_end as "periodEnd" from billing_subscriptions
     where member_id = any ($1)`,
    [leavers],
  )
  t.deepEqual(rows, [{ state: 'canceled', revenue: null, periodEnd: null }])
  t.is(await grants(), granted)
  const canceled = await unit.query(
    `select payload->>'memberId' as id from larder_events where type = 'billing.subscription.canceled'
       and payload->>'memberId' = any ($1)`,
    [leavers],
  )
  t.deepEqual(canceled.rows.map(({ id }) => String(id)).sort(), [...leavers].sort())
})

test('a plan that an operator gives a customer is no revenue', async t => {
  const ada = await customer()
  const give = (planKey: string) =>
    operator.put(`${BILLING}/admin/members/${ada.memberId}/subscription`, { planKey, reason: 'Outage' })
  t.is((await give('crowns')).status, 200)
  t.is((await subscription(ada)).planKey, 'crowns')
  t.is(await revenueIn('SEK'), undefined)
})

test('an operator extends the trial of one customer and cancels their plan', async t => {
  const [ada, bob] = await Promise.all([customer(), customer()])
  for (const buyer of [ada, bob]) await buy(buyer, 'pro')
  const path = `${BILLING}/admin/members/${ada.memberId}/subscription`
  const trialEndsAt = new Date(Math.floor(Date.now() / 1000) * 1000 + 30 * 86_400_000).toISOString()
  const extended = await operator.post(`${path}/trial` as never, { trialEndsAt, reason: 'Asked' } as never)
  t.is(extended.status, 200)
  t.is((await subscription(ada)).trialEndsAt, trialEndsAt)
  t.not((await subscription(bob)).trialEndsAt, trialEndsAt)
  t.is((await operator.post(`${path}/cancel` as never, { reason: 'Asked' } as never)).status, 200)
  t.true((await subscription(ada)).cancelAtPeriodEnd)
  t.false((await subscription(bob)).cancelAtPeriodEnd)
  t.is(codeOf(await ada.post(`${path}/cancel` as never, { reason: 'Asked' } as never)), '403 forbidden')
  const nobody = `${BILLING}/admin/members/mem_00000000000000000000000000/subscription/cancel`
  t.is(codeOf(await operator.post(nobody as never, { reason: 'Asked' } as never)), '404 not_found')
})
