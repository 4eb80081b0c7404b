import test from 'ava'
import { drainWithKilledWorkers } from './kill-scenario.ts'

test('killed workers lose no event and repeat no effect', async t => {
  const events = 1000
  const { pendingAtKills, ...damage } = await drainWithKilledWorkers({ events, kills: 6, workers: 2 })
  t.log(`undispatched events at each kill: ${pendingAtKills.join(', ')}`)
  t.deepEqual(damage, { effects: 2 * events, lost: 0, duplicates: 0 })
  t.true(
    pendingAtKills.some(count => count > 0),
    'a kill interrupted work',
  )
})
