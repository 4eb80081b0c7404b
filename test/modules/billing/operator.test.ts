/** What operators do for a workspace. */
import test from 'ava'
import type { Client, Person } from '../../../testing/index.ts'
import { codeOf, problem } from '../../fixtures/people.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import {
  BILLING,
  balance,
  billingRecipe,
  buy,
  consume,
  DAY,
  type Entry,
  ledger,
  type Subscription,
  subscription,
} from './fixtures.ts'

const { people, operator, clock } = withPeople(test, { recipe: billingRecipe(), clock: true }, { operator: 'operator' })

const planPath = (id: string) => `${BILLING}/admin/tenants/${id}/subscription`
const creditsPath = (id: string) => `${BILLING}/admin/tenants/${id}/credits`
const setPlan = (client: Client, id: string, body: object) => client.put<{ checkoutUrl: unknown }>(planPath(id), body)
let keys = 0
const credit = (client: Client, id: string, body: object, key = `operator-${++keys}`) =>
  client.post<Entry>(
    creditsPath(id),
    { key: 'ai.credits', reason: 'Outage', ...body },
    { headers: { 'idempotency-key': key } },
  )
const auditOf = async (client: Client, action: string) =>
  (await client.get(`/v1/identity/audit?filter[action]=${action}`)).body.data
const PLAN = { planKey: 'team', reason: 'Agreed on the phone' }
const NOBODY = 'ten_0000000000000000000000000x'
const UNKNOWN = 'ten_00000000000000000000000000'

test('an operator changes the plan of a workspace, which both audit logs show with the reason', async t => {
  const ada = await people.person()
  const changed = await setPlan(operator, ada.tenantId, PLAN)
  t.is(changed.status, 200)
  t.like(changed.body, { subscription: { planKey: 'team', state: 'active' }, checkoutUrl: null })
  t.is((await subscription(ada)).planKey, 'team')
  t.is(await balance(ada), 100)
  const details = { planKey: 'team', previousPlanKey: 'free', reason: PLAN.reason, tenantId: ada.tenantId }
  t.like((await auditOf(ada, 'subscription.changed'))[0], { details })
  t.true((await auditOf(operator, 'subscription.changed')).some(entry => entry.details.tenantId === ada.tenantId))
})

test('the default plan ends the subscription at once', async t => {
  const ada = await people.person()
  await buy(ada, 'team')
  const { body } = await setPlan(operator, ada.tenantId, { ...PLAN, planKey: 'free' })
  t.like(body, { subscription: { planKey: 'free', state: 'canceled' } })
})

test('a plan that the workspace has is refused, also for concurrent requests', async t => {
  const ada = await people.person()
  const answers = await Promise.all([1, 2, 3].map(() => setPlan(operator, ada.tenantId, PLAN)))
  t.true(answers.some(({ status }) => status === 200))
  t.is(codeOf(await setPlan(operator, ada.tenantId, PLAN)), '409 invalid_state')
  t.is((await subscription(ada)).planKey, 'team')
})

test('checks the plan, the reason and the workspace', async t => {
  const ada = await people.person()
  const pointers = async (body: object) =>
    problem(await setPlan(operator, ada.tenantId, body)).errors?.map(({ pointer }) => pointer)
  t.deepEqual(await pointers({ planKey: 'nothing', reason: 'r' }), ['/planKey'])
  t.true((await pointers({ planKey: 'team' }))?.includes('/reason'))
  t.true((await pointers({ planKey: 'team', reason: '   ' }))?.includes('/reason'))
  t.deepEqual(await pointers({ planKey: 7, reason: 'r' }), ['/planKey'])
  t.deepEqual(await pointers({ ...PLAN, amount: 1 }), ['/amount'])
  for (const id of [NOBODY, UNKNOWN, 'x'])
    for (const answer of [await setPlan(operator, id, PLAN), await credit(operator, id, { amount: 1 })])
      t.is(codeOf(answer as never), '404 not_found')
})

test('only operators may change plans and credits of workspaces', async t => {
  const [ada, bob] = await Promise.all([people.person(), people.person()])
  for (const client of [ada, bob] satisfies Person[]) {
    t.is(codeOf(await setPlan(client, ada.tenantId, PLAN)), '403 forbidden')
    t.is(codeOf(await credit(client, ada.tenantId, { amount: 1 })), '403 forbidden')
  }
})

