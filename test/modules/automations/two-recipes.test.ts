/** Processes with two recipes on one database, as during a rolling update and on the way back. */
import test from 'ava'
import pg from 'pg'
import type { Person, TestKernel } from '../../../testing/index.ts'
import { notesOf, startDesk } from './fixtures.ts'

const note = (text: string) => [{ 'desk.note': { text } }]
const reminding = (by: string) => ({ before: { field: 'tickets.due', by }, steps: note(`due ${by}`) })
const reporting = (hour: number) => ({ every: `0 ${hour} * * *`, each: 'workspaces', steps: note(`report ${hour}`) })

let kernel: TestKernel
let client: pg.Pool
/** Of this process. */
let triggers: readonly string[]
const query = async <Row>(sql: string, values: unknown[] = []): Promise<Row[]> => (await client.query(sql, values)).rows
test.before(async () => {
  kernel = await startDesk({ remind: reminding('1h'), report: reporting(8) })
  client = new pg.Pool({ connectionString: kernel.databaseUrl })
  client.on('error', () => {})
  triggers = (await query<{ trigger: string }>('select trigger from automations_schedules')).map(
    ({ trigger }) => trigger,
  )
})
test.after.always(async () => {
  await client?.end()
  await kernel?.stop()
})
test.afterEach.always(async () => {
  await query('delete from automations_schedules where trigger <> all ($1)', [triggers])
  await query('update automations_schedules set changed_at = now(), planned_at = now(), retired_at = null')
  await query('delete from data_tickets')
  await query('delete from automations_dates')
})

/** As a process with another recipe that starts, and ends. What it enqueued has run. */
async function startOther(automations: Readonly<Record<string, unknown>>): Promise<void> {
  const other = await startDesk(automations, { database: kernel.databaseUrl, role: 'web' })
  await other.stop()
  await kernel.settled()
}
/** Runs a job of this process, and what follows from it. */
async function run(job: 'automations.due' | 'automations.plan' | 'automations.sweep'): Promise<void> {
  await kernel.kernel.ports.jobs.enqueue(job, {})
  await kernel.settled()
}
let people = 0
/** Has a row with a moment. */
async function register(): Promise<Person> {
  const ada = await kernel.register(`ada${++people}@example.test`)
  await ada.post('/v1/data/tickets', { title: 'a', due: '2099-05-01T10:00:00Z' })
  await kernel.settled()
  return ada
}
const momentsOf = async () =>
  (await query<{ due: Date }>('select due_at as due from automations_dates order by 1')).map(({ due }) =>
    due.toISOString(),
  )
const MOMENT = '2099-05-01T09:00:00.000Z'

for (const [what, automations] of [
  ['no', {}],
  ['other', { remind: reminding('2h'), report: reporting(9) }],
] as const)
  test.serial(`a process whose recipe has ${what} schedules and moments leaves those of another process`, async t => {
    const ada = await register()
    await startOther(automations)
    await query('update automations_dates set due_at = now()')
    await query('update automations_schedules set next_at = now() where next_at is not null')
    await run('automations.due')
    t.deepEqual((await notesOf(ada)).sort(), ['due 1h', 'report 8'])
  })

test.serial('schedules and moments that no process has claimed for a day are deleted', async t => {
  const { tenantId } = await register()
  await query(`insert into automations_schedules (automation, trigger) values ('other', 'digest')`)
  await query(
    `insert into automations_dates (tenant_id, automation, trigger, collection, row_id, date, due_at)
     values ($1, 'other', 'digest', 'tickets', 'row', now(), now() + interval '1 day')`,
    [tenantId],
  )
  const left = async (hours: number) => {
    await query("update automations_schedules set retired_at = now() - $1 * interval '1 hour'", [hours])
    await run('automations.sweep')
    const rows = await query<{ automation: string }>('select automation from automations_schedules order by 1')
    return rows.map(({ automation }) => automation)
  }
  t.deepEqual(await left(23), ['other', 'remind', 'report'])
  t.is((await momentsOf()).length, 2)
  t.deepEqual(await left(25), ['remind', 'report'])
  t.deepEqual(await momentsOf(), [MOMENT])
})

test.serial('definitions that another process has retired stay while a process has them', async t => {
  await query(`update automations_definitions set retired_at = now() - interval '2 days'`)
  await run('automations.sweep')
  const left = await query<{ automation: string }>(
    `select automation from automations_definitions where automation in ('remind', 'report') and retired_at is null`,
  )
  t.is(left.length, 2)
})

test.serial('rows whose events another process has handled get their moments within an hour', async t => {
  await register()
  await query('delete from automations_dates')
  await run('automations.plan')
  t.deepEqual(await momentsOf(), [MOMENT])
  await query(`update automations_schedules set changed_at = changed_at - interval '2 hours'`)
  await query('delete from automations_dates')
  await run('automations.plan')
  t.deepEqual(await momentsOf(), [], 'planned for good')
})

test.serial('no moment is planned for a time that had passed when the row was written', async t => {
  await register()
  await query('delete from automations_dates')
  const move = (minutes: number) =>
    query(
      `update data_tickets set due = now() + $1 * interval '1 minute', updated_at = now() + interval '20 minutes'`,
      [minutes],
    )
  await move(70)
  await query(`update automations_schedules set changed_at = now() - interval '50 minutes'`)
  await run('automations.plan')
  t.deepEqual(await momentsOf(), [])
  await move(90)
  await run('automations.plan')
  t.is((await momentsOf()).length, 1)
})

test.serial('moments are planned soon where a process with another recipe has taken the job', async t => {
  await query(`insert into automations_schedules (automation, trigger) values ('another', 'digest')`)
  await run('automations.plan')
  const waiting = await query(
    `select run_at < now() + interval '1 minute' as soon from larder_jobs
     where name = 'automations.plan' and state = 'waiting'`,
  )
  t.deepEqual(waiting, [{ soon: true }])
  await query(`delete from larder_jobs where name = 'automations.plan'`)
})

test.serial('a plan of moments does not overwrite one that is written in the meantime', async t => {
  await register()
  const listener = await client.connect()
  t.teardown(() => listener.release())
  await listener.query('begin')
  await listener.query('select 1 from automations_dates for update')
  await query('update automations_schedules set planned_at = null')
  await kernel.kernel.ports.jobs.enqueue('automations.plan', {})
  const blocked = () =>
    query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and query like '%automations_dates%'`,
    )
  for (let pass = 0; pass < 200 && (await blocked()).length === 0; pass++)
    await new Promise(resolve => setTimeout(resolve, 50))
  t.is((await blocked()).length, 1)
  await listener.query(
    `update automations_dates set date = '2098-05-01T10:00:00Z', due_at = '2098-05-01T09:00:00Z',
       written_at = clock_timestamp()`,
  )
  await listener.query('commit')
  await kernel.settled()
  t.deepEqual(await momentsOf(), ['2098-05-01T09:00:00.000Z'])
})
