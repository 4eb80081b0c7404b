import test from 'ava'
import { withPeople } from '../../../fixtures/with-people.ts'
import { failures } from '../desk/state.ts'
import { type Problem, type Run, shopRecipe } from './fixtures.ts'

interface Step {
  readonly action: string
  readonly state: string
  readonly input: unknown
  readonly output: unknown
  readonly error: { readonly code: string; readonly detail: string } | null
}
interface Details extends Run {
  readonly error: Step['error']
  readonly input: unknown
  readonly steps: readonly Step[]
}

interface Named {
  readonly steps: readonly { readonly title: string }[]
  readonly next: readonly unknown[]
}
interface Described {
  readonly key: string
  readonly definedSteps: readonly { readonly input: unknown }[]
}

const { kernel, people } = withPeople(test, { recipe: shopRecipe })

/** A run that reads fields which not everybody reads, and fails at the last of them. */
async function failed() {
  const owner = await people.person()
  const pin = `pin-${owner.userId}`
  failures.set(pin, 1)
  const { body } = await owner.post<{ id: string }>('/v1/data/orders', { number: 'secrets', margin: 'margin-9', pin })
  await kernel.settled()
  const { data } = (await owner.get<{ data: Run[] }>(`/v1/automations/runs?filter[rowId]=${body.id}`)).body
  return { owner, row: body.id, run: data[0] as Run, pin, path: `/v1/automations/runs/${data[0]?.id}` }
}

test('a run shows its steps with their values', async t => {
  const { owner, path } = await failed()
  const { status, body } = await owner.get<Details>(path)
  t.is(status, 200)
  t.like(body, { automation: 'read-secrets', state: 'failed' })
  t.deepEqual(
    body.steps.map(({ action, state }) => [action, state]),
    [
      ['desk.note', 'done'],
      ['desk.call', 'done'],
      ['desk.note', 'done'],
      ['desk.call', 'failed'],
    ],
  )
  t.deepEqual(body.steps[0]?.input, { text: 'open secrets' })
})

test('a run shows private fields to nobody, and errors that may quote them neither', async t => {
  const { owner, path, pin } = await failed()
  const operator = await people.operator()
  for (const reader of [owner, operator]) {
    const { status, body } = await reader.get<Details>(path)
    t.is(status, 200)
    t.false(JSON.stringify(body).includes(pin))
    t.is(body.error?.code, 'action_failed')
  }
})

test('a run shows fields with read only to those who may read them', async t => {
  const { owner, path } = await failed()
  const manager = await people.colleague(owner, ['tenant.manager'])
  const reader = await people.colleague(owner, ['tenant.reader'])
  const shown = async (by: typeof reader) => JSON.stringify((await by.get<Details>(path)).body)
  t.true((await shown(manager)).includes('margin-9'))
  t.false((await shown(reader)).includes('margin-9'))
  t.true((await shown(reader)).includes('open secrets'))
})

test('what steps returned, addresses and forms are shown to operators only', async t => {
  const owner = await people.person()
  const { body: row } = await owner.post<{ id: string }>('/v1/data/orders', { number: 'returns' })
  await kernel.settled()
  await owner.post('/v1/automations/refund/run', { row: row.id, input: { amount: 5, reason: 'broken' } })
  await kernel.settled()
  const reader = await people.colleague(owner, ['tenant.reader'])
  const operator = await people.operator()
  const { data } = (await reader.get<{ data: Run[] }>(`/v1/automations/runs?filter[rowId]=${row.id}`)).body
  const [returned, pressed] = ['returns', 'refund'].map(key => data.find(({ automation }) => automation === key)?.id)
  const shown = async (by: typeof reader | typeof operator, id: string | undefined) =>
    (await by.get<Details>(`/v1/automations/runs/${id}`)).body
  const [note, call, meeting] = (await shown(reader, returned)).steps
  t.like(note, { input: { text: 'returned returns' }, output: '[hidden]' })
  t.like(call, { input: { text: '[hidden]' } })
  t.deepEqual(meeting?.input, { who: owner.userId })
  t.false(JSON.stringify(await shown(reader, returned)).includes(owner.email))
  t.false(JSON.stringify(await shown(reader, pressed)).includes('broken'))
  t.notDeepEqual((await shown(operator, returned)).steps[0]?.output, '[hidden]')
  t.like(await shown(operator, pressed), { input: { input: { amount: 5, reason: 'broken' } } })
})

test('a run of a row that the caller may not read is missing', async t => {
  const { owner, path, row } = await failed()
  const customer = await people.colleague(owner, ['tenant.customer'])
  const stranger = await people.person()
  for (const reader of [customer, stranger]) {
    t.is((await reader.get<Problem>(path)).status, 404)
    const list = await reader.get<{ data: Run[] }>(`/v1/automations/runs?filter[rowId]=${row}`)
    t.deepEqual(list.body.data, [])
  }
  t.is((await kernel.get<Problem>(path)).status, 401)
  t.is((await owner.get<Problem>('/v1/automations/runs/run_missing')).status, 404)
})

test('the list without a row is empty for members, and has every workspace for operators', async t => {
  const { owner, run } = await failed()
  t.deepEqual((await owner.get<{ data: Run[] }>('/v1/automations/runs')).body.data, [])
  const operator = await people.operator()
  const { body } = await operator.get<{ data: Run[] }>(`/v1/automations/runs?filter[tenantId]=${owner.tenantId}`)
  t.deepEqual(
    body.data.map(({ id }) => id),
    [run.id],
  )
})

