import test from 'ava'
import { Secret, TOTP } from 'otpauth'
import { SECOND } from '../../kernel/base/units.ts'
import { TEST_PASSWORD } from '../../testing/index.ts'
import { codeOf, createTestClock, newEmail, startIdentity } from '../modules/identity/fixtures.ts'
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

test.serial('of 10,000 wrong codes in 28 hours, an account compares a few dozen', async t => {
  const clock = createTestClock({ runs: false })
  const kernel = await startIdentity({ signIn: { secondFactor: { totp: true } } }, { clock })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register(newEmail('ada'))
  const { body: setup } = await ada.post('/v1/auth/me/second-factor/enrollment')
  const app = new TOTP({ secret: Secret.fromBase32(setup.secret) })
  const code = (change = 0) =>
    String((Number(app.generate({ timestamp: clock.now() })) + change) % 1_000_000).padStart(6, '0')
  await ada.put('/v1/auth/me/second-factor', { enrollment: setup.enrollment, code: code() })
  const pendingOf = async () =>
    (await kernel.post<{ pending: string }>('/v1/auth/login', { email: ada.email, password: TEST_PASSWORD })).body
      .pending
  const seen = new Map<string, number>()
  let pending = ''
  for (let tried = 0; tried < 10_000; tried++) {
    // A pending sign-in lasts for 60 tries.
    if (tried % 50 === 0) pending = await pendingOf()
    const reply = codeOf(await kernel.post('/v1/auth/second-factor', { pending, code: code(500_000) }))
    seen.set(reply, (seen.get(reply) ?? 0) + 1)
    clock.forward(10 * SECOND)
  }
  t.log(Object.fromEntries(seen))
  t.deepEqual([...seen.keys()].sort(), ['403 invalid_second_factor', '429 too_many_codes'])
  t.true((seen.get('403 invalid_second_factor') ?? 0) < 50)
})
