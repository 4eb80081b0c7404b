/** What starts runs: schedules, moments, imports, and what limits them. */
import test, { type ExecutionContext } from 'ava'
import pg from 'pg'
import type { Person, TestKernel } from '../../../testing/index.ts'
import { peopleOf } from '../../fixtures/people.ts'
import { ended, send } from '../collections/imports/fixtures.ts'
import { notesOf, startDesk } from './fixtures.ts'

const note = (text: string) => [{ 'desk.note': { text } }]

let kernel: TestKernel
let client: pg.Pool
const query = async <Row>(sql: string, values: unknown[] = []): Promise<Row[]> => (await client.query(sql, values)).rows

test.before(async () => {
  kernel = await startDesk({
    each: {
      every: '0 8 * * *',
      each: { collection: 'tickets', filter: { title: 'each' } },
      steps: note('each {{row.title}}'),
    },
    workspaces: { every: '0 8 1 * *', each: 'workspaces', steps: note('monthly {{workspace.id}}') },
    chosen: {
      every: '0 10 * * *',
      each: 'workspaces',
      when: { 'workspace.name': 'Chosen' },
      steps: note('chosen'),
    },
    'chosen-date': {
      before: { field: 'tickets.due', by: '2h' },
      when: { 'row.title': 'chosen', 'workspace.name': 'Chosen' },
      steps: note('chosen {{row.title}}'),
    },
    once: { every: '0 9 * * *', steps: [{ 'desk.call': { text: 'once' } }] },
    remind: { before: { field: 'tickets.due', by: '1h' }, steps: note('due {{row.title}}') },
    later: { after: { field: 'tickets.due', by: '1h' }, steps: note('later {{row.title}}') },
    private: {
      on: 'collections.tickets.created',
      when: { 'row.secret': 'private' },
      steps: note('private {{row.secret}}'),
    },
    'private-date': {
      before: { field: 'tickets.day', by: '1h', at: '09:00' },
      when: { 'row.secret': 'private' },
      steps: note('day'),
    },
    rows: { on: 'collections.tickets.created', when: { 'row.title': 'imported' }, steps: note('rows') },
    imports: {
      on: 'collections.tickets.created',
      when: { 'row.title': 'imported' },
      imports: true,
      steps: note('imports'),
    },
    large: { on: 'collections.tickets.updated', when: { 'row.title': 'large' }, steps: note('never') },
  })
  client = new pg.Pool({ connectionString: kernel.databaseUrl })
  client.on('error', () => {})
})
test.after.always(async () => {
  await client?.end()
  await kernel?.stop()
})

let people = 0
const register = () => kernel.register(`starter${++people}@example.test`)
async function ticket(person: Person, values: object): Promise<string> {
  const { body } = await person.post('/v1/data/tickets', values)
  return (body as { id: string }).id
}
async function runDue(): Promise<void> {
  await kernel.kernel.ports.jobs.enqueue('automations.due', {})
  await kernel.settled()
}
const runsOf = (automation: string, person: Person) =>
  query<{ id: string; state: string; row_id: string | null; input: object; error: { code: string } | null }>(
    'select id, state, row_id, input, error from automations_runs where automation = $1 and tenant_id = $2 order by id',
    [automation, person.tenantId],
  )
const suspend = (person: Person) =>
  query(`insert into larder_suspended_tenants (id, reason, suspended_at) values ($1, 'test', now())`, [person.tenantId])
const resume = (person: Person) => query('delete from larder_suspended_tenants where id = $1', [person.tenantId])

/** Moves the date of a row with its moments to `interval` from now. */
async function moveDate(t: ExecutionContext, id: string, interval: string): Promise<void> {
  await kernel.settled()
  await query(`update data_tickets set due = date_trunc('milliseconds', now() + $2::interval) where id = $1`, [
    id,
    interval,
  ])
  const moved = await query(
    `update automations_dates d set due_at = due_at + (r.due - d.date), date = r.due
     from data_tickets r where r.id = d.row_id and r.id = $1 returning 1`,
    [id],
  )
  t.true(moved.length > 0)
}
/** The time from now to a date for which `remind` is due. */
const DUE = '59 minutes 55 seconds'

