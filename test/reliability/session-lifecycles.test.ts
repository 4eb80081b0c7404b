import test from 'ava'
import { walkLives } from './session-lifecycles.ts'

test('whoever accepts, ends and sweeps at once while time passes, a session takes no illegal step', async t => {
  const { illegal, ends, answers } = await walkLives({ sessions: 30, rounds: 60, seed: 7 })
  t.log(`${JSON.stringify(ends)}; answers ${JSON.stringify(answers)}`)
  t.deepEqual(illegal, [])
  t.true((ends.ended ?? 0) > 5 && (ends.expired ?? 0) >= 1, 'lives ended in both ways')
  t.deepEqual(
    Object.keys(answers).filter(status => Number(status) >= 500),
    [],
  )
})
