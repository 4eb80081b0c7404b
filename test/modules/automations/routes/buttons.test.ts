import test from 'ava'
import type { Client } from '../../../../testing/index.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { notesOf } from '../fixtures.ts'
import { type Problem, type Run, shopRecipe } from './fixtures.ts'

const { kernel, people } = withPeople(test, { recipe: shopRecipe })

async function shop() {
  const owner = await people.person()
  const support = await people.colleague(owner, ['tenant.support'])
  const order = async (values: object = {}): Promise<string> => {
    const { body } = await owner.post<{ id: string }>('/v1/data/orders', { number: 'A1', ...values })
    return body.id
  }
  return { owner, support, order }
}
const refund = <Body = Run>(by: Client, row: unknown, more: object = { input: { amount: 5 } }, headers = {}) =>
  by.post<Body>('/v1/automations/refund/run', { row, ...more }, { headers })
/** The buttons on orders that the console shows to the person. */
async function buttonsOf(by: Client): Promise<(string | undefined)[]> {
  const { body } = await by.get<{ data: { id: string; actions: { path: string }[] }[] }>('/v1/platform/resources')
  const orders = body.data.find(({ id }) => id === 'collections.orders')
  return (orders?.actions ?? []).flatMap(({ path }) => /automations\/([a-z]+)\/run$/.exec(path)?.[1] ?? [])
}
/** An operator who acts as the user in the workspace of the shop. */
async function actingAs({ userId, tenantId }: { readonly userId: string; readonly tenantId: string }) {
  const operator = await people.operator()
  const path = `/v1/identity/admin/users/${userId}/impersonation`
  const { status, body } = await operator.post<{ token: string }>(path, { tenantId, reason: 'Reproduces a problem' })
  if (status >= 300) throw new Error(`acting as a user returned ${status}: ${JSON.stringify(body)}`)
  return { ...kernel.as(body.token, tenantId), token: body.token }
}
const runsOf = async (by: Client, row: string) =>
  (await by.get<{ data: Run[] }>(`/v1/automations/runs?filter[rowId]=${row}`)).body.data

test('a press starts a run with its input, which reads the row', async t => {
  const { owner, support, order } = await shop()
  const row = await order()
  const { status, body } = await refund(support, row)
  t.is(status, 202)
  t.like(body, { automation: 'refund', trigger: 'button', collection: 'orders', rowId: row })
  await kernel.settled()
  t.deepEqual(await notesOf(owner), ['refund 5 A1'])
})

const invalid: readonly [string, object, string][] = [
  ['input of the wrong type', { input: { amount: '5' } }, '/input/amount'],
  ['input out of its bounds', { input: { amount: 0 } }, '/input/amount'],
  ['input without a required field', { input: {} }, '/input/amount'],
  ['input with an unknown field', { input: { amount: 5, other: 1 } }, '/input/other'],
  ['input with an unknown choice', { input: { amount: 5, reason: 'x' } }, '/input/reason'],
  ['a missing input', {}, '/input'],
  ['an unknown field beside the input', { input: { amount: 5 }, other: 1 }, '/other'],
  ['a row that is no text', { row: 5, input: { amount: 5 } }, '/row'],
]
for (const [what, more, pointer] of invalid)
  test(`a press refuses ${what}`, async t => {
    const { support, order } = await shop()
    const row = await order()
    const { status, body } = await refund<Problem>(support, row, more)
    t.is(status, 422)
    t.deepEqual(
      body.errors?.map(each => each.pointer),
      [pointer],
    )
    t.deepEqual(await runsOf(support, row), [])
  })

test('a press needs a role of the button', async t => {
  const { owner, order } = await shop()
  const manager = await people.colleague(owner, ['tenant.manager'])
  const { status, body } = await refund<Problem>(manager, await order())
  t.is(status, 403)
  t.is(body.code, 'forbidden')
})

