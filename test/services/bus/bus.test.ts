import anyTest, { type TestFn } from 'ava'
import { pino } from 'pino'
import { createBus } from '../../../services/bus/bus.ts'
import { createOnce, createSender } from '../../../services/bus/sender.ts'
import { createStage, log, type Stage, until } from '../outbox/kit.ts'
import { busContract } from './contract.ts'

const test = anyTest as TestFn
let stage: Stage
test.before(async () => {
  stage = await createStage()
})
test.after.always(() => stage.end())

busContract(test, () => ({
  stage,
  settings: { bus: 'postgres', redisUrl: undefined },
  cut: () =>
    stage.asOwner(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name in ('larder listen', 'here', 'there') and datname = current_database()`),
}))

test.serial('a subscriber that throws or leaves takes nobody with it', async t => {
  const bus = await createBus({
    settings: { bus: 'memory', redisUrl: undefined },
    db: stage.db,
    scope: 'ten_a',
    log: pino({ level: 'silent' }),
  })
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

/** A way that fails as often as it is told. */
function way(failures: number) {
  const arrived: string[] = []
  let tries = 0
  const send = async (line: string) => {
    if (tries++ < failures) throw new Error('cut')
    arrived.push(line)
  }
  return { arrived, sender: createSender<string>({ send, gap: 'gap', log, patience: () => 1 }) }
}

test('a message that cannot leave is tried again, and the next ones wait for it', async t => {
  const { arrived, sender } = way(5)
  for (const line of ['first', 'second']) sender.push(line)
  await until(() => arrived.length === 2)
  t.deepEqual(arrived, ['first', 'second'])
})

test('messages that were given up are told to the others as a gap', async t => {
  const { arrived, sender } = way(12)
  for (const line of ['first', 'second']) sender.push(line)
  await until(() => arrived.length === 1)
  sender.push('third')
  await until(() => arrived.length === 2)
  t.deepEqual(arrived, ['gap', 'third'])
})

test('what was tried again and had arrived the first time is heard once', t => {
  const isNew = createOnce()
  const heard = [1, 2, 2, 3, 1].map(count => isNew('one', count))
  t.deepEqual(heard, [true, true, false, true, false])
  t.true(isNew('other', 1))
})

test('whoever closes sends what waits, and does not wait for a way that is cut', async t => {
  const open = way(0)
  open.sender.push('last')
  await open.sender.close()
  t.deepEqual(open.arrived, ['last'])
  const cut = way(Number.POSITIVE_INFINITY)
  cut.sender.push('last')
  await cut.sender.close()
  t.deepEqual(cut.arrived, [])
})
