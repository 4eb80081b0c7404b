/** Tenants that share a worker. */
import test from 'ava'
import type { Job, JobContext } from '../../../kernel/index.ts'
import { createShares } from '../../../services/jobs/shares.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { createJobsFixture, gate, onPostgres } from './fixtures.ts'

type Fixture = Awaited<ReturnType<typeof createJobsFixture>>

/** Due jobs of a tenant, the oldest first. */
const queued = (fixture: Fixture, tenantId: string | null, count: number, age: string) =>
  fixture.asOwner(
    `insert into larder_jobs (id, name, tenant_id, data, context, run_at, created_at)
     select 'job_' || coalesce($1, 'none') || n, 'test.once', $1, '{}', '{}', now() - $3::interval, now()
     from generate_series(1, $2::int) n`,
    [tenantId, count, age],
  )

for (const concurrency of [1, 10])
  test.serial(`a backlog of a tenant delays others by a few jobs, with ${concurrency} at a time`, async t => {
    const fixture = await createJobsFixture(onPostgres)
    t.teardown(() => fixture.end())
    await queued(fixture, 'ten_big', 10_000, '1 hour')
    for (const tenantId of ['ten_a', 'ten_z', null]) await queued(fixture, tenantId, 2, '1 minute')
    await fixture.asOwner(`analyze larder_jobs`)
    const order: (string | null)[] = []
    const run = async (_: unknown, { tenantId }: JobContext) => void order.push(tenantId)
    const others = () => order.filter(tenantId => tenantId !== 'ten_big')
    await fixture.worker({ name: 'test.once' as never, concurrency, run })
    await waitFor(() => others().length === 6)
    t.true(order.indexOf('ten_a') < 30, String(order.indexOf('ten_a')))
    t.true(order.findLastIndex(tenantId => tenantId !== 'ten_big') < 80)
    t.deepEqual(others().map(String).sort(), ['null', 'null', 'ten_a', 'ten_a', 'ten_z', 'ten_z'])
  })

test.serial('jobs that hang hold up only their own tenant', async t => {
  const fixture = await createJobsFixture(onPostgres)
  t.teardown(() => fixture.end())
  const { passed, open } = gate()
  const order: (string | null)[] = []
  const run = async (_: unknown, { tenantId }: JobContext) => {
    order.push(tenantId)
    if (tenantId === 'ten_big') await passed
  }
  await queued(fixture, 'ten_big', 50, '1 hour')
  await fixture.worker({ name: 'test.once' as never, run })
  await waitFor(() => order.length === 8)
  await queued(fixture, 'ten_a', 3, '0')
  await waitFor(() => order.filter(tenantId => tenantId === 'ten_a').length === 3)
  t.is(order.filter(tenantId => tenantId === 'ten_big').length, 8)
  open()
  await waitFor(() => order.length === 53)
})

test('without a backlog, there are no turns, and so no statement for them', t => {
  const jobs = [{ name: 'test.once' }, { name: 'test.often', concurrency: 1 }] as unknown as Job[]
  const shares = createShares(jobs)
  const few = ['ten_a', 'ten_b', 'ten_a'].map(tenant_id => ({ name: 'test.once', tenant_id }))
  for (const rows of [[], few, [{ name: 'test.often', tenant_id: null }]]) {
    const { oldest, inTurn } = shares.rooms([], 32)
    t.is(oldest.length, 2)
    t.deepEqual(inTurn, [])
    shares.tookOldest(oldest, rows)
  }
})