test('the list refuses unknown states, parameters and damaged cursors', async t => {
  const operator = await people.operator()
  const status = async (query: string) => (await operator.get<Problem>(`/v1/automations/runs?${query}`)).status
  t.is(await status('filter[state]=lost'), 422)
  t.is(await status('filter[other]=1'), 400)
  t.is(await status('limit=0'), 422)
  t.is(await status('cursor=damaged'), 400)
})

test('only operators retry, cancel and repeat runs', async t => {
  const { owner, path } = await failed()
  for (const action of ['retry', 'cancel', 'again']) {
    const { status, body } = await owner.post<Problem>(`${path}/${action}`)
    t.is(status, 403)
    t.is(body.code, 'forbidden')
  }
})

test('an operator retries a failed run once, also with two requests at the same time', async t => {
  const { owner, path } = await failed()
  const operator = await people.operator()
  const all = await Promise.all([1, 2].map(() => operator.post<Problem>(`${path}/retry`)))
  t.deepEqual(all.map(({ status }) => status).sort(), [202, 409])
  await kernel.settled()
  t.is((await owner.get<Details>(path)).body.state, 'done')
  t.is((await operator.post<Problem>(`${path}/retry`)).body.code, 'run_not_failed')
})

test('an operator repeats a run that is over, and cannot cancel it', async t => {
  const { path, run } = await failed()
  const operator = await people.operator()
  t.is((await operator.post<Problem>(`${path}/cancel`)).body.code, 'run_over')
  const { status, body } = await operator.post<Run>(`${path}/again`)
  t.is(status, 202)
  t.not(body.id, run.id)
  t.is((await operator.post<Problem>('/v1/automations/runs/run_missing/again')).status, 404)
})

test('requests to repeat a run with one key start one run, in a workspace that is not the caller’s', async t => {
  const { path, owner, row } = await failed()
  const operator = await people.operator()
  const again = () => operator.post<Run>(`${path}/again`, undefined, { headers: { 'idempotency-key': 'one' } })
  const first = await again()
  t.is(first.status, 202)
  t.is((await again()).body.id, first.body.id)
  const { body } = await owner.get<{ data: Run[] }>(`/v1/automations/runs?filter[rowId]=${row}`)
  t.is(body.data.length, 2)
})

test('a repeated request to retry or cancel a run of another workspace returns the first result', async t => {
  const operator = await people.operator()
  const twice = async (path: string) => {
    const send = () => operator.post<Run>(path, undefined, { headers: { 'idempotency-key': path } })
    const first = await send()
    const again = await send()
    t.is(again.headers.get('idempotent-replayed'), 'true')
    t.deepEqual(again.body, first.body)
    return first.status
  }
  const { path } = await failed()
  t.is(await twice(`${path}/retry`), 202)
  const owner = await people.person()
  await people.colleague(owner, ['tenant.manager'])
  const { body } = await owner.post<{ id: string }>('/v1/data/orders', { number: 'decide' })
  await kernel.settled()
  const { data } = (await owner.get<{ data: Run[] }>(`/v1/automations/runs?filter[rowId]=${body.id}`)).body
  t.is(await twice(`/v1/automations/runs/${data[0]?.id}/cancel`), 200)
})

test('a run names what its steps do in the language of the request, and the steps that follow', async t => {
  const { owner } = await failed()
  await people.colleague(owner, ['tenant.manager'])
  const { body } = await owner.post<{ id: string }>('/v1/data/orders', { number: 'decide' })
  await kernel.settled()
  const list = await owner.get<{ data: Run[] }>(`/v1/automations/runs?filter[rowId]=${body.id}`)
  const run = await owner.get<Named>(`/v1/automations/runs/${list.body.data[0]?.id}`, {
    headers: { 'accept-language': 'de' },
  })
  t.deepEqual(
    run.body.steps.map(({ title }) => title),
    ['Eine Frage stellen'],
  )
  t.deepEqual(run.body.next, [{ position: 1, name: null, action: 'desk.note', title: 'Write a note' }])
})

test('operators read an automation with its steps as written, and nobody else does', async t => {
  const { owner } = await failed()
  const operator = await people.operator()
  const { body } = await operator.get<Described>('/v1/automations/decide')
  t.like(body, { key: 'decide', trigger: 'event', when: { 'row.number': 'decide' } })
  t.deepEqual(body.definedSteps[0]?.input, {
    role: 'tenant.manager',
    text: 'Ship {{row.number}}?',
    choices: ['ship', 'wait'],
    timeout: 7 * 86_400_000,
  })
  const hook = await operator.get<Described>('/v1/automations/github')
  t.false(JSON.stringify(hook.body).includes('the secret of the repository'))
  t.is((await operator.get('/v1/automations/missing')).status, 404)
  t.is((await owner.get('/v1/automations/decide')).status, 403)
  t.is((await kernel.get('/v1/automations/decide')).status, 401)
})

test('operators list automations with the results of their runs', async t => {
  const { owner } = await failed()
  const operator = await people.operator()
  const list = await kernel.all<{ key: string; label: string; trigger: string; lastState: string | null }>(
    operator,
    '/v1/automations?limit=3',
  )
  t.like(
    list.find(({ key }) => key === 'read-secrets'),
    { trigger: 'event', startedBy: 'collections.orders.created', steps: 4 },
  )
  t.is(list.find(({ key }) => key === 'refund')?.label, 'Refund')
  t.is(new Set(list.map(({ key }) => key)).size, list.length)
  t.is((await owner.get<Problem>('/v1/automations')).status, 403)
})
