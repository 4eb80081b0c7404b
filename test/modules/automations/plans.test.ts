/** How PostgreSQL reads lists of runs, as prepared for any parameters. */
import test from 'ava'
import { connectOwner } from '../collections/fixtures.ts'
import { startDesk } from './fixtures.ts'

const LISTS: Readonly<Record<string, readonly [condition: string, value: string]>> = {
  'all runs': ['id < $1', 'run_5'],
  'runs that failed': ['state = $1', 'failed'],
  'runs of a workspace': ['tenant_id = $1', 'ten_1'],
  'runs of an automation': ['automation = $1', 'greet'],
}

test('operators list runs by an index, newest first, however many there are', async t => {
  const kernel = await startDesk({
    greet: { on: 'collections.tickets.created', steps: [{ 'desk.note': { text: 'Hello' } }] },
  })
  t.teardown(() => kernel.stop())
  const owner = await connectOwner(t, kernel.databaseUrl)
  await owner.query(
    `insert into automations_runs (tenant_id, id, automation, digest, key, trigger, state, input, cause, created_at, finished_at)
     select 'ten_' || n % 50, 'run_' || n, 'greet', '', n, 'event', case when n % 1000 = 0 then 'failed' else 'done' end, '{}', '{}',
       now(), now()
     from generate_series(1, 20000) n`,
  )
  await owner.query('analyze automations_runs')
  await owner.query('set plan_cache_mode = force_generic_plan')
  for (const [index, [what, [condition, value]]] of Object.entries(LISTS).entries()) {
    await owner.query(
      `prepare list_${index} (text) as select * from automations_runs where ${condition} order by id desc limit 21`,
    )
    const rows = await owner.query<{ 'QUERY PLAN': string }>(`explain execute list_${index}('${value}')`)
    const plan = rows.map(row => row['QUERY PLAN']).join('\n')
    t.notRegex(plan, /Seq Scan|Sort/, `${what}: ${plan}`)
  }
})
