import { EventEmitter } from 'node:events'
import test from 'ava'
import pg, { type PoolClient } from 'pg'
import { createCheckoutQueue } from '../../../services/postgres/checkout-queue.ts'

/** A connection without a server. */
class FakeClient extends EventEmitter {
  readonly _queryable = true
  connect(done: (error?: Error) => void): void {
    setImmediate(done)
  }
  end(done: () => void): void {
    setImmediate(done)
  }
  ref(): void {}
  unref(): void {}
}

test('callers get connections in the order in which they ask', async t => {
  const pool = new pg.Pool({ Client: FakeClient as never, max: 1, connectionTimeoutMillis: 2000 })
  pool.on('error', error => t.fail(error.message))
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
