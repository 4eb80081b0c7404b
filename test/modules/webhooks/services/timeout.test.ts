import { mock } from 'node:test'
import test from 'ava'
import { parseAllowedHosts } from '../../../../modules/webhooks/domain/targets.ts'
import { connectTo, createDialer } from '../../../../modules/webhooks/services/dialer.ts'
import { createHttpClient } from '../../../../modules/webhooks/services/http-client.ts'
import { startReceiver } from '../receiver.ts'

test('the response timeout is exactly 15 s', async t => {
  const receiver = await startReceiver(() => undefined)
  t.teardown(() => receiver.close())
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const post = createHttpClient(createDialer(parseAllowedHosts('hooks.invalid'), resolve, connectTo))
  t.teardown(() => post.close())
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  let over = false
  const answer = post(`http://hooks.invalid:${receiver.port}/`, {}, '{}').finally(() => {
    over = true
  })
  await receiver.came(1)
  mock.timers.tick(14_999)
  await new Promise(resolve => setImmediate(resolve))
  t.false(over)
  mock.timers.tick(1)
  t.like(await answer, { status: null, error: 'no response within 15 s', answer: null })
})
