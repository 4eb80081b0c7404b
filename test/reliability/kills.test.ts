import test from 'ava'
import { killAtRandom } from './kills.ts'

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
