import test from 'ava'
import pg from 'pg'
import type { Person, TestKernel } from '../../../testing/index.ts'
import { peopleOf } from '../../fixtures/people.ts'
import { calls, failures, holds } from './desk/state.ts'
import { notesOf, startDesk } from './fixtures.ts'

const created = (title: string, steps: readonly object[]) => ({
  on: 'collections.tickets.created',
  when: { 'row.title': title },
  steps,
})
const retry = () => ({ times: 3, within: '400ms' })

let kernel: TestKernel
let client: pg.Pool
const owner = {
  query: async <Row>(sql: string, values: unknown[] = []): Promise<Row[]> => (await client.query(sql, values)).rows,
}
test.before(async () => {
  kernel = await startDesk(
    {
      outside: created('outside', [{ 'desk.call': { text: 'outside' }, retry: retry() }]),
      rollback: created('rollback', [{ 'desk.note': { text: 'rollback' }, retry: retry() }]),
      continues: created('continues', [
        { 'desk.note': { text: 'continues' }, retry: { times: 0, within: '1s' }, onError: 'continue' },
        { 'desk.note': { text: 'after' } },
      ]),
      fails: created('fails', [{ 'desk.note': { text: '{{row.secret}}' } }, { 'desk.note': { text: 'never' } }]),
      tells: {
        on: 'automations.run.failed',
        when: { 'event.payload.automation': 'fails' },
        steps: [{ 'desk.note': { text: 'failed: {{event.payload.code}}' } }],
      },
      waits: created('waits', [{ wait: '500ms' }, { 'desk.note': { text: 'waited' } }]),
      each: created('each', [
        { 'desk.note': { text: 'item {{item}}' }, each: '$row.tags', as: 'all' },
        { 'desk.note': { text: '{{steps.all.1.id}}' } },
      ]),
      asking: created('asks', [
        { ask: { role: 'tenant.owner', text: 'Close {{row.title}}?', choices: ['close', 'keep'] }, as: 'answer' },
        { 'desk.note': { text: 'answered {{steps.answer.choice}}' } },
      ]),
      unanswered: created('unanswered', [
        { ask: { role: 'tenant.owner', text: 'Well?', choices: ['a'], timeout: '300ms' }, as: 'answer' },
        { 'desk.note': { text: 'timed out {{steps.answer.timedOut}}' } },
      ]),
      written: created('written', [{ 'desk.meet': { who: 'desk@example.test' } }]),
      creator: created('creator', [{ 'desk.meet': { who: '$row.createdBy' } }]),
      stranger: created('stranger', [{ 'desk.meet': { who: '$row.secret' } }]),
      taken: created('taken', [{ 'collections.create': { collection: 'labels', values: { name: 'same' } } }]),
      tokens: created('tokens', [
        { 'desk.token': {}, as: 'made' },
        { 'desk.echo': { text: 'Bearer {{steps.made.token}}' }, as: 'echo' },
        { 'desk.echo': { text: '{{steps.echo.heard}} {{steps.made.user}}' } },
      ]),
      echoes: created('echoes', [
        { 'desk.echo': { text: `\${DESK_TOKEN}`, fails: true }, retry: { times: 0, within: '1s' } },
      ]),
      gone: created('gone', [{ wait: '1h' }, { 'desk.note': { text: 'never' } }]),
      long: created('long', [{ 'desk.call': { text: '{{item}}' }, each: '$row.tags' }]),
      secret: created('secret', [{ 'desk.call': { text: `\${DESK_TOKEN} {{row.title}}` } }]),
      nobody: created('nobody', [{ ask: { role: 'tenant.member', text: 'Well?', choices: ['a'] } }]),
      deferred: created('deferred', [{ 'desk.defer': {}, retry: { times: 1, within: '100ms' } }]),
      held: created('held', [{ 'desk.call': { text: 'held' } }, { 'desk.note': { text: 'never' } }]),
      listed: created('listed', [
        { 'desk.note': { text: 'listed {{item}}' }, each: '$row.tags', retry: { times: 1, within: '3s' } },
      ]),
      outputs: created('outputs', [{ 'desk.expand': { size: '$item' }, each: '$row.tags', as: 'all' }]),
      unnamed: created('unnamed', [
        { 'desk.expand': { size: '$item' }, each: '$row.tags' },
        { 'desk.note': { text: 'unnamed' } },
      ]),
      'made-rows': created('made rows', [
        { 'collections.create': { collection: 'notes', values: { text: '$item' } }, each: '$row.tags', as: 'all' },
        { 'collections.create': { collection: 'notes', values: { text: 'kept' } }, as: 'one' },
        { 'collections.update': { row: '$steps.one', set: { text: 'changed' } } },
        { 'collections.delete': { row: '$item' }, each: '$steps.all' },
      ]),
      circle: {
        on: 'collections.notes.created',
        when: { 'row.text': 'circle' },
        steps: [{ 'desk.note': { text: 'circle' } }],
      },
    },
    { env: { DESK_TOKEN: 'very-secret' } },
  )
  client = new pg.Pool({ connectionString: kernel.databaseUrl })
  client.on('error', () => {})
})
test.after.always(async () => {
  await client?.end()
  await kernel?.stop()
})

