import { EventEmitter } from 'node:events'
import test from 'ava'
import type pg from 'pg'
import { createGrowth } from '../../../services/postgres/growth.ts'

class FakePool extends EventEmitter {
  idleCount = 0
  waitingCount = 0
  totalCount = 1
  connects = 0
  async connect() {
    this.connects++
  }
}
const growthOf = (pool: FakePool) => createGrowth(pool as unknown as pg.Pool, 2)

test('a unit of work takes a connection that is released before the pool opens another one', async t => {
  const pool = new FakePool()
  const growth = growthOf(pool)
  const connected = growth.connect()
  t.is(pool.connects, 0)
  t.is(growth.waiting(), 1)
  pool.idleCount = 1
  pool.emit('release')
  await connected
  t.is(pool.connects, 1)
  t.is(growth.waiting(), 0)
})

test('a release lets one unit of work continue', async t => {
  const pool = new FakePool()
  const growth = growthOf(pool)
  const [first, second] = [growth.connect(), growth.connect()]
  pool.idleCount = 1
  pool.emit('release')
  pool.waitingCount = 1
  t.is(growth.waiting(), 1)
  await first
  await second
  t.is(pool.connects, 2)
})

test('without a release, the pool opens another connection', async t => {
  const pool = new FakePool()
  await growthOf(pool).connect()
  t.is(pool.connects, 1)
})

const notWaiting: Record<string, Partial<FakePool>> = {
  'if a connection is idle': { idleCount: 1 },
  'for the first connection': { totalCount: 0 },
  'if the pool is full': { totalCount: 2 },
}
for (const [when, state] of Object.entries(notWaiting))
  test(`a unit of work doesn't wait ${when}`, async t => {
    const pool = Object.assign(new FakePool(), state)
    const connected = growthOf(pool).connect()
    t.is(pool.connects, 1)
    await connected
  })