test('another role with all permissions presses nothing, and the console offers it no button', async t => {
  const { owner, support, order } = await shop()
  const admin = await people.colleague(owner, ['tenant.admin'])
  const row = await order()
  const { status, body } = await refund<Problem>(admin, row)
  t.is(status, 403)
  t.is(body.code, 'button_of_others')
  t.deepEqual(await runsOf(owner, row), [])
  t.deepEqual(await buttonsOf(admin), [])
  t.deepEqual(await buttonsOf(support), ['refund', 'hold', 'close'])
})

test('an owner presses every button, as owners act on every row', async t => {
  const { owner, order } = await shop()
  t.is((await refund(owner, await order())).status, 202)
  t.deepEqual(await buttonsOf(owner), ['refund', 'touch', 'hold', 'close'])
})

test('a role that the workspace defined itself presses with the permission', async t => {
  const { owner, order } = await shop()
  const pressing = async (permissions: readonly string[]) => {
    const role = { key: `tenant.own_${permissions.length}`, name: 'Own', permissions }
    const made = await owner.post<{ key: string }>('/v1/identity/roles', role)
    t.is(made.status, 201, JSON.stringify(made.body))
    const presser = await people.colleague(owner, [made.body.key])
    return (await refund(presser, await order())).status
  }
  t.is(await pressing(['collections.orders.read']), 403)
  t.is(await pressing(['collections.orders.read', 'automations.refund.run']), 202)
})

test('an operator who acts as a user presses no button', async t => {
  const { owner, order } = await shop()
  const support = await people.colleague(owner, ['tenant.support'])
  const acting = await actingAs(support)
  const row = await order()
  t.is((await acting.get(`/v1/data/orders/${row}`)).status, 200)
  const { status, body } = await refund<Problem>(acting, row)
  t.is(status, 403)
  t.is(body.code, 'impersonated')
  t.deepEqual(await runsOf(owner, row), [])
})