test.serial(
  'a schedule with each starts one run for each row, in the workspace of the row, and none in suspended ones',
  async t => {
    const [ada, bob, eve] = [await register(), await register(), await register()]
    const first = await ticket(ada, { title: 'each' })
    const second = await ticket(ada, { title: 'each' })
    await ticket(ada, { title: 'other' })
    const third = await ticket(bob, { title: 'each' })
    await ticket(eve, { title: 'each' })
    await suspend(eve)
    await query(`update automations_schedules set next_at = now() - interval '3 days' where automation = 'each'`)
    await runDue()
    const rows = async (person: Person) => (await runsOf('each', person)).map(({ row_id }) => row_id).sort()
    t.deepEqual(await rows(ada), [first, second].sort())
    t.deepEqual(await rows(bob), [third])
    t.deepEqual(await rows(eve), [])
    t.deepEqual(await notesOf(bob), ['each each'])
    // Of the times in those days, only the latest is made up for.
    const planned = await query<{ n: number }>(
      `select count(distinct input ->> 'plannedAt')::int as n from automations_runs where automation = 'each'`,
    )
    t.deepEqual(planned, [{ n: 1 }])
    const [next] = await query<{ later: boolean }>(
      `select next_at > now() as later from automations_schedules where automation = 'each'`,
    )
    t.true(next?.later)
    await resume(eve)
  },
)

test.serial('a schedule that is started again starts only the runs that lack', async t => {
  const ada = await register()
  await ticket(ada, { title: 'each' })
  const plannedAt = '2026-01-01T08:00:00.000Z'
  const { jobs } = kernel.kernel.ports
  await jobs.enqueue('automations.start_scheduled', { automation: 'each', plannedAt })
  await kernel.settled()
  await ticket(ada, { title: 'each' })
  await jobs.enqueue('automations.start_scheduled', { automation: 'each', plannedAt })
  await kernel.settled()
  t.is((await runsOf('each', ada)).length, 2)
})

test.serial('a schedule runs once in each active workspace, or once in all', async t => {
  const ada = await register()
  await query(`update automations_schedules set next_at = now() where automation in ('workspaces', 'once')`)
  await runDue()
  t.deepEqual(
    (await notesOf(ada)).filter(text => text.startsWith('monthly')),
    [`monthly ${ada.tenantId}`],
  )
  const runs = await query(`select state from automations_runs where automation = 'once'`)
  t.deepEqual(runs, [{ state: 'done' }])
})

test.serial('a schedule and a moment start only where their conditions match', async t => {
  const [ada, bob] = [await register(), await register()]
  await ada.patch(`/v1/identity/tenants/${ada.tenantId}`, { name: 'Chosen' })
  await query(`update automations_schedules set next_at = now() where automation = 'chosen'`)
  for (const person of [ada, bob]) {
    const id = await ticket(person, { title: 'chosen', due: '2099-05-01T10:00:00Z' })
    await moveDate(t, id, '1 hour 59 minutes 55 seconds')
  }
  await runDue()
  t.deepEqual((await notesOf(ada)).sort(), ['chosen', 'chosen chosen'])
  t.deepEqual(await notesOf(bob), [])
  t.deepEqual(
    (await runsOf('chosen', bob)).map(({ state }) => state),
    ['skipped'],
  )
})

test.serial('a moment that waits for a worker stays when its row is changed', async t => {
  const ada = await register()
  const id = await ticket(ada, { title: 'late', due: '2099-05-01T10:00:00Z' })
  await moveDate(t, id, DUE)
  await ada.patch(`/v1/data/tickets/${id}`, { title: 'later' })
  await kernel.settled()
  await runDue()
  t.is((await runsOf('remind', ada)).length, 1)
})

test.serial('a moment of an automation that only a newer recipe has is left to its workers', async t => {
  const ada = await register()
  await query(
    `insert into automations_dates (tenant_id, automation, trigger, collection, row_id, date, due_at)
     values ($1, 'newer', '', 'tickets', 'row', now(), now()), ($1, 'remind', '', 'tickets', 'row', now(), now())`,
    [ada.tenantId],
  )
  await query(`insert into automations_schedules (automation, trigger, next_at) values ('newer-report', '', now())`)
  await runDue()
  const left = await query(
    `select automation from automations_dates where trigger = '' union all
     select automation from automations_schedules where automation = 'newer-report' and next_at is not null order by 1`,
  )
  t.deepEqual(left, [{ automation: 'newer' }, { automation: 'newer-report' }, { automation: 'remind' }])
  await query(`delete from automations_dates where trigger = ''`)
  await query(`delete from automations_schedules where automation = 'newer-report'`)
})

test.serial('a moment that is due starts a run once', async t => {
  const ada = await register()
  const id = await ticket(ada, { title: 'soon', due: '2099-05-01T10:00:00Z' })
  await moveDate(t, id, DUE)
  await runDue()
  await runDue()
  t.deepEqual(await notesOf(ada), ['due soon'])
})

