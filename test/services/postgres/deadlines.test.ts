import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
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
  const cleared = setDeadline(50, () => expired.push('cleared'))
  await pause(20)
  const late = performance.now()
  let second = 0
  setDeadline(50, () => {
    second = performance.now() - late
    expired.push('second')
  })
  clearDeadline(cleared)
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
