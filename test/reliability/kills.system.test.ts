import test from 'ava'
import { killAtRandom } from './kills.ts'
import { killWorkers } from './workers.ts'

test('killing a web process leaves no partial writes and loses no confirmed ones', async t => {
  const { interrupted, answered, partial, lost, failedRepeats } = await killAtRandom(t, { kills: 2, part: 'web' })
  t.log(`${answered} answered, ${interrupted} interrupted by a kill`)
  t.true(interrupted > 0 && answered > 0, 'each kill interrupted work')
  t.deepEqual(
    Object.entries(partial).filter(([, count]) => count !== 0),
    [],
  )
  t.deepEqual(lost, [])
  t.is(failedRepeats, 0)
})

test('killing workers neither loses nor duplicates mails', async t => {
  const { lost, duplicates, pendingAtKills } = await killWorkers(t, { mails: 200, kills: 2, workers: 2 })
  t.true(
    pendingAtKills.every(mails => mails > 0),
    'each kill interrupted work',
  )
  t.deepEqual({ lost, duplicates }, { lost: 0, duplicates: 0 })
})
