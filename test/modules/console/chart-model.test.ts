/** Times at the axis of charts, of which the longest has 366 points. */
import test from 'ava'
import { tickKeys } from '../../../modules/console/app/components/chart-model.ts'

const pointsOf = (count: number) => Array.from({ length: count }, (_, at) => ({ key: String(at) }))

for (const count of [1, 2, 7, 30, 90, 366])
  test(`times of ${count} points have room in every width, and the last one is among them`, t => {
    for (const width of [0, 84, 250, 320, 700, 1200]) {
      const keys = tickKeys(pointsOf(count), width)
      t.is(keys.at(-1), String(count - 1), `${width}`)
      t.true(keys.length <= Math.max(1, Math.floor(width / 84)), `${width}: ${keys}`)
    }
  })

test('points that all have room have a time each', t => {
  t.is(tickKeys(pointsOf(7), 700).length, 7)
  t.deepEqual(tickKeys([], 700), [])
})