test('an operator who acts as a user answers no question and changes no run', async t => {
  const owner = await people.person()
  const manager = await people.colleague(owner, ['tenant.manager'])
  const { body: row } = await owner.post<{ id: string }>('/v1/data/orders', { number: 'decide' })
  await kernel.settled()
  const acting = await actingAs(manager)
  const { data } = (await acting.get<{ data: { id: string }[] }>('/v1/automations/asks')).body
  t.is(data.length, 1)
  const answer = await acting.post<Problem>(`/v1/automations/asks/${data[0]?.id}/answer`, { choice: 'ship' })
  t.is(answer.body.code, 'impersonated')
  const form = await fetch(`${kernel.url}/questions/${data[0]?.id}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ choice: 'ship' }),
    headers: { authorization: `Bearer ${acting.token}`, 'x-tenant-id': owner.tenantId },
  })
  t.is(form.status, 403)
  const [run] = await runsOf(owner, row.id)
  for (const action of ['retry', 'cancel', 'again'])
    t.is((await acting.post<Problem>(`/v1/automations/runs/${run?.id}/${action}`)).status, 403, action)
  t.is((await runsOf(owner, row.id))[0]?.state, 'waiting')
})

test('a press needs a signed-in caller', async t => {
  const { order } = await shop()
  t.is((await refund(kernel, await order())).status, 401)
})

test('a row that the presser may not read is missing', async t => {
  const { owner, order } = await shop()
  const customer = await people.colleague(owner, ['tenant.customer'])
  const touch = async (row: string) => (await customer.post('/v1/automations/touch/run', { row })).status
  t.is(await touch(await order()), 404)
  t.is(await touch(await order({ state: 'closed' })), 202)
})

test('a row of another workspace, and one that never existed, are missing', async t => {
  const { order } = await shop()
  const { support } = await shop()
  const row = await order()
  t.is((await refund(support, row)).status, 404)
  t.is((await refund(support, `${row.slice(0, -1)}x`)).status, 404)
  t.is((await refund(support, '../..')).status, 404)
})

test('a press on a row without the conditions of the button is a conflict', async t => {
  const { support, order } = await shop()
  const { status, body } = await refund<Problem>(support, await order({ state: 'closed' }))
  t.is(status, 409)
  t.is(body.code, 'button_not_offered')
})

test('a press that is repeated with its key starts one run', async t => {
  const { support, order } = await shop()
  const row = await order()
  const press = () => refund(support, row, undefined, { 'idempotency-key': 'once' })
  const first = await press()
  t.is((await press()).body.id, first.body.id)
  t.is((await runsOf(support, row)).length, 1)
})

test('presses with one key at the same time start one run', async t => {
  const { support, order } = await shop()
  const row = await order()
  const all = await Promise.all([1, 2, 3, 4].map(() => refund(support, row, undefined, { 'idempotency-key': 'same' })))
  t.true(all.every(({ status }) => status === 202 || status === 409))
  t.is((await runsOf(support, row)).length, 1)
})

const press = <Body = Run>(by: Client, button: string, row: string, key?: string) =>
  by.post<Body>(`/v1/automations/${button}/run`, { row }, key ? { headers: { 'idempotency-key': key } } : {})

test('a press while a run of the button is open for the row is refused, and names the run', async t => {
  const { owner, support, order } = await shop()
  const row = await order()
  const first = await press(support, 'hold', row, 'first')
  const colleague = await people.colleague(owner, ['tenant.support'])
  for (const [by, key] of [
    [support, 'second'],
    [support, undefined],
    [colleague, 'first'],
  ] as const) {
    const { status, body } = await press<Problem & { runId: string }>(by, 'hold', row, key)
    t.is(status, 409)
    t.like(body, { code: 'already_running', runId: first.body.id })
    t.is((await by.get(`/v1/automations/runs/${body.runId}`)).status, 200)
  }
  t.is((await press(support, 'hold', row, 'first')).body.id, first.body.id)
  t.is((await press(support, 'hold', await order())).status, 202)
  t.is((await runsOf(support, row)).length, 1)
})

test('presses at the same time with different keys, or without one, start one run', async t => {
  const { owner, support, order } = await shop()
  const row = await order()
  const keys = ['a', 'b', undefined, undefined]
  const all = await Promise.all(keys.map(key => press<Problem>(support, 'close', row, key)))
  t.deepEqual(all.map(({ status }) => status).sort(), [202, 409, 409, 409])
  await kernel.settled()
  t.is((await press<Problem>(support, 'close', row)).body.code, 'button_not_offered')
  t.deepEqual(await notesOf(owner), ['closed A1'])
})

test('a button can be pressed again when its run is over', async t => {
  const { support, order } = await shop()
  const row = await order()
  await refund(support, row)
  await kernel.settled()
  t.is((await refund(support, row)).status, 202)
})

test('an operator starts no second run of a button beside one that is open', async t => {
  const { support, order } = await shop()
  const row = await order()
  const operator = await people.operator()
  const { body } = await press(support, 'hold', row)
  t.is((await operator.post(`/v1/automations/runs/${body.id}/cancel`)).status, 200)
  const again = await press(support, 'hold', row)
  t.is(again.status, 202)
  const repeated = await operator.post<Problem & { runId: string }>(`/v1/automations/runs/${body.id}/again`)
  t.is(repeated.status, 409)
  t.like(repeated.body, { code: 'already_running', runId: again.body.id })
})

test('an API key presses only with a permission of its own', async t => {
  const { owner, order } = await shop()
  const row = await order()
  const keyWith = async (permissions: string[]) => {
    const { body } = await owner.post<Record<string, unknown>>('/v1/identity/api-keys', { name: 'Key', permissions })
    const secret = Object.values(body).find(value => typeof value === 'string' && value.length > 40)
    return kernel.as(String(secret), owner.tenantId)
  }
  t.is((await refund(await keyWith(['collections.orders.read']), row)).status, 403)
  t.is((await refund(await keyWith(['automations.refund.run']), row)).status, 404)
  t.is((await refund(await keyWith(['collections.orders.read', 'automations.refund.run']), row)).status, 202)
})

test('an automation without a button has no route', async t => {
  const { support, order } = await shop()
  t.is((await support.post('/v1/automations/decide/run', { row: await order() })).status, 404)
})
