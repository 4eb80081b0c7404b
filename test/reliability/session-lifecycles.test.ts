import test from 'ava'
import { runSessionLifecycles } from './session-lifecycles.ts'

test('sessions make only legal transitions under concurrent accepts, ends and sweeps', async t => {
  const { illegalTransitions, ends, responses } = await runSessionLifecycles({ sessions: 30, rounds: 60, seed: 7 })
  t.log(`${JSON.stringify(ends)}; responses ${JSON.stringify(responses)}`)
  t.deepEqual(illegalTransitions, [])
  t.true((ends.ended ?? 0) > 5 && (ends.expired ?? 0) >= 1, 'sessions both ended and expired')
  t.deepEqual(
    Object.keys(responses).filter(status => Number(status) >= 500),
    [],
  )
})
