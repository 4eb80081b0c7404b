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
  setDeadline(50, () => expired.push('second'))
  clearDeadline(cleared)
  await waitFor(() => expired.length === 2)
  t.deepEqual(expired, ['first', 'second'])
  t.true(first >= 50, `${first}`)
})