/** Its moment is due; its row has changed since, and the event of that isn't delivered yet. */
async function dueTicket(values: object = {}): Promise<{ readonly ada: Person; readonly id: string }> {
  const ada = await register()
  const id = await ticket(ada, { title: 'moved', due: '2099-05-01T10:00:00Z', ...values })
  await kernel.settled()
  await query('update automations_dates set due_at = now() where row_id = $1', [id])
  return { ada, id }
}
const statesOf = async (automation: string, person: Person) =>
  (await runsOf(automation, person)).map(({ state }) => state)
const datesOf = (id: string) =>
  query<{ automation: string; due_at: Date }>(
    'select automation, due_at from automations_dates where row_id = $1 order by automation',
    [id],
  )

test.serial('a moment whose date has just moved starts nothing, and the new date has one', async t => {
  const { ada, id } = await dueTicket()
  await query(`update data_tickets set due = '2098-05-01T10:00:00Z' where id = $1`, [id])
  await runDue()
  t.deepEqual(await statesOf('remind', ada), ['skipped'])
  t.deepEqual(await statesOf('later', ada), ['skipped'])
  t.deepEqual(await notesOf(ada), [])
  t.deepEqual(await datesOf(id), [
    { automation: 'later', due_at: new Date('2098-05-01T11:00:00Z') },
    { automation: 'remind', due_at: new Date('2098-05-01T09:00:00Z') },
  ])
})

