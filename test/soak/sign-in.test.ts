import test from 'ava'
import { startIdentity } from '../modules/identity/fixtures.ts'
import { signInConcurrently } from '../reliability/sign-in.ts'
import { percentile } from './percentile.ts'

test.serial('health responds within 100 ms (p99) during 200 concurrent sign-ins', async t => {
  const kernel = await startIdentity({}, { role: 'web' })
  t.teardown(() => kernel.stop())
  await signInConcurrently(kernel, 20)
  const { outcomes, healthMs, loginMs } = await signInConcurrently(kernel, 200)
  const p99 = percentile(healthMs, 0.99)
  t.log(
    `health p99 ${p99.toFixed(1)} ms of ${healthMs.length}; sign-in p50 ${percentile(loginMs, 0.5).toFixed(0)} ms, longest ${Math.max(...loginMs).toFixed(0)} ms`,
  )
  t.deepEqual(outcomes, { '200': 200 })
  t.true(p99 < 100)
})