/** The run of an automation, when it has this state. */
async function runOf(automation: string, state: string) {
  for (let pass = 0; pass < 300; pass++) {
    const [run] = await owner.query<{ id: string; tenant_id: string; state: string; error: { code: string } | null }>(
      'select id, tenant_id, state, error from automations_runs where automation = $1 and state = $2',
      [automation, state],
    )
    if (run) return run
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  const found = await owner.query('select automation, state, error from automations_runs')
  throw new Error(`${automation} did not become ${state}: ${JSON.stringify(found)}`)
}

let people = 0
async function ticket(title: string, more: object = {}, by?: Person) {
  const person = by ?? (await kernel.register(`person${++people}@example.test`))
  const { body } = await person.post('/v1/data/tickets', { title, ...more })
  return { person, id: (body as { id: string }).id }
}

test('an action with outside effects is repeated with the same key', async t => {
  failures.set('outside', 2)
  await ticket('outside')
  const { id } = await runOf('outside', 'done')
  const own = calls.filter(({ text }) => text === 'outside')
  t.deepEqual(
    own.map(({ attempt }) => attempt),
    [1, 2, 3],
  )
  t.deepEqual([...new Set(own.map(({ key }) => key))], [`${id}:0`])
})

test('what a failed attempt wrote is rolled back', async t => {
  failures.set('rollback', 2)
  const { person } = await ticket('rollback')
  await runOf('rollback', 'done')
  t.deepEqual(await notesOf(person), ['rollback'])
})

test('a step with onError: continue goes on after its last attempt', async t => {
  failures.set('continues', 1)
  const { person } = await ticket('continues')
  await runOf('continues', 'done')
  t.deepEqual(await notesOf(person), ['after'])
})

test('a mistake in the input fails the run at once, which is an event', async t => {
  const { person } = await ticket('fails')
  const { error } = await runOf('fails', 'failed')
  await runOf('tells', 'done')
  t.deepEqual(await notesOf(person), [`failed: ${error?.code}`])
})

test('a run waits, and goes on', async t => {
  const { person } = await ticket('waits')
  t.is((await runOf('waits', 'waiting')).error, null)
  t.deepEqual(await notesOf(person), [])
  await runOf('waits', 'done')
  t.deepEqual(await notesOf(person), ['waited'])
})

test('a step with each runs once for each item', async t => {
  const { person } = await ticket('each', { tags: ['a', 'b', 'c'] })
  await runOf('each', 'done')
  const notes = await notesOf(person)
  t.deepEqual(notes.slice(0, 3), ['item a', 'item b', 'item c'])
  t.is(notes.length, 4)
})

test('of two answers at the same moment, one decides', async t => {
  const { person } = await ticket('asks')
  const run = await runOf('asking', 'waiting')
  const [ask] = await owner.query<{ id: string }>('select id from automations_asks where run_id = $1', [run.id])
  const answer = (choice: string) => person.post(`/v1/automations/asks/${ask?.id}/answer`, { choice })
  const results = await Promise.all([answer('close'), answer('keep')])
  t.deepEqual(results.map(({ status }) => status).sort(), [200, 409])
  await runOf('asking', 'done')
  const decided = results[0]?.status === 200 ? 'close' : 'keep'
  t.deepEqual(await notesOf(person), [`answered ${decided}`])
  t.is((await answer('close')).status, 409)
})

test('a question that nobody answers times out', async t => {
  const { person } = await ticket('unanswered')
  await runOf('unanswered', 'done')
  t.deepEqual(await notesOf(person), ['timed out true'])
})

test('a question for a role that nobody has fails the run', async t => {
  await ticket('nobody')
  t.is((await runOf('nobody', 'failed')).error?.code, 'nobody_to_ask')
})

test('a circle of automations stops after eight runs', async t => {
  const person = await kernel.register('circle@example.test')
  await person.post('/v1/data/notes', { text: 'circle' })
  t.is((await runOf('circle', 'failed')).error?.code, 'too_deep')
  const runs = await owner.query(`select 1 from automations_runs where automation = 'circle' and state = 'done'`)
  t.is(runs.length, 8)
  t.is((await notesOf(person)).length, 9)
})

test('a value of the environment is neither stored nor shown', async t => {
  await ticket('secret')
  await runOf('secret', 'done')
  t.true(calls.some(({ text }) => text === 'very-secret secret'))
  const stored = await owner.query<{ text: string }>(
    `select definition::text as text from automations_definitions union all select input::text from automations_steps`,
  )
  t.false(stored.some(({ text }) => text?.includes('very-secret')))
  t.true(stored.some(({ text }) => text === '{"text": "[redacted]"}'))
})

test('a person is foreign if a value gives the address, even that of a member', async t => {
  const { person } = await ticket('creator')
  await owner.query('update identity_users set email_verified_at = now() where id = $1', [person.userId])
  await ticket('written')
  await ticket('stranger', { secret: person.email }, person)
  for (const automation of ['creator', 'written', 'stranger']) await runOf(automation, 'done')
  const own = [person.email, 'desk@example.test']
  const met = calls.map(({ text }) => text).filter(text => own.some(email => text.startsWith(`meet ${email}`)))
  t.deepEqual(
    met.sort(),
    [
      `meet ${person.email} member own`,
      'meet desk@example.test nobody own',
      `meet ${person.email} member foreign`,
    ].sort(),
  )
})

test('a value that is taken fails the step without another attempt', async t => {
  const { person } = await ticket('first')
  await person.post('/v1/data/labels', { name: 'same' })
  await person.post('/v1/data/tickets', { title: 'taken' })
  const run = await runOf('taken', 'failed')
  t.is(run.error?.code, 'value_taken')
  t.deepEqual(await owner.query('select attempts from automations_steps where run_id = $1', [run.id]), [
    { attempts: 1 },
  ])
})

test('later steps use the secret of an output, and nothing shows it', async t => {
  await ticket('tokens')
  const { id } = await runOf('tokens', 'done')
  t.true(calls.some(({ text }) => text === 'Bearer token-of-a-stranger'))
  const stored = await owner.query<{ input: unknown; output: unknown }>(
    'select input, output from automations_steps where run_id = $1 order by position',
    [id],
  )
  t.deepEqual(stored, [
    { input: {}, output: { token: '[redacted]', user: 'desk' } },
    { input: { text: 'Bearer [redacted]' }, output: { heard: 'heard Bearer [redacted]' } },
    { input: { text: 'heard Bearer [redacted] desk' }, output: { heard: 'heard heard Bearer [redacted] desk' } },
  ])
})

test('an error does not repeat a value of the environment', async t => {
  await ticket('echoes')
  const { error } = await runOf('echoes', 'failed')
  t.deepEqual(error, { code: 'action_failed', detail: "can't hear [redacted]" })
})

test('a run ends when its row is in the trash', async t => {
  const { person, id } = await ticket('gone')
  const run = await runOf('gone', 'waiting')
  await person.delete(`/v1/data/tickets/${id}`)
  await owner.query('update automations_runs set wakes_at = now() where id = $1', [run.id])
  const { jobs } = kernel.kernel.ports
  await jobs.cancel('automations.run', run.id)
  await jobs.enqueue('automations.run', { runId: run.id }, { tenantId: run.tenant_id, key: run.id })
  t.is((await runOf('gone', 'ended')).error, null)
  t.deepEqual(await notesOf(person), [])
})

test('a list over 64 KiB fails the step', async t => {
  await ticket('long', { tags: Array.from({ length: 900 }, () => 'x'.repeat(80)) })
  t.is((await runOf('long', 'failed')).error?.code, 'list_too_large')
})

test('an action whose statement fails at the commit fails the run after its attempts', async t => {
  await ticket('deferred')
  const { id, error } = await runOf('deferred', 'failed')
  t.is(error?.code, 'action_failed')
  const steps = await owner.query('select state, attempts from automations_steps where run_id = $1', [id])
  t.deepEqual(steps, [{ state: 'failed', attempts: 2 }])
})

test('a step that is under way when its run is canceled is shown as canceled, and then as it ends', async t => {
  let release = () => {}
  holds.set('held', new Promise<void>(resolve => (release = resolve)))
  await ticket('held')
  for (let pass = 0; pass < 300 && !calls.some(({ text }) => text === 'held'); pass++)
    await new Promise(resolve => setTimeout(resolve, 50))
  const { id } = await runOf('held', 'running')
  const operator = await peopleOf(kernel).operator()
  t.is((await operator.post(`/v1/automations/runs/${id}/cancel`)).status, 200)
  const stepStates = async () =>
    (await operator.get<{ steps: { state: string }[] }>(`/v1/automations/runs/${id}`)).body.steps.map(
      ({ state }) => state,
    )
  t.deepEqual(await stepStates(), ['cancelled'])
  release()
  for (let pass = 0; pass < 100 && (await stepStates())[0] !== 'done'; pass++)
    await new Promise(resolve => setTimeout(resolve, 50))
  t.deepEqual(await stepStates(), ['done'])
  await runOf('held', 'cancelled')
})

test('a step with each keeps its list when its first item fails', async t => {
  failures.set('listed a', 1)
  const { person, id } = await ticket('listed', { tags: ['a', 'b'] })
  await runOf('listed', 'waiting')
  await person.patch(`/v1/data/tickets/${id}`, { tags: ['z'] })
  await runOf('listed', 'done')
  t.deepEqual(await notesOf(person), ['listed a', 'listed b'])
})

test('the outputs of all items have a limit', async t => {
  await ticket('outputs', { tags: Array.from({ length: 6 }, () => 60_000) })
  const { id, error } = await runOf('outputs', 'failed')
  t.is(error?.code, 'outputs_too_large')
  const items = await owner.query<{ item: number; state: string }>(
    'select item, state from automations_steps where run_id = $1 and item >= 0 order by item',
    [id],
  )
  t.deepEqual(
    items.map(({ state }) => state),
    ['done', 'done', 'done', 'done', 'failed'],
  )
})

test('a step that no other one reads keeps the outputs of its first items, and goes on', async t => {
  const { person } = await ticket('unnamed', { tags: Array.from({ length: 6 }, () => 60_000) })
  const { id } = await runOf('unnamed', 'done')
  const kept = await owner.query(
    `select item from automations_steps where run_id = $1 and item >= 0 and output <> 'null' order by item`,
    [id],
  )
  t.is(kept.length, 4)
  t.deepEqual(await notesOf(person), ['unnamed'])
})

test('the rows that a step returns, also for each item, are rows of later steps', async t => {
  const { person } = await ticket('made rows', { tags: ['a', 'b'] })
  await runOf('made-rows', 'done')
  t.deepEqual(await notesOf(person), ['changed'])
})
