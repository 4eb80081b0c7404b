/** The behavior of the bus, independent of its transport. */
import { setTimeout as pause } from 'node:timers/promises'
import type { TestFn } from 'ava'
import type { Settings } from '../../../kernel/index.ts'
import { type ClosableBus, createBus } from '../../../services/bus/bus.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { log, type OutboxFixture, openTestDatabase } from '../outbox/fixtures.ts'

export interface BusStage {
  readonly fixture: OutboxFixture
  readonly settings: Pick<Settings, 'bus' | 'redisUrl'>
  /** Closes every connection of the bus. */
  cut(): Promise<unknown>
  /** Sends what a process sends that isn't there any more. */
  send(envelope: object): Promise<unknown>
}

const SIGN_INTERVAL_MS = 50

/** Two buses, as in two processes. */
export async function createBusPair(
  t: { teardown(fn: () => Promise<void>): void },
  { fixture, settings }: Pick<BusStage, 'fixture' | 'settings'>,
  signIntervalMs?: number,
): Promise<{ here: ClosableBus; there: ClosableBus }> {
  const ends: ClosableBus[] = []
  for (const name of ['here', 'there']) {
    const db = await openTestDatabase(fixture.ownerUrl, name)
    const bus = await createBus({
      settings,
      db,
      systemDatabase: db.systemDatabase,
      installation: 'ten_a',
      log,
      signIntervalMs,
    })
    ends.push(bus)
    t.teardown(async () => {
      await bus.close()
      await db.close()
    })
  }
  const [here, there] = ends as [ClosableBus, ClosableBus]
  return { here, there }
}

export function busContract(test: TestFn, given: () => BusStage): void {
  test.serial('delivers each message to every process once and in order, locally without delay', async t => {
    const { here, there } = await createBusPair(t, given())
    const own: unknown[] = []
    const others: unknown[] = []
    here.subscribe('news', message => own.push(message))
    there.subscribe('news', message => others.push(message))
    there.subscribe('other news', () => t.fail())
    const all = Array.from({ length: 50 }, (_, n) => ({ n }))
    for (const message of all) here.publish('news', message)
    t.deepEqual(own, all)
    await waitFor(() => others.length === 50)
    t.deepEqual(others, all)
    // Messages are ordered: the sender's own would have arrived before this one.
    there.publish('news', 'last')
    await waitFor(() => own.includes('last'))
    t.deepEqual(own, [...all, 'last'])
  })

  test.serial('delivers messages of any length in order', async t => {
    const { here, there } = await createBusPair(t, given())
    const seen: unknown[] = []
    there.subscribe('news', message => seen.push(message))
    const long = 'ä'.repeat(100_000)
    const all = ['first', long, 'third', 'x'.repeat(6990), 'fifth']
    for (const message of all) here.publish('news', message)
    await waitFor(() => seen.length === all.length)
    t.deepEqual(seen, all)
  })

  test.serial('reports a gap to subscribers after a reconnection', async t => {
    const { there, here } = await createBusPair(t, given())
    let gaps = 0
    const seen: unknown[] = []
    there.subscribe(
      'news',
      message => seen.push(message),
      () => gaps++,
    )
    await given().cut()
    await waitFor(() => gaps >= 1)
    here.publish('news', 'again')
    await waitFor(() => seen.includes('again'))
    t.pass()
  })

  test.serial('delivers messages published during a disconnect, in order', async t => {
    const { there, here } = await createBusPair(t, given())
    const seen: unknown[] = []
    let gaps = 0
    there.subscribe(
      'news',
      message => seen.push(message),
      () => gaps++,
    )
    await given().cut()
    await waitFor(() => gaps >= 1)
    // The publishing connection may be the one that was closed.
    for (const n of [1, 2, 3]) here.publish('news', n)
    await waitFor(() => seen.length === 3)
    t.deepEqual(seen, [1, 2, 3])
  })

  test.serial('reports a gap after a process died, and none after one that stopped', async t => {
    const { here, there } = await createBusPair(t, given(), SIGN_INTERVAL_MS)
    let gaps = 0
    const others: unknown[] = []
    const count = () => gaps++
    here.subscribe('news', () => {}, count)
    there.subscribe('bus.presence', sign => others.push(sign))
    const sign = (from: string, isLast: boolean) =>
      given().send({ from, count: 1, channel: 'bus.presence', message: { isLast } })
    await sign('node_stopped', false)
    await sign('node_stopped', true)
    await pause(10 * SIGN_INTERVAL_MS)
    t.is(gaps, 0)
    await sign('node_died', false)
    await waitFor(() => gaps > 0)
    await pause(10 * SIGN_INTERVAL_MS)
    t.is(gaps, 1)
    t.deepEqual(others, [])
  })

  test.serial('tells the subscribers of all processes of a gap, after the messages before it', async t => {
    const { here, there } = await createBusPair(t, given())
    const seen: unknown[] = []
    let own = 0
    here.subscribe(
      'news',
      () => {},
      () => own++,
    )
    there.subscribe(
      'news',
      message => seen.push(message),
      () => seen.push('gap'),
    )
    for (const n of [1, 2]) here.publish('news', n)
    here.notifyGap()
    t.is(own, 1)
    await waitFor(() => seen.includes('gap'))
    here.publish('news', 3)
    await waitFor(() => seen.includes(3))
    t.deepEqual(seen, [1, 2, 'gap', 3])
    t.is(own, 1)
  })
}
