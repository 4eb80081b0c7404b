/** The plans of a worker's statements, as prepared for any parameters, on a queue that one name fills. */
import anyTest, { type TestFn } from 'ava'
import pg from 'pg'
import type { Job, Step } from '../../../kernel/index.ts'
import { BY_PERSON, type LeasedJob, lease, leaseInTurn, renew, selectExpired } from '../../../services/jobs/leases.ts'
import { createJobsFixture, type JobsFixture, onPostgres } from './fixtures.ts'

const test = anyTest as TestFn<{ fixture: JobsFixture; client: pg.Client }>
const JOBS = ['test.mail', 'test.rare'].map(name => ({ name }) as Job)

test.before(async t => {
  const fixture = await createJobsFixture(onPostgres)
  const client = new pg.Client({ connectionString: fixture.ownerUrl })
  client.on('error', () => {})
  await client.connect()
  t.context = { fixture, client }
  await client.query(
    `insert into larder_jobs (id, name, tenant_id, data, context, state, run_at, locked_until, created_at)
     select 'job_' || n, case when n % 1000 = 0 then 'test.rare' else 'test.mail' end, 'ten_' || n % 10, '{}', '{}',
       case when n % 500 = 1 then 'running' else 'waiting' end, now() - n * interval '1 second', now(), now()
     from generate_series(1, 10000) n`,
  )
  await client.query(`update larder_jobs set share = 'mem_' || id where state = 'waiting'`)
  await client.query('analyze larder_jobs')
  await client.query('set plan_cache_mode = force_generic_plan')
})
test.after.always(async t => {
  await t.context.client.end()
  await t.context.fixture.end()
})

const STATEMENTS: Readonly<Record<string, Step>> = {
  lease: lease(
    JOBS.map(job => ({ job, slots: 10 })),
    32,
    { now: Date.now },
  ),
  lease_in_turn: leaseInTurn(
    JOBS.map(job => ({ job, slots: 10, after: '', without: ['ten_1'] })),
    32,
    { now: Date.now },
  ),
  lease_in_turn_of_people: leaseInTurn(
    JOBS.map(job => ({ job, slots: 10, after: '', without: ['mem_1'] })),
    32,
    { now: Date.now },
    BY_PERSON,
  ),
  renew: renew([{ id: 'job_1', attempts: 0 } as LeasedJob]),
  expire: selectExpired(JOBS.map(({ name }) => name)),
}
for (const [name, [text, values = []]] of Object.entries(STATEMENTS))
  test.serial(`the statement '${name}' reads jobs by an index`, async t => {
    const { client } = t.context
    await client.query(`prepare ${name} as ${text}`)
    const literals = values.map(value => client.escapeLiteral(toText(value)))
    const { rows } = await client.query(`explain execute ${name}(${literals.join(', ')})`)
    const plan = rows.map(row => row['QUERY PLAN']).join('\n')
    t.notRegex(plan, /Seq Scan on larder_jobs/, plan)
    t.regex(plan, /Index|Bitmap/)
  })

const toText = (value: unknown): string => (Array.isArray(value) ? `{${value.join(',')}}` : String(value))
