import type { ServerResponse } from 'node:http'
import { mock } from 'node:test'
import test from 'ava'
import { createHttpClient } from '../../../../modules/webhooks/services/http-client.ts'
import { createDialer } from '../../../../services/outbound/dialer.ts'
import { connectionsOf } from '../../../../services/outbound/outbound.ts'
import { parseAllowedHosts } from '../../../../services/outbound/targets.ts'
import { startReceiver } from '../receiver.ts'

test.serial('the response timeout is exactly 15 s', async t => {
  const receiver = await startReceiver(() => undefined)
  t.teardown(() => receiver.close())
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const post = createHttpClient(connectionsOf(createDialer(parseAllowedHosts('hooks.invalid'), resolve)))
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

test.serial('a request on a connection that was opened 15 s ago is sent once', async t => {
  const open: ServerResponse[] = []
  const receiver = await startReceiver((_, response) => {
    // A repeated request is answered at once.
    if (open.push(response) > 2) response.end()
  })
  t.teardown(() => receiver.close())
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const post = createHttpClient(connectionsOf(createDialer(parseAllowedHosts('hooks.invalid'), resolve)))
  t.teardown(() => post.close())
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const url = `http://hooks.invalid:${receiver.port}/`
  const first = post(url, {}, '{}')
  await receiver.came(1)
  mock.timers.tick(10_000)
  open[0]?.end()
  t.like(await first, { status: 200 })
  await new Promise(resolve => setImmediate(resolve))
  const second = post(url, {}, '{}')
  await receiver.came(2)
  mock.timers.tick(10_000)
  await new Promise(resolve => setImmediate(resolve))
  open[1]?.end()
  t.like(await second, { status: 200 })
  t.is(receiver.received.length, 2)
})
