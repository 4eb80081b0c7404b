import { EventEmitter } from 'node:events'
import test, { type ExecutionContext } from 'ava'
import pg, { type PoolClient } from 'pg'
import { createCheckoutQueue } from '../../../services/postgres/checkout-queue.ts'
import { waitFor } from '../../fixtures/wait.ts'

/** A connection without a server. */
class FakeClient extends EventEmitter {
  /** The next connections that fail. */
  static failures = 0
  readonly _queryable = true
  connect(done: (error?: Error) => void): void {
    const error = FakeClient.failures-- > 0 ? new Error('refused') : undefined
    setImmediate(done, error)
  }
  end(done: () => void): void {
    setImmediate(done)
  }
  ref(): void {}
  unref(): void {}
}

function newPool(t: ExecutionContext, max = 1): pg.Pool {
  const pool = new pg.Pool({ Client: FakeClient as never, max, connectionTimeoutMillis: 2000 })
  pool.on('error', error => t.fail(error.message))
  // The timers of the queue don't keep the process alive, and neither do connections without a server.
  const alive = setInterval(() => undefined, 1000)
  t.teardown(() => clearInterval(alive))
  return pool
}

test('callers get connections in the order in which they ask', async t => {
  const pool = newPool(t)
  const queue = createCheckoutQueue(pool, 2000)
  t.teardown(() => queue.stop())
  // As the sweeper does.
  ;(await queue.wait()).release()
  const served: string[] = []
  const ask = (name: string) => queue.wait().then((client: PoolClient) => [served.push(name), client] as const)
  // Both expect the idle connection of pg's pool.
  const [first, second] = [ask('first'), ask('second')]
  const [, client] = await first
  const third = ask('third')
  queue.put(client)
  queue.put((await Promise.race([second, third]))[1])
  await Promise.all([second, third])
  t.deepEqual(served, ['first', 'second', 'third'])
})

test('rejects a caller if no connection becomes free in time', async t => {
  const queue = createCheckoutQueue(newPool(t), 30)
  t.teardown(() => queue.stop())
  const client = await queue.wait()
  await t.throwsAsync(queue.wait(), { message: /no connection is free/ })
  queue.put(client)
  t.is(queue.take(), client)
})

test('opens a connection for a waiting caller after one is closed', async t => {
  const queue = createCheckoutQueue(newPool(t), 2000)
  t.teardown(() => queue.stop())
  const client = await queue.wait()
  const waiting = queue.wait()
  queue.discard(client)
  t.not(await waiting, client)
})

test('opens one connection at a time, and hands released ones to waiting callers meanwhile', async t => {
  const pool = newPool(t, 10)
  const queue = createCheckoutQueue(pool, 2000)
  t.teardown(() => queue.stop())
  const client = await queue.wait()
  const served: PoolClient[] = []
  const callers = [1, 2, 3].map(async () => {
    const received = await queue.wait()
    served.push(received)
    setImmediate(() => queue.put(received))
  })
  queue.put(client)
  await Promise.all(callers)
  t.is(served[0], client)
  t.true(pool.totalCount < 4)
})

test('a connection that fails rejects one caller, and the next caller gets another connection', async t => {
  const pool = newPool(t, 10)
  const queue = createCheckoutQueue(pool, 2000)
  t.teardown(() => queue.stop())
  FakeClient.failures = 1
  const [failed, served] = await Promise.allSettled([queue.wait(), queue.wait()])
  t.is(failed.status, 'rejected')
  t.is(served.status, 'fulfilled')
  if (served.status === 'fulfilled') queue.put(served.value)
})

test("returns connections to pg's pool after a second without use, and when it stops", async t => {
  const pool = newPool(t)
  const queue = createCheckoutQueue(pool, 2000)
  queue.put(await queue.wait())
  t.is(pool.idleCount, 0)
  await waitFor(() => pool.idleCount === 1)
  queue.put(await queue.wait())
  t.is(pool.idleCount, 0)
  queue.stop()
  t.is(pool.idleCount, 1)
})
