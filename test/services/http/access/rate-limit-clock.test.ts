/** Rate limits while the clock of the machine is set back. */
import { mock } from 'node:test'
import test from 'ava'
import { HOUR, SECOND } from '../../../../kernel/base/units.ts'
import { startTestKernel, type TestKernel } from '../../../../testing/index.ts'

let kernel: TestKernel
test.before(async () => {
  kernel = await startTestKernel({
    recipe: { modules: { identity: {} } },
    role: 'web',
    env: { RATE_LIMITS: 'on', TRUST_PROXY: '1' },
  })
})
test.after.always(async () => {
  mock.timers.reset()
  await kernel?.stop()
})

/** Only the limit by account, an hour, counts requests from different addresses. */
test('a clock that is set back does not lengthen a window', async t => {
  const now = Date.now()
  mock.timers.enable({ apis: ['Date'], now: now + 3 * HOUR })
  let address = 0
  const request = () =>
    kernel
      .with({ 'x-forwarded-for': `198.51.100.${++address}` })
      .post('/v1/auth/password/forgot', { email: 'ada@example.test' })
  for (let count = 1; count <= 10; count++) t.is((await request()).status, 202)
  t.is((await request()).status, 429)
  mock.timers.setTime(now)
  for (let count = 1; count <= 2; count++) {
    const refused = await request()
    t.is(refused.status, 429)
    t.true(Number(refused.headers.get('retry-after')) <= HOUR / SECOND)
  }
  mock.timers.setTime(now + HOUR + SECOND)
  t.is((await request()).status, 202)
})
