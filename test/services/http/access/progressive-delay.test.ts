import test from 'ava'
import { MINUTE, SECOND } from '../../../../kernel/base/units.ts'
import { createProgressiveDelay } from '../../../../services/http/access/progressive-delay.ts'

const MAX_DELAY = 45 * SECOND
const create = () => createProgressiveDelay(MAX_DELAY, 15 * MINUTE)

test('doubles the delay with each request, up to the maximum', t => {
  const delay = create()
  let now = 0
  const waits: number[] = []
  for (let n = 0; n < 8; n++) {
    let total = 0
    let turn = delay.take('ada', now)
    while ('refused' in turn) {
      total += turn.refused
      turn = delay.take('ada', now + total)
    }
    waits.push(total + turn.wait)
    now += total + turn.wait
  }
  t.deepEqual(
    waits,
    [1, 2, 4, 8, 16, 32, 45, 45].map(seconds => seconds * SECOND),
  )
})

test('holds one request at a time and rejects the others until its turn', t => {
  const delay = create()
  t.deepEqual(delay.take('ada', 0), { wait: 1 * SECOND })
  t.deepEqual(delay.take('ada', 400), { refused: 600 })
  t.deepEqual(delay.take('ada', 1000), { wait: 2 * SECOND })
  t.deepEqual(delay.take('eve', 1000), { wait: 1 * SECOND })
})

test('holds no request for more than eight seconds', t => {
  const delay = create()
  for (const at of [0, 1, 3, 7]) delay.take('ada', at * SECOND)
  t.deepEqual(delay.take('ada', 15 * SECOND), { refused: 8 * SECOND })
  t.deepEqual(delay.take('ada', 23 * SECOND), { wait: 8 * SECOND })
})

test('serves at once after a pause, and starts over after a window or a reset', t => {
  const delay = create()
  delay.take('ada', 0)
  t.deepEqual(delay.take('ada', 5 * SECOND), { wait: 0 })
  delay.reset('ada')
  t.deepEqual(delay.take('ada', 6 * SECOND), { wait: 1 * SECOND })
  t.deepEqual(delay.take('ada', 17 * MINUTE), { wait: 1 * SECOND })
})
