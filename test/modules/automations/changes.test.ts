/** Recipes that change while runs wait. */
import test from 'ava'
import pg from 'pg'
import { createTestDatabase } from '../../../services/postgres/testing.ts'
import type { TestKernel } from '../../../testing/index.ts'
import { notesOf, startDesk } from './fixtures.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let client: pg.Pool
let kernel: TestKernel | undefined
const query = async <Row>(sql: string, values: unknown[] = []): Promise<Row[]> => (await client.query(sql, values)).rows

test.before(async () => {
  database = await createTestDatabase({ migrations: [] })
  client = new pg.Pool({ connectionString: database.ownerUrl })
  client.on('error', () => {})
})
test.after.always(async () => {
  await kernel?.stop()
  await client?.end()
  await database?.drop()
})

/** Starts the product with another recipe. */
async function change(
  automations: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>> = {},
): Promise<TestKernel> {
  await kernel?.stop()
  kernel = await startDesk(automations, { database: database.ownerUrl, env })
  return kernel
}

const waiting = (text: string) => ({
  on: 'collections.tickets.created',
  steps: [{ wait: '1h' }, { 'desk.note': { text } }],
})
const reminding = (by: string, more: object = {}) => ({
  before: { field: 'tickets.due', by },
  ...more,
  steps: [{ 'desk.note': { text: 'due' } }],
})

test.serial(
  'waiting runs keep the definition with which they began, which is deleted after the last of them',
  async t => {
    const first = await change({ changed: waiting('old'), removed: waiting('removed') })
    const ada = await first.register('ada@example.test')
    await ada.post('/v1/data/tickets', { title: 'a' })
    await first.settled()
    const runs = () => query<{ state: string }>('select state from automations_runs order by automation')
    t.deepEqual(await runs(), [{ state: 'waiting' }, { state: 'waiting' }])

    const second = await change({ changed: waiting('new') })
    const person = second.as(ada.token, ada.tenantId)
    await query(
      `update automations_definitions set retired_at = now() - interval '2 days' where automation = 'removed'`,
    )
    const sweep = async () => {
      await second.kernel.ports.jobs.enqueue('automations.sweep', {})
      await second.settled()
    }
    await sweep()
    const definitions = () => query<{ automation: string }>('select automation from automations_definitions order by 1')
    t.is((await definitions()).length, 3)
    await query('update automations_runs set wakes_at = now()')
    await query(`update larder_jobs set run_at = now() where name = 'automations.run' and state = 'waiting'`)
    await second.settled()
    t.deepEqual((await notesOf(person)).sort(), ['old', 'removed'])
    t.deepEqual(await runs(), [{ state: 'done' }, { state: 'done' }])
    await query('delete from automations_runs')
    await query(
      `update automations_definitions set retired_at = now() - interval '2 days' where retired_at is not null`,
    )
    await sweep()
    t.deepEqual(await definitions(), [{ automation: 'changed' }])
  },
)

test.serial('values of the environment follow their step when the steps of a waiting run change places', async t => {
  const note = { 'collections.create': { collection: 'notes', values: { text: `\${NOTE_SECRET}` } } }
  const label = { 'collections.create': { collection: 'labels', values: { name: `\${LABEL_SECRET}` } } }
  const env = { NOTE_SECRET: 'secret of notes', LABEL_SECRET: 'secret of labels' }
  const on = 'collections.tickets.created'
  const first = await change({ moved: { on, steps: [{ wait: '1h' }, note, label] } }, env)
  const ada = await first.register('eve@example.test')
  await ada.post('/v1/data/tickets', { title: 'a' })
  await first.settled()
  const second = await change({ moved: { on, steps: [{ wait: '1h' }, label, note] } }, env)
  await query('update automations_runs set wakes_at = now() where finished_at is null')
  await query(`update larder_jobs set run_at = now() where name = 'automations.run' and state = 'waiting'`)
  await second.settled()
  const person = second.as(ada.token, ada.tenantId)
  t.deepEqual(await notesOf(person), ['secret of notes'])
  const { body } = await person.get<{ data: { name: string }[] }>('/v1/data/labels')
  t.deepEqual(
    body.data.map(({ name }) => name),
    ['secret of labels'],
  )
})

test.serial('values of the environment follow an automation that is renamed twice while a run waits', async t => {
  const steps = [{ wait: '1h' }, { 'collections.create': { collection: 'notes', values: { text: `\${NOTE_SECRET}` } } }]
  const env = { NOTE_SECRET: 'secret of notes' }
  const on = 'collections.tickets.created'
  const first = await change({ first: { on, steps } }, env)
  const ada = await first.register('ann@example.test')
  await ada.post('/v1/data/tickets', { title: 'a' })
  await first.settled()
  await change({ second: { was: 'first', on, steps } }, env)
  const third = await change({ third: { was: 'second', on, steps } }, env)
  await query('update automations_runs set wakes_at = now() where finished_at is null')
  await query(`update larder_jobs set run_at = now() where name = 'automations.run' and state = 'waiting'`)
  await third.settled()
  t.deepEqual(await notesOf(third.as(ada.token, ada.tenantId)), ['secret of notes'])
})

test.serial(
  'moments of existing rows are planned when an automation is added, changed or back, and none of past times',
  async t => {
    const first = await change({})
    const ada = await first.register('bob@example.test')
    for (const [title, due] of [
      ['kept', '2099-05-01T10:00:00Z'],
      ['dropped', '2099-05-01T10:00:00Z'],
      ['past', '2020-05-01T10:00:00Z'],
    ])
      await ada.post('/v1/data/tickets', { title, due })
    await first.settled()
    // More than a page of rows.
    await query(
      `insert into data_tickets select (jsonb_populate_record(d, jsonb_build_object('id', d.id || n))).*
     from data_tickets d, generate_series(1, 250) n where d.title = 'kept'`,
    )
    const dates = () =>
      query<{ due: Date; n: number }>(
        `select due_at as due, count(*)::int as n from automations_dates d
         join automations_schedules s on s.automation = d.automation and s.trigger = d.trigger and s.retired_at is null
         group by 1`,
      )
    await (await change({ remind: reminding('1h') })).settled()
    t.deepEqual(await dates(), [{ due: new Date('2099-05-01T09:00:00Z'), n: 252 }])
    await (await change({ remind: reminding('2h', { when: { 'row.title': 'kept' } }) })).settled()
    t.deepEqual(await dates(), [{ due: new Date('2099-05-01T08:00:00Z'), n: 251 }])
    await (await change({})).settled()
    t.deepEqual(await dates(), [])
    await query(`update data_tickets set due = '2098-05-01T10:00:00Z' where due > '2099-01-01'`)
    await (await change({ remind: reminding('1h') })).settled()
    t.deepEqual(await dates(), [{ due: new Date('2098-05-01T09:00:00Z'), n: 252 }])
    t.deepEqual(await query(`select 1 from automations_runs where trigger = 'date'`), [])
  },
)