test('an operator grants credits and takes them back, which both audit logs show', async t => {
  const ada = await people.person()
  const granted = await credit(operator, ada.tenantId, { amount: 50 })
  t.is(granted.status, 201)
  t.like(granted.body, { kind: 'grant', amount: 50, reason: 'Outage' })
  t.like((await credit(operator, ada.tenantId, { amount: -20 })).body, { kind: 'adjust', amount: -20 })
  t.is(await balance(ada), 30)
  t.is(codeOf(await credit(operator, ada.tenantId, { amount: -31 })), '409 insufficient_credits')
  t.like((await auditOf(ada, 'credits.granted'))[0], { details: { amount: 50, reason: 'Outage' } })
  const taken = await auditOf(ada, 'credits.taken_back')
  t.is(taken.length, 1)
  t.like(taken[0], { details: { amount: -20 } })
  t.true((await auditOf(operator, 'credits.granted')).some(({ details }) => details.tenantId === ada.tenantId))
})

test('an operator refunds a consumption, at most what was consumed', async t => {
  const ada = await people.person()
  await credit(operator, ada.tenantId, { amount: 50 })
  const { id } = (await consume(ada, 30)).body
  t.like((await credit(operator, ada.tenantId, { amount: 30, refundOf: id })).body, { kind: 'refund', amount: 30 })
  t.is(codeOf(await credit(operator, ada.tenantId, { amount: 1, refundOf: id })), '422 validation_failed')
  t.is(codeOf(await credit(operator, ada.tenantId, { amount: -1, refundOf: id })), '422 validation_failed')
  const unknown = await credit(operator, ada.tenantId, { amount: 1, refundOf: 'crd_unknown' })
  t.like(problem(unknown).errors?.[0], { pointer: '/refundOf', code: 'unknown_entry' })
  t.is(await balance(ada), 50)
})

test('a repeated or concurrent request with one key changes credits once', async t => {
  const ada = await people.person()
  const answers = await Promise.all([1, 2, 3].map(() => credit(operator, ada.tenantId, { amount: 5 }, 'double-click')))
  t.true(answers.some(({ status }) => status === 201))
  t.is((await credit(operator, ada.tenantId, { amount: 5 }, 'double-click')).status, 201)
  t.is(await balance(ada), 5)
  t.is((await ledger(ada)).length, 1)
  const without = await operator.post(creditsPath(ada.tenantId), { key: 'ai.credits', amount: 5, reason: 'r' })
  t.is(without.status, 400)
})

test('checks the amount, the key and the time', async t => {
  const ada = await people.person()
  for (const body of [
    { amount: 0 },
    { amount: 1.5 },
    { amount: '5' },
    { amount: 1e12 },
    { amount: 1, reason: '' },
    { amount: 1, key: 'identity.seat' },
    { amount: 1, expiresAt: '2001-01-01T00:00:00Z' },
    { amount: 1, expiresAt: 'tomorrow' },
    { amount: 1, tenantId: ada.tenantId },
  ])
    t.is((await credit(operator, ada.tenantId, body)).status, 422, JSON.stringify(body))
  t.is(await balance(ada), 0)
})

const extend = (client: Client, id: string, body: object) =>
  client.post<Subscription>(`${planPath(id)}/trial` as never, { reason: 'Needs more time', ...body } as never)
const cancel = (client: Client, id: string, body: object = { reason: 'Asked for it' }) =>
  client.post<Subscription>(`${planPath(id)}/cancel` as never, body as never)
const inDays = (days: number): string => new Date(Math.floor(clock.now() / 1000) * 1000 + days * DAY).toISOString()

test.serial('an operator extends a trial, with the credits of the plan', async t => {
  const ada = await people.person()
  await buy(ada, 'pro')
  const trialEndsAt = inDays(30)
  const extended = await extend(operator, ada.tenantId, { trialEndsAt })
  t.is(extended.status, 200, JSON.stringify(extended.body))
  t.like(extended.body, { state: 'trialing', trialEndsAt, currentPeriodEnd: trialEndsAt })
  const [entry] = await auditOf(ada, 'trial.extended')
  t.like(entry, { details: { trialEndsAt, reason: 'Needs more time', tenantId: ada.tenantId } })
  const { body } = await operator.post(`${BILLING}/dev/advance`, { days: 20, tenantId: ada.tenantId } as never)
  t.like(body, { state: 'trialing' })
  t.is(await balance(ada), 1000)
})

