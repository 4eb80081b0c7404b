import test from 'ava'
import { runSessionLifecycles } from '../reliability/session-lifecycles.ts'

test('sessions make only legal transitions in 1,000 rounds of concurrent accepts, ends and sweeps', async t => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  t.log(`SEED=${seed} repeats this run`)
  const { illegalTransitions, ends, responses } = await runSessionLifecycles({ sessions: 400, rounds: 1000, seed })
  t.log(`${JSON.stringify(ends)}; responses ${JSON.stringify(responses)}`)
  t.deepEqual(illegalTransitions.slice(0, 10), [])
  t.deepEqual(
    Object.keys(responses).filter(status => Number(status) >= 500),
    [],
  )
})
