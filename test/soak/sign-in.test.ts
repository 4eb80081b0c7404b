import test from 'ava'
import { startIdentity } from '../modules/identity/fixtures.ts'
import { knownAndUnknown, rush } from '../reliability/sign-in.ts'
import { percentile } from './percentile.ts'

test.serial('while 200 people sign in at once, health answers within 100 ms, 99 times of 100', async t => {
  const kernel = await startIdentity({}, { role: 'web' })
  t.teardown(() => kernel.stop())
  await rush(kernel, 20)
  const { outcomes, healthMs, loginMs } = await rush(kernel, 200)
  const p99 = percentile(healthMs, 0.99)
  t.log(
    `health p99 ${p99.toFixed(1)} ms of ${healthMs.length}; sign-in p50 ${percentile(loginMs, 0.5).toFixed(0)} ms, longest ${Math.max(...loginMs).toFixed(0)} ms`,
  )
  t.deepEqual(outcomes, { '200': 200 })
  t.true(p99 < 100)
})

test.serial('a wrong password takes as long for an address that nobody has', async t => {
  const kernel = await startIdentity({}, { role: 'web' })
  t.teardown(() => kernel.stop())
  await knownAndUnknown(kernel, 20)
  const { known, unknown } = await knownAndUnknown(kernel, 400)
  const [one, other] = [percentile(known, 0.5), percentile(unknown, 0.5)]
  t.log(`medians: known ${one.toFixed(2)} ms, unknown ${other.toFixed(2)} ms`)
  t.true(Math.abs(one - other) < 0.1 * one)
})
