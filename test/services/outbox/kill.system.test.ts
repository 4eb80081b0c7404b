import test from 'ava'
import { drainUnderFire } from './kill-scenario.ts'

test('killed workers lose no event and repeat no effect', async t => {
  const events = 1000
  const { left, ...damage } = await drainUnderFire({ events, kills: 6, workers: 2 })
  t.log(`undispatched events at each kill: ${left.join(', ')}`)
  t.deepEqual(damage, { effects: 2 * events, lost: 0, twice: 0 })
  t.true(
    left.some(count => count > 0),
    'a kill met work',
  )
})
