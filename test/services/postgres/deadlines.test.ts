import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import test from 'ava'
import { clearDeadline, setDeadline } from '../../../services/postgres/deadlines.ts'
import { waitFor } from '../../fixtures/wait.ts'

test('expires in order, not before the time, and never after it was cleared', async t => {
  const expired: string[] = []
  const started = performance.now()
  let first = 0
  setDeadline(50, () => {
    first = performance.now() - started
    expired.push('first')
  })
  clearDeadline(setDeadline(50, () => expired.push('cleared')))
  await pause(20)
  const late = performance.now()
  let second = 0
  setDeadline(50, () => {
    second = performance.now() - late
    expired.push('second')
  })
  await waitFor(() => expired.length === 2)
  t.deepEqual(expired, ['first', 'second'])
  t.true(first >= 50, `${first}`)
  // One timer serves both.
  t.true(second >= 50, `${second}`)
})

test('runs outside the request that started the timer', async t => {
  const requests = new AsyncLocalStorage<string>()
  const seen: (string | undefined)[] = []
  requests.run('first', () => setDeadline(20, () => seen.push(requests.getStore())))
  await waitFor(() => seen.length === 1)
  t.deepEqual(seen, [undefined])
})

test('does not expire if the response has arrived while the process was busy', async t => {
  const server = createServer().listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => client.destroy())
  const [peer] = await accepted
  let expired = false
  // No other test has a limit of this length, which would share its timer.
  const deadline = setDeadline(30, () => {
    expired = true
  })
  client.on('data', () => clearDeadline(deadline))
  peer.write('response')
  for (const end = performance.now() + 60; performance.now() < end; );
  await once(client, 'data')
  await pause(60)
  t.false(expired)
})

test('cleared deadlines leave no garbage in the old generation', t => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void
  const oldBytes = () =>
    getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0
  const add = () => {
    const held = { values: Array.from({ length: 50 }, (_, index) => index) }
    return setDeadline(100_000, () => held.values.push(0))
  }
  const waiting = Array.from({ length: 10 }, add)
  // Moves everything to the old generation.
  collect()
  const before = oldBytes()
  for (let round = 0; round < 100; round++) {
    for (let count = 0; count < 500; count++) {
      waiting.push(add())
      const deadline = waiting.shift()
      if (deadline) clearDeadline(deadline)
    }
    collect({ type: 'minor' })
  }
  const kept = oldBytes() - before
  for (const deadline of waiting) clearDeadline(deadline)
  t.true(kept < 1_000_000, `${kept} bytes of 50,000 deadlines`)
})
