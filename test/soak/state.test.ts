import test from 'ava'
import { walkLives } from '../reliability/session-lifecycles.ts'

test('over 1,000 rounds of many who accept, end and sweep at once no session takes an illegal step', async t => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  t.log(`SEED=${seed} takes the same steps`)
  const { illegal, ends, answers } = await walkLives({ sessions: 400, rounds: 1000, seed })
  t.log(`${JSON.stringify(ends)}; answers ${JSON.stringify(answers)}`)
  t.deepEqual(illegal.slice(0, 10), [])
  t.deepEqual(
    Object.keys(answers).filter(status => Number(status) >= 500),
    [],
  )
})
