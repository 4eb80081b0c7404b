import test, { type ExecutionContext } from 'ava'
import { withContext } from '../../../kernel/base/context.ts'
import type { WorkerTask } from '../../../kernel/contract/ports.ts'
import { createWorkerPool, type WorkerPoolOptions } from '../../../services/threads/worker-pool.ts'
import { problemOf } from '../../fixtures/problem-of.ts'
import type { allocate, double, environment, fail, recurse, spin, wait } from './tasks.ts'

const file = new URL('./tasks.js', import.meta.url)
const doubleTask: WorkerTask<typeof double> = { file, name: 'double' }
const spinTask: WorkerTask<typeof spin> = { file, name: 'spin' }
const waitTask: WorkerTask<typeof wait> = { file, name: 'wait' }
const recurseTask: WorkerTask<typeof recurse> = { file, name: 'recurse' }
const allocateTask: WorkerTask<typeof allocate> = { file, name: 'allocate' }
const failTask: WorkerTask<typeof fail> = { file, name: 'fail' }
const environmentTask: WorkerTask<typeof environment> = { file, name: 'environment' }

const ADA = { tenantId: 'ten_ada', timeoutMs: 10_000 }
const EVE = { tenantId: 'ten_eve', timeoutMs: 10_000 }

function poolOf(t: ExecutionContext, options: WorkerPoolOptions = {}) {
  const pool = createWorkerPool(options)
  t.teardown(() => pool.close())
  return pool
}

test('returns what the function returns', async t => {
  t.is(await poolOf(t).run(doubleTask, 21, ADA), 42)
})

test('interrupts a function after its time limit', async t => {
  const pool = poolOf(t)
  const error = await problemOf(t, pool.run(spinTask, 60_000, { ...ADA, timeoutMs: 50 }))
  t.deepEqual([error.code, error.status, error.extras.reason], ['limit_exceeded', 422, 'it takes longer than 50 ms'])
  t.is(await pool.run(doubleTask, 1, ADA), 2)
})

const reportsCpuTime = process.platform === 'linux' || 'threadCpuUsage' in process

if (reportsCpuTime)
  test('gives a function more time while other work uses the processor', async t => {
    t.is(await poolOf(t).run(waitTask, 500, { ...ADA, timeoutMs: 100 }), 'done')
  })

test('rejects a function that exhausts the stack', async t => {
  t.is((await problemOf(t, poolOf(t).run(recurseTask, 10_000_000, ADA))).code, 'limit_exceeded')
})

test('replaces a thread that exceeds the memory limit', async t => {
  const pool = poolOf(t, { maxHeapMib: 32 })
  const error = await problemOf(t, pool.run(allocateTask, 2000, { ...ADA, timeoutMs: 60_000 }))
  t.deepEqual([error.code, error.extras.reason], ['limit_exceeded', 'it needs more than 32 MiB of memory'])
  t.is(await pool.run(doubleTask, 1, ADA), 2)
})

test('passes on an error of the function', async t => {
  await t.throwsAsync(poolOf(t).run(failTask, undefined as never, ADA), { message: 'a task failed' })
})

test('gives threads no environment variables', async t => {
  t.deepEqual(await poolOf(t).run(environmentTask, undefined as never, ADA), [])
})

test("runs a tenant's task before the remaining tasks of a busy tenant", async t => {
  const pool = poolOf(t, { threads: 2 })
  // Threads start with their first tasks, which takes long on a busy machine.
  await Promise.all([pool.run(spinTask, 100, ADA), pool.run(spinTask, 100, EVE)])
  const order: string[] = []
  const eve = Array.from({ length: 4 }, (_, n) => pool.run(spinTask, 200, EVE).then(() => order.push(`eve ${n}`)))
  const ada = pool.run(spinTask, 0, ADA).then(() => order.push('ada'))
  await Promise.all([...eve, ada])
  t.true(order.indexOf('ada') < order.indexOf('eve 1'), order.join())
})

test('customers of one workspace take turns as tenants do', async t => {
  const pool = poolOf(t, { threads: 2 })
  const as = <T>(share: string, run: () => T): T => withContext({ share }, run)
  await Promise.all([pool.run(spinTask, 100, ADA), pool.run(spinTask, 100, EVE)])
  const order: string[] = []
  const noisy = as('mem_eve', () =>
    Array.from({ length: 4 }, (_, n) => pool.run(spinTask, 200, ADA).then(() => order.push(`eve ${n}`))),
  )
  const quiet = as('mem_ada', () => pool.run(spinTask, 0, ADA)).then(() => order.push('ada'))
  await Promise.all([...noisy, quiet])
  t.true(order.indexOf('ada') < order.indexOf('eve 1'), order.join())
})

test('two tenants that keep their threads busy leave one for a third', async t => {
  const pool = poolOf(t)
  // Threads start with their first tasks, which takes long on a busy machine.
  const started = ['ten_one', 'ten_two', 'ten_three'].map(tenantId => pool.run(spinTask, 100, { ...ADA, tenantId }))
  await Promise.all(started)
  const order: string[] = []
  const costly = [EVE, { ...EVE, tenantId: 'ten_mallory' }].flatMap(tenant =>
    Array.from({ length: 3 }, () => pool.run(spinTask, 400, tenant).then(() => order.push('costly'))),
  )
  await pool.run(doubleTask, 1, ADA)
  order.push('ada')
  await Promise.all(costly)
  t.true(order.indexOf('ada') <= 3, order.join())
})

test('a close ends the tasks of its pool and of no other', async t => {
  // Pools share their threads: one of them spins.
  const closing = createWorkerPool({ threads: 3 })
  const other = poolOf(t, { threads: 3 })
  t.is(await closing.run(doubleTask, 1, ADA), 2)
  const spinning = t.throwsAsync(closing.run(spinTask, 60_000, { ...ADA, timeoutMs: 60_000 }), {
    message: 'the worker pool is closed',
  })
  t.is(await other.run(doubleTask, 2, ADA), 4)
  closing.close()
  await spinning
  await t.throwsAsync(closing.run(doubleTask, 3, ADA), { message: 'the worker pool is closed' })
  t.is(await other.run(doubleTask, 4, ADA), 8)
})

test('rejects more waiting tasks of one tenant than the maximum', async t => {
  const pool = poolOf(t, { threads: 1, maxWaitingPerTenant: 2 })
  const accepted = Array.from({ length: 3 }, () => pool.run(spinTask, 20, EVE))
  const error = await problemOf(t, pool.run(spinTask, 0, EVE))
  t.deepEqual([error.code, error.status, error.headers], ['worker_pool_busy', 503, { 'retry-after': '2' }])
  t.is(await pool.run(doubleTask, 2, ADA), 4)
  t.is((await Promise.all(accepted)).length, 3)
})