test.serial('the same end of a trial again changes nothing, and an earlier one is refused', async t => {
  const ada = await people.person()
  await buy(ada, 'pro')
  const trialEndsAt = inDays(20)
  const answers = await Promise.all([1, 2, 3].map(() => extend(operator, ada.tenantId, { trialEndsAt })))
  t.true(answers.some(({ status }) => status === 200))
  t.is((await extend(operator, ada.tenantId, { trialEndsAt })).status, 200)
  const pointers = async (end: string) =>
    problem(await extend(operator, ada.tenantId, { trialEndsAt: end })).errors?.map(({ pointer, code }) => [
      pointer,
      code,
    ])
  t.deepEqual(await pointers(inDays(15)), [['/trialEndsAt', 'too_early']])
  t.deepEqual(await pointers(inDays(-1)), [['/trialEndsAt', 'past']])
  t.deepEqual(await pointers(inDays(400)), [['/trialEndsAt', 'too_late']])
  t.is((await subscription(ada)).trialEndsAt, trialEndsAt)
})

test.serial('only a running trial is extended', async t => {
  const [ada, bob, cleo] = await Promise.all([people.person(), people.person(), people.person()])
  const trialEndsAt = inDays(60)
  const detail = async (id: string) => {
    const answer = await extend(operator, id, { trialEndsAt })
    return [codeOf(answer), problem(answer as never).detail]
  }
  t.deepEqual(await detail(ada.tenantId), ['409 invalid_state', 'There is no trial to extend.'])
  await buy(bob, 'team')
  t.deepEqual(await detail(bob.tenantId), ['409 invalid_state', 'There is no trial to extend.'])
  await buy(cleo, 'pro')
  t.is((await cancel(operator, cleo.tenantId)).status, 200)
  t.deepEqual(await detail(cleo.tenantId), ['409 invalid_state', 'The subscription is already scheduled to end.'])
})

test.serial('an operator cancels a plan at the end of its period, and what is canceled stays so', async t => {
  const ada = await people.person()
  await buy(ada, 'team')
  const answers = await Promise.all([1, 2, 3].map(() => cancel(operator, ada.tenantId)))
  const accepted = answers.filter(({ status }) => status === 200).length
  t.true(accepted >= 1)
  t.like(await subscription(ada), { state: 'active', planKey: 'team', cancelAtPeriodEnd: true })
  t.is(codeOf(await cancel(operator, ada.tenantId)), '409 invalid_state')
  const entries = await auditOf(ada, 'subscription.canceled')
  t.is(entries.length, accepted)
  t.like(entries[0], { details: { reason: 'Asked for it', planKey: 'team' } })
  const bob = await people.person()
  t.is(codeOf(await cancel(operator, bob.tenantId)), '409 invalid_state')
})

test.serial('extending and canceling check the body, the workspace and the permission', async t => {
  const ada = await people.person()
  await buy(ada, 'pro')
  const trialEndsAt = inDays(20)
  t.is(codeOf(await extend(operator, ada.tenantId, {})), '422 validation_failed')
  t.is(codeOf(await extend(operator, ada.tenantId, { trialEndsAt: 'tomorrow' })), '422 validation_failed')
  t.is(codeOf(await extend(operator, ada.tenantId, { trialEndsAt, reason: ' ' })), '422 validation_failed')
  t.is(codeOf(await cancel(operator, ada.tenantId, {})), '422 validation_failed')
  t.is(codeOf(await cancel(operator, ada.tenantId, { reason: 'r', when: 'now' })), '422 validation_failed')
  for (const id of [NOBODY, UNKNOWN, 'x']) {
    t.is(codeOf(await extend(operator, id, { trialEndsAt })), '404 not_found')
    t.is(codeOf(await cancel(operator, id)), '404 not_found')
  }
  t.is(codeOf(await extend(ada, ada.tenantId, { trialEndsAt })), '403 forbidden')
  t.is(codeOf(await cancel(ada, ada.tenantId)), '403 forbidden')
})

test.serial('a plan that an operator gives is given, and no trial; one that was bought is not', async t => {
  const [ada, bob] = await Promise.all([people.person(), people.person()])
  await setPlan(operator, ada.tenantId, { ...PLAN, planKey: 'pro' })
  t.like(await subscription(ada), { state: 'active', given: true, trialEndsAt: null })
  await buy(bob, 'pro')
  t.like(await subscription(bob), { state: 'trialing', given: false })
})
