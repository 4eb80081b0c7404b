/** What hostile values, old processes and unlucky moments do to runs. */
import test from 'ava'
import { stringify } from 'yaml'
import { RowValue, Type, withContext } from '../../../kernel/index.ts'
import { momentOf } from '../../../modules/automations/domain/times/moment.ts'
import { cronError } from '../../../modules/automations/domain/times/zoned.ts'
import { matches } from '../../../modules/automations/domain/values/condition.ts'
import { createInputs } from '../../../modules/automations/services/runs/inputs.ts'
import { startTestKernel, type TestKernel } from '../../../testing/index.ts'
import { peopleOf } from '../../fixtures/people.ts'
import { connectOwner } from '../collections/fixtures.ts'
import { recipeProblems } from '../recipe-problems.ts'
import { deskRecipe, notesOf } from './fixtures.ts'

const created = (title: string, steps: readonly object[]) => ({
  on: 'collections.tickets.created',
  when: { 'row.title': title },
  steps,
})

let kernel: TestKernel
test.before(async () => {
  const recipe = deskRecipe({
    endless: created('endless', [
      { 'desk.note': { text: '{{item}}' }, each: '$row.tags', onError: 'continue' },
      { 'desk.note': { text: 'after' } },
    ]),
    forwards: created('forwards', [
      {
        'collections.create': { collection: 'copies', values: { event: '$event', title: '$event.payload.row.title' } },
      },
    ]),
    chosen: {
      on: 'collections.tickets.created',
      when: { 'row.title': 'chosen', 'workspace.name': 'Chosen', 'product.key': { exists: true } },
      steps: [{ 'desk.note': { text: 'chosen' } }],
    },
    // The error has 1,000 characters before the second half of the sign.
    broken: created('broken', [
      { 'desk.echo': { text: `${'a'.repeat(988)}😀`, fails: true }, retry: { times: 0, within: '1s' } },
    ]),
    large: {
      on: 'collections.tickets.updated',
      when: { 'row.title': 'large' },
      steps: [{ 'desk.call': { text: 'large' } }],
    },
    remind: { before: { field: 'tickets.due', by: '1h' }, steps: [{ 'desk.note': { text: 'due' } }] },
    later: { after: { field: 'tickets.due', by: '1h' }, steps: [{ 'desk.note': { text: 'later' } }] },
    hidden: {
      on: 'collections.notes.created',
      when: { 'row.text': `\${DESK_TOKEN}` },
      steps: [{ 'desk.note': { text: 'never' }, when: { 'row.text': `\${DESK_TOKEN}` } }],
    },
  })
  const copies = { fields: { event: { type: 'json' }, title: { type: 'text' } } }
  kernel = await startTestKernel({
    recipe: { ...recipe, collections: { ...recipe.collections, copies } },
    env: { DESK_TOKEN: 'very-secret' },
  })
})
test.after.always(() => kernel?.stop())

let people = 0
const register = () => kernel.register(`attacker${++people}@example.test`)

const job = (name: 'automations.plan' | 'automations.sweep') => kernel.kernel.ports.jobs.enqueue(name, {})

test.serial('a step with each whose value is no list fails once, and the run goes on', async t => {
  const ada = await register()
  await ada.post('/v1/data/tickets', { title: 'endless' })
  const owner = await connectOwner(t, kernel.databaseUrl)
  const runs = () =>
    owner.query<{ state: string }>(
      `select state from automations_runs where automation = 'endless' and tenant_id = $1`,
      [ada.tenantId],
    )
  for (let pass = 0; pass < 100 && (await runs())[0]?.state !== 'done'; pass++)
    await new Promise(resolve => setTimeout(resolve, 100))
  const steps = await owner.query(
    `select item, state from automations_steps where tenant_id = $1 and position = 0 order by item limit 5`,
    [ada.tenantId],
  )
  t.deepEqual(steps, [{ item: -1, state: 'failed' }])
  t.deepEqual(await notesOf(ada), ['after'])
})

test.serial('an event that is passed on whole has the public fields of its row', async t => {
  const ada = await register()
  await ada.post('/v1/data/tickets', { title: 'forwards', secret: 'private' })
  await kernel.settled()
  const { body } = await ada.get<{ data: { title: string; event: { payload: { row: object } } }[] }>('/v1/data/copies')
  const [copy] = body.data
  t.is(copy?.title, 'forwards')
  t.like(copy?.event.payload.row, { title: 'forwards' })
  t.false(JSON.stringify(copy).includes('private'))
})

test.serial('the conditions of an event can name its workspace and the product', async t => {
  const [ada, bob] = [await register(), await register()]
  await ada.patch(`/v1/identity/tenants/${ada.tenantId}`, { name: 'Chosen' })
  for (const person of [ada, bob]) await person.post('/v1/data/tickets', { title: 'chosen' })
  await kernel.settled()
  t.deepEqual(await notesOf(ada), ['chosen'])
  t.deepEqual(await notesOf(bob), [])
})

