/** Tenants that share a worker. */
import test from 'ava'
import { currentContext, type Job, type JobContext, withContext } from '../../../kernel/index.ts'
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

/** Jobs that a customer of a product of people causes. */
const causedBy = (fixture: Fixture, share: string, count: number) =>
  withContext({ share }, () =>
    Promise.all(
      Array.from({ length: count }, (_, n) => fixture.queue.enqueue('test.once', { n }, { tenantId: 'ten_a' })),
    ),
  )

for (const concurrency of [2, 4, 10])
  test.serial(`in a product of people, hanging jobs of a customer leave one of ${concurrency} slots`, async t => {
    const fixture = await createJobsFixture(onPostgres, true)
    t.teardown(() => fixture.end())
    const { passed, open } = gate()
    const order: (string | undefined)[] = []
    const run = async () => {
      const { share } = currentContext()
      order.push(share)
      if (share === 'mem_noisy') await passed
    }
    const noisy = () => order.filter(share => share === 'mem_noisy').length
    await fixture.worker({ name: 'test.once' as never, concurrency, run })
    await causedBy(fixture, 'mem_noisy', 30)
    await waitFor(() => noisy() > 0)
    await causedBy(fixture, 'mem_quiet', 3)
    await fixture.queue.enqueue('test.once', { n: 1 }, { tenantId: 'ten_a' })
    await waitFor(() => order.length - noisy() === 4)
    t.deepEqual(
      order
        .filter(share => share !== 'mem_noisy')
        .map(String)
        .sort(),
      ['mem_quiet', 'mem_quiet', 'mem_quiet', 'undefined'],
    )
    t.true(noisy() < concurrency)
    open()
    await waitFor(() => order.length === 34)
  })

test.serial('in a product of people, jobs of an earlier version run, and jobs pass their customer on', async t => {
  const fixture = await createJobsFixture(onPostgres, true)
  t.teardown(() => fixture.end())
  const seen: (string | undefined)[] = []
  const run = async ({ n = 1 }: { n?: number }) => {
    seen.push(currentContext().share)
    if (n === 0) await fixture.queue.enqueue('test.once', { n: 1 }, { tenantId: 'ten_a' })
  }
  await fixture.worker({ name: 'test.once' as never, run })
  await causedBy(fixture, 'mem_a', 1)
  await waitFor(() => seen.length === 2)
  await queued(fixture, 'ten_a', 3, '1 minute')
  await waitFor(() => seen.length === 5)
  t.deepEqual(seen, ['mem_a', 'mem_a', undefined, undefined, undefined])
})
