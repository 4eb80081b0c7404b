import test from 'ava'
import { killAtRandom } from './kills.ts'
import { killWorkers } from './workers.ts'

test('a web process that is killed while people register, invite, join and buy leaves all or nothing', async t => {
  const { unanswered, answered, halves, lost, twice } = await killAtRandom(t, { kills: 3, part: 'web' })
  t.log(`${answered} answered, ${unanswered} under way at a kill`)
  t.true(unanswered > 0 && answered > 0, 'the kills met work')
  t.deepEqual(
    Object.entries(halves).filter(([, count]) => count !== 0),
    [],
  )
  t.deepEqual(lost, [])
  t.is(twice, 0)
})

test('two workers are killed while they send mails: every mail goes, and goes once', async t => {
  const { lost, twice, left } = await killWorkers(t, { mails: 300, kills: 3, workers: 2 })
  t.true(
    left.every(mails => mails > 0),
    'the kills met work',
  )
  t.deepEqual({ lost, twice }, { lost: 0, twice: 0 })
})