test.serial('an error that is cut within a sign fails the run', async t => {
  const ada = await register()
  await ada.post('/v1/data/tickets', { title: 'broken' })
  const owner = await connectOwner(t, kernel.databaseUrl)
  const read = () =>
    owner.query<{ state: string }>(
      `select state from automations_runs where automation = 'broken' and tenant_id = $1`,
      [ada.tenantId],
    )
  for (let pass = 0; pass < 60 && (await read())[0]?.state !== 'failed'; pass++)
    await new Promise(resolve => setTimeout(resolve, 100))
  t.deepEqual(await read(), [{ state: 'failed' }])
})

test.serial('a run whose trigger was too large has no input to be retried or repeated with', async t => {
  const ada = await register()
  const { body } = await ada.post('/v1/data/tickets', { title: 'large', tags: ['x'.repeat(70_000)] })
  await ada.patch(`/v1/data/tickets/${(body as { id: string }).id}`, { tags: [] })
  await kernel.settled()
  const owner = await connectOwner(t, kernel.databaseUrl)
  const [run] = await owner.query<{ id: string }>(`select id from automations_runs where automation = 'large'`)
  const operator = await peopleOf(kernel).operator()
  for (const action of ['retry', 'again']) {
    const answer = await operator.post(`/v1/automations/runs/${run?.id}/${action}`)
    t.is(answer.status, 409, action)
  }
})

test.serial('a change of many rows moves the moments that rows have, and plans no others', async t => {
  const ada = await register()
  const { tenantId } = ada
  const create = async (title: string) => {
    const { body } = await ada.post('/v1/data/tickets', { title, due: '2099-05-01T10:00:00Z' })
    return (body as { id: string }).id
  }
  const [moved, kept, past, none] = [await create('a'), await create('b'), await create('c'), await create('d')]
  await kernel.settled()
  const owner = await connectOwner(t, kernel.databaseUrl)
  await owner.query('delete from automations_dates where row_id = $1', [none])
  const tickets = kernel.kernel.ports.collections.rows('tickets', { tenantId })
  await withContext({ isBulk: true }, async () => {
    await tickets.update(moved, { due: '2098-05-01T10:00:00Z' })
    await tickets.update(kept, { status: 'solved' })
    await tickets.update(past, { due: '2020-05-01T10:00:00Z' })
    await tickets.update(none, { status: 'solved' })
  })
  await kernel.settled()
  const dates = await owner.query<{ row_id: string; due_at: Date }>(
    `select row_id, due_at from automations_dates where automation = 'remind' and tenant_id = $1 order by due_at`,
    [tenantId],
  )
  t.deepEqual(dates, [
    { row_id: moved, due_at: new Date('2098-05-01T09:00:00Z') },
    { row_id: kept, due_at: new Date('2099-05-01T09:00:00Z') },
  ])
})

test.serial('a date at the end of the calendar has no moment that the database refuses', async t => {
  const ada = await register()
  await ada.post('/v1/data/tickets', { title: 'last', due: '9999-12-31T23:59:59Z' })
  await ada.post('/v1/data/tickets', { title: 'next', due: '2099-05-01T10:00:00Z' })
  await kernel.settled()
  const owner = await connectOwner(t, kernel.databaseUrl)
  const dates = await owner.query(
    `select automation from automations_dates where tenant_id = $1 and due_at < '2100-01-01' order by automation`,
    [ada.tenantId],
  )
  t.deepEqual(dates, [{ automation: 'later' }, { automation: 'remind' }])
  t.deepEqual(await owner.query(`select 1 from larder_deliveries where state in ('pending', 'dead')`), [])
  const trigger = { kind: 'date', collection: 'tickets', field: 'due', at: null, timeZone: 'UTC' } as const
  t.is(momentOf({ ...trigger, offset: -86_400_000 }, '0001-01-01T00:00:00Z'), undefined)
})

test.serial('the console shows no value of the environment in conditions', async t => {
  const operator = await peopleOf(kernel).operator()
  const { body } = await operator.get('/v1/automations/hidden')
  t.false(JSON.stringify(body).includes('very-secret'))
  t.like(body as object, { when: { 'row.text': '[redacted]' } })
})

test.serial('the public event of a failed run quotes no values', async t => {
  const owner = await connectOwner(t, kernel.databaseUrl)
  const events = await owner.query<{ payload: object }>(
    `select payload from larder_events where type = 'automations.run.failed'`,
  )
  t.true(events.length > 0)
  for (const { payload } of events)
    t.deepEqual(Object.keys(payload).sort(), ['automation', 'code', 'position', 'runId'])
})

test.serial('conditions compare times as moments, and nothing with a missing value', t => {
  const offer = { row: { at: '2027-01-01T10:00:00.000Z', title: 'null and void', none: null } }
  const passes = (test: object | string, path = 'row.at') => matches({ [path]: test } as never, offer)
  t.true(passes('2027-01-01T10:00:00Z'))
  t.true(passes({ in: ['2027-01-01T11:00:00+01:00'] }))
  t.false(passes({ lt: '2027-01-01T10:00:00Z' }))
  t.true(passes({ gt: '2027-01-01T10:30:00+01:00' }))
  t.false(passes({ contains: '$row.none' }, 'row.title'))
  t.false(passes({ startsWith: '$row.none' }, 'row.title'))
})

