import { mock } from 'node:test'
import test from 'ava'
import { pino } from 'pino'
import { common } from '../../../../kernel/base/problem.ts'
import { createAttemptWriter } from '../../../../modules/webhooks/services/attempt-writer.ts'
import type { Attempt } from '../../../../modules/webhooks/services/delivery-queue.ts'

test.beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
test.afterEach.always(() => mock.timers.reset())

/** The time stands still, except for timers that a test advances. */
function createFixture() {
  const written: string[][] = []
  const record = async (attempts: readonly Attempt[]) => void written.push(attempts.map(({ delivery }) => delivery.id))
  const writer = createAttemptWriter(
    { record },
    pino({ level: 'silent' }),
    () => {},
    () => 0,
  )
  const add = async (...ids: string[]) => {
    for (const id of ids) writer.add({ delivery: { id } } as Attempt)
    await settle()
  }
  return { writer, written, add, unwritten: () => writer.unwritten().map(({ id }) => id) }
}

const settle = () => new Promise(resolve => setImmediate(resolve))
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `msg_${index}`)

test.serial('the first result is stored without a wait', async t => {
  const { written, add } = createFixture()
  await add('a')
  t.deepEqual(written, [['a']])
})

test.serial('results that follow a write soon are stored together', async t => {
  const { written, add, unwritten } = createFixture()
  await add('a')
  await add('b')
  await add('c')
  t.deepEqual(unwritten(), ['b', 'c'])
  mock.timers.tick(15)
  await settle()
  t.deepEqual(written, [['a'], ['b', 'c']])
  t.deepEqual(unwritten(), [])
})

test.serial('a full batch is stored without a wait', async t => {
  const { written, add } = createFixture()
  await add('a')
  const batch = numbered(200)
  await add(...batch)
  t.deepEqual(written, [['a'], batch])
})

test.serial('a flush stores all results without a wait', async t => {
  const { writer, written, add } = createFixture()
  await add('a')
  await add('b')
  await writer.flush()
  t.deepEqual(written, [['a'], ['b']])
})

test.serial(
  'a write that fails does not keep later results from being stored, and its attempts are reported',
  async t => {
    const written: number[] = []
    const failed: string[] = []
    const record = async (attempts: readonly Attempt[]) => {
      written.push(attempts.length)
      if (written.length === 1) throw new Error('the connection is lost')
    }
    const writer = createAttemptWriter({ record }, pino({ level: 'silent' }), attempts => {
      failed.push(...attempts.map(({ delivery }) => delivery.id))
    })
    writer.add({ delivery: { id: 'a' } } as Attempt)
    await settle()
    writer.add({ delivery: { id: 'b' } } as Attempt)
    await writer.flush()
    t.deepEqual(written, [1, 1])
    t.deepEqual(failed, ['a'])
  },
)

test.serial('results wait while the database is away, and are stored with later ones', async t => {
  let isAway = true
  const written: string[][] = []
  const record = async (attempts: readonly Attempt[]) => {
    if (isAway) throw common.database_unavailable({ seconds: 1 })
    written.push(attempts.map(({ delivery }) => delivery.id))
  }
  const failed: Attempt[] = []
  const writer = createAttemptWriter({ record }, pino({ level: 'silent' }), attempts => void failed.push(...attempts))
  writer.add({ delivery: { id: 'a' } } as Attempt)
  await settle()
  writer.add({ delivery: { id: 'b' } } as Attempt)
  t.deepEqual(
    writer.unwritten().map(({ id }) => id),
    ['a', 'b'],
  )
  isAway = false
  for (const wait of [250, 15]) {
    mock.timers.tick(wait)
    await settle()
  }
  t.deepEqual({ written, failed, unwritten: writer.unwritten() }, { written: [['a', 'b']], failed: [], unwritten: [] })
})

test.serial('a flush does not wait for a database that is away', async t => {
  const record = async () => {
    throw common.database_unavailable({ seconds: 1 })
  }
  const failed: string[] = []
  const writer = createAttemptWriter({ record }, pino({ level: 'silent' }), attempts => {
    failed.push(...attempts.map(({ delivery }) => delivery.id))
  })
  writer.add({ delivery: { id: 'a' } } as Attempt)
  await settle()
  t.deepEqual(failed, [])
  await writer.flush()
  t.deepEqual(failed, ['a'])
})
