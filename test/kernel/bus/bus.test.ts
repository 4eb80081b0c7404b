import test from 'ava'
import { pino } from 'pino'
import { type ClosableBus, createBus } from '../../../kernel/bus/bus.ts'
import { createStage, log, openStage, type Stage, until } from '../events/kit.ts'

let stage: Stage
test.before(async () => {
  stage = await createStage()
})
test.after.always(() => stage.end())

/** Two processes' ends of one bus. */
async function pair(t: {
  teardown(fn: () => Promise<void>): void
}): Promise<{ here: ClosableBus; there: ClosableBus }> {
  const ends: ClosableBus[] = []
  for (const name of ['here', 'there']) {
    const db = await openStage(stage.ownerUrl, name)
    const bus = await createBus({ backend: 'postgres', db, log })
    ends.push(bus)
    t.teardown(async () => {
      await bus.close()
      await db.close()
    })
  }
  const [here, there] = ends as [ClosableBus, ClosableBus]
  return { here, there }
}

test.serial('a message reaches every process once, its own at once, in order', async t => {
  const { here, there } = await pair(t)
  const own: unknown[] = []
  const others: unknown[] = []
  here.subscribe('news', message => own.push(message))
  there.subscribe('news', message => others.push(message))
  there.subscribe('other news', () => t.fail())
  const all = Array.from({ length: 50 }, (_, n) => ({ n }))
  for (const message of all) here.publish('news', message)
  t.deepEqual(own, all)
  await until(() => others.length === 50)
  t.deepEqual(others, all)
  // What comes after it has come: the sender would have heard itself by now.
  there.publish('news', 'last')
  await until(() => own.includes('last'))
  t.deepEqual(own, [...all, 'last'])
})

test.serial('a message of any length arrives, in its place', async t => {
  const { here, there } = await pair(t)
  const seen: unknown[] = []
  there.subscribe('news', message => seen.push(message))
  const long = 'ä'.repeat(100_000)
  const all = ['first', long, 'third', 'x'.repeat(6990), 'fifth']
  for (const message of all) here.publish('news', message)
  await until(() => seen.length === all.length)
  t.deepEqual(seen, all)
})

test.serial('after its connection was away a subscriber is told that it may have missed something', async t => {
  const { there, here } = await pair(t)
  let gaps = 0
  const seen: unknown[] = []
  there.subscribe(
    'news',
    message => seen.push(message),
    () => gaps++,
  )
  await stage.asOwner(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'larder listen' and datname = current_database()`)
  await until(() => gaps >= 1)
  here.publish('news', 'again')
  await until(() => seen.includes('again'))
  t.pass()
})

test.serial('a subscriber that throws or leaves takes nobody with it', async t => {
  const bus = await createBus({ backend: 'memory', db: stage.db, log: pino({ level: 'silent' }) })
  const seen: unknown[] = []
  const leave = bus.subscribe('news', () => t.fail())
  bus.subscribe('news', () => {
    throw new Error('mine alone')
  })
  bus.subscribe('news', message => seen.push(message))
  leave()
  bus.publish('news', 1)
  t.deepEqual(seen, [1])
  await bus.close()
})