test.serial('only a person chooses what a step grants, and not the sender of a hook', async t => {
  const grant = (value: string) => [{ 'identity.set_role': { member: 'mem_1', role: value } }]
  const problems = async (automation: object) => {
    const found = await recipeProblems(t, stringify(deskRecipe({ grants: automation })))
    return found.filter(({ code }) => code === 'not_literal').length
  }
  const input = { role: { type: 'text', required: true } }
  const hook = { verify: 'secret', secret: 'a secret of sixteen', input }
  t.is(await problems({ hook, steps: grant('$input.role') }), 1)
  const button = { on: 'tickets', label: 'Grant', roles: ['tenant.owner'], input }
  t.is(await problems({ button, steps: grant('$input.role') }), 0)
  const ask = { ask: { role: 'tenant.owner', text: 'Which?', choices: ['a'] }, as: 'answer' }
  t.is(await problems({ on: 'collections.tickets.created', steps: [ask, ...grant('$steps.answer.choice')] }), 0)
  const read = { 'collections.create': { collection: 'notes', values: { text: 'a' } }, as: 'made' }
  t.is(await problems({ on: 'collections.tickets.created', steps: [read, ...grant('$steps.made.choice')] }), 1)
})

test.serial('what people and other systems write is no row', async t => {
  const problems = async (automation: object) => {
    const found = await recipeProblems(t, stringify(deskRecipe({ deletes: automation })))
    return found.filter(({ code }) => code === 'no_row').length
  }
  const deleting = (row: string, more: object = {}) => ({ 'collections.delete': { row }, ...more })
  const hook = { verify: 'secret', secret: 'a secret of sixteen' }
  for (const row of ['$input.target', '$input']) t.is(await problems({ hook, steps: [deleting(row)] }), 1, row)
  const on = 'collections.tickets.created'
  for (const row of ['$row.tags', '$event.payload', '$event.payload.row'])
    t.is(await problems({ on, steps: [deleting(row)] }), 1, row)
  t.is(await problems({ on, steps: [deleting('$item', { each: '$row.tags' })] }), 1)
  const made = { 'collections.create': { collection: 'notes', values: { text: 'a' } }, as: 'made' }
  t.is(await problems({ on, steps: [made, deleting('$steps.made'), deleting('$row')] }), 0)
  const all = { ...made, each: '$row.tags' }
  t.is(await problems({ on, steps: [all, deleting('$item', { each: '$steps.made' })] }), 0)
})

test.serial('a value that looks like a row is none when a step begins', async t => {
  const inputs = createInputs({
    rowKinds: { all: new Map(), ofEvent: () => undefined },
    validation: { assert: () => {} },
  })
  const action = { input: Type.Object({ row: RowValue }), effects: 'database' } as never
  const given = { written: { row: '$input.target' }, tenantId: 'tnt_1', collection: null }
  const offer = { input: { target: { collection: 'notes', id: 'row_1' } } }
  const error = await t.throwsAsync(inputs.of('collections.delete', action, { ...given, offer }))
  t.regex(error?.message ?? '', /is no row/)
})

test.serial('a schedule has no random times', t => {
  for (const cron of ['H 8 * * *', '0 H(0-7) * * *', 'h * * * *']) t.truthy(cronError(cron), cron)
  for (const cron of ['0 8 * * THU', '0 8 L * *', '0 8 * MAR 1#2']) t.is(cronError(cron), undefined, cron)
})

test.serial('a process with an older recipe leaves what it does not know to a newer one', async t => {
  const owner = await connectOwner(t, kernel.databaseUrl)
  await owner.query(
    `insert into automations_schedules (automation, trigger, next_at, planned_at) values ('newer', 'digest', now(), null)`,
  )
  await owner.query(`update automations_schedules set trigger = 'newer', planned_at = null where automation = 'remind'`)
  await job('automations.plan')
  await kernel.kernel.ports.jobs.enqueue('automations.start_scheduled', {
    automation: 'newer',
    plannedAt: '2027-01-01T08:00:00.000Z',
  })
  await kernel.kernel.ports.jobs.enqueue('automations.start_scheduled', {
    automation: 'removed',
    plannedAt: '2027-01-01T08:00:00.000Z',
  })
  await new Promise(resolve => setTimeout(resolve, 1500))
  t.deepEqual(
    await owner.query(`select automation from automations_schedules where planned_at is null order by automation`),
    [{ automation: 'newer' }, { automation: 'remind' }],
  )
  const jobs = await owner.query(
    `select data ->> 'automation' as automation, state from larder_jobs where name = 'automations.start_scheduled'
     order by 1`,
  )
  t.deepEqual(jobs, [
    { automation: 'newer', state: 'waiting' },
    { automation: 'removed', state: 'done' },
  ])
})