test.serial('a moment whose date is moved while its run starts waits for the change', async t => {
  const { ada, id } = await dueTicket()
  const change = await client.connect()
  t.teardown(() => change.release())
  await change.query('begin')
  await change.query(`update data_tickets set due = '2098-05-01T10:00:00Z' where id = $1`, [id])
  await kernel.kernel.ports.jobs.enqueue('automations.due', {})
  for (let pass = 0; pass < 40; pass++) {
    const blocked = await query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (blocked.length > 0) break
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  await change.query('commit')
  await kernel.settled()
  t.deepEqual(await statesOf('remind', ada), ['skipped'])
  t.deepEqual(await notesOf(ada), [])
})

test.serial('a moment whose row has just lost its date starts nothing', async t => {
  const { ada, id } = await dueTicket()
  await query('update data_tickets set due = null where id = $1', [id])
  await runDue()
  t.deepEqual(await statesOf('remind', ada), ['skipped'])
  t.deepEqual(await datesOf(id), [])
})

test.serial('a moment whose row has just been deleted, or moved to the trash, starts nothing', async t => {
  const trashed = await dueTicket()
  await query('update data_tickets set deleted_at = now() where id = $1', [trashed.id])
  const deleted = await dueTicket()
  await query('delete from data_tickets where id = $1', [deleted.id])
  await runDue()
  for (const { ada } of [trashed, deleted]) {
    t.deepEqual(await statesOf('remind', ada), ['ended'])
    t.deepEqual(await notesOf(ada), [])
  }
})

test.serial('a moment whose row has just left the conditions starts nothing', async t => {
  const { ada, id } = await dueTicket({ title: 'chosen' })
  await ada.patch(`/v1/identity/tenants/${ada.tenantId}`, { name: 'Chosen' })
  await query(`update data_tickets set title = 'other' where id = $1`, [id])
  await runDue()
  t.deepEqual(await statesOf('chosen-date', ada), ['skipped'])
})

test.serial('a moment of a suspended workspace waits, and is skipped if its date is over', async t => {
  const ada = await register()
  const soon = await ticket(ada, { title: 'soon', due: '2099-05-01T10:00:00Z' })
  const over = await ticket(ada, { title: 'over', due: '2099-05-01T10:00:00Z' })
  await moveDate(t, soon, '30 minutes')
  await moveDate(t, over, '-3 hours')
  await suspend(ada)
  await runDue()
  t.deepEqual(await runsOf('remind', ada), [])
  await resume(ada)
  await runDue()
  const states = Object.fromEntries((await runsOf('remind', ada)).map(({ row_id, state }) => [row_id, state]))
  t.deepEqual(states, { [soon]: 'done', [over]: 'skipped' })
  t.deepEqual((await notesOf(ada)).sort(), ['due soon', 'later over'])
})

test.serial('conditions read private fields, which events lack', async t => {
  const ada = await register()
  await ticket(ada, { title: 'a', secret: 'private', day: '2099-05-01' })
  await ticket(ada, { title: 'b', secret: 'other', day: '2099-05-01' })
  await kernel.settled()
  t.deepEqual(await notesOf(ada), ['private private'])
  const dates = await query(`select 1 from automations_dates where automation = 'private-date' and tenant_id = $1`, [
    ada.tenantId,
  ])
  t.is(dates.length, 1)
})

test.serial('the check of an import says how many runs its valid rows start', async t => {
  const ada = await register()
  const sender = { url: kernel.url, token: ada.token, tenantId: ada.tenantId }
  const file = 'title,priority\nimported,low\nimported,high\nimported,none\n'
  const { body } = await send(sender, 'tickets/imports?dryRun=true', file)
  const { rows } = await ended(ada, 'tickets', body.id)
  t.like(rows, { total: 3, failed: 1, runs: 2 })
  const labels = await send(sender, 'labels/imports?dryRun=true', 'name\none\n')
  t.is((await ended(ada, 'labels', labels.body.id)).rows.runs, 0)
})

test.serial('rows of an import start only automations with imports', async t => {
  const ada = await register()
  const { url } = kernel
  await send(
    { url, token: ada.token, tenantId: ada.tenantId },
    'tickets/imports',
    'title,due\nimported,2099-05-01T10:00:00Z\n',
  )
  await kernel.settled()
  t.deepEqual(await notesOf(ada), ['imports'])
  t.is((await query('select 1 from automations_dates where tenant_id = $1', [ada.tenantId])).length, 0)
  await ticket(ada, { title: 'imported' })
  await kernel.settled()
  t.deepEqual((await notesOf(ada)).sort(), ['imports', 'imports', 'rows'])
})

test.serial('a trigger over 64 KiB fails its run, which keeps no input', async t => {
  const ada = await register()
  const id = await ticket(ada, { title: 'large', tags: ['x'.repeat(70_000)] })
  await ada.patch(`/v1/data/tickets/${id}`, { tags: [] })
  await kernel.settled()
  const [run] = await runsOf('large', ada)
  t.like(run, { state: 'failed', input: {}, error: { code: 'input_too_large' } })
  t.is((await query('select 1 from larder_events where subject = $1', [run?.id])).length, 1)
})

test.serial('runs are deleted when they have been over for 30 days', async t => {
  const ada = await register()
  await ticket(ada, { title: 'a', secret: 'private' })
  await ticket(ada, { title: 'b', secret: 'private' })
  await kernel.settled()
  const [old, young] = await runsOf('private', ada)
  await query(`update automations_runs set finished_at = now() - interval '31 days' where id = $1`, [old?.id])
  await query(`update automations_runs set finished_at = now() - interval '29 days' where id = $1`, [young?.id])
  await kernel.kernel.ports.jobs.enqueue('automations.sweep', {})
  await kernel.settled()
  t.deepEqual(
    (await runsOf('private', ada)).map(({ id }) => id),
    [young?.id],
  )
  t.is((await query('select 1 from automations_steps where run_id = $1', [old?.id])).length, 0)
})

test.serial('erasing a person erases outputs that are stored encrypted, and those of others stay', async t => {
  const [ada, bob] = [await register(), await register()]
  const { secrets } = kernel.kernel.ports
  const sealed = (email: string) => secrets.encrypt('output of an automation', JSON.stringify({ data: { email } }))
  await ticket(ada, { title: 'a', secret: 'private' })
  await ticket(ada, { title: 'b', secret: 'private' })
  await kernel.settled()
  const [own, other] = await runsOf('private', ada)
  const seal = (id: string | undefined, email: string) =>
    query('update automations_steps set sealed = $2 where run_id = $1', [id, sealed(email)])
  await seal(own?.id, ada.email)
  await seal(other?.id, bob.email)
  await ada.post('/v1/auth/me/delete', { password: ada.password })
  await kernel.settled()
  const rows = await query<{ run_id: string }>('select run_id from automations_steps where sealed is not null')
  t.false(rows.some(({ run_id }) => run_id === own?.id))
})

test.serial('erasing a person erases their address in inputs and values', async t => {
  const owner = await register()
  const ada = await peopleOf(kernel).colleague(owner, ['tenant.owner'])
  await ticket(owner, { title: 'a', secret: 'private' })
  await kernel.settled()
  const [run] = await runsOf('private', owner)
  const value = JSON.stringify({ to: ada.email, other: 'stays' })
  await query('update automations_runs set input = $2 where id = $1', [run?.id, value])
  await query('update automations_steps set input = $2, output = $2 where run_id = $1', [run?.id, value])
  await ada.post('/v1/auth/me/delete', { password: owner.password })
  await kernel.settled()
  const stored = await query<{ text: string }>(
    `select r.input::text || s.input::text || s.output::text as text
     from automations_runs r join automations_steps s on s.run_id = r.id where r.id = $1`,
    [run?.id],
  )
  t.is(stored.length, 1)
  for (const { text } of stored) {
    t.false(text.includes(ada.email))
    t.true(text.includes('stays'))
  }
})
