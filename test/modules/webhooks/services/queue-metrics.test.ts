import test from 'ava'
import { createTestClock } from '../../../fixtures/clock.ts'
import { waitFor } from '../../../fixtures/wait.ts'
import { createEndpoint, startWebhooks } from '../fixtures.ts'
import { startReceiver } from '../receiver.ts'

test('metrics count pending webhooks, with the age of the oldest', async t => {
  const clock = createTestClock()
  const kernel = await startWebhooks({ clock })
  t.teardown(() => kernel.stop())
  const receiver = await startReceiver((_, response) => void response.writeHead(500).end())
  t.teardown(() => receiver.close())
  const seriesValue = async (name: string) => {
    const { body } = await kernel.get<string>('/metrics')
    return Number(new RegExp(`^${name} (.+)$`, 'm').exec(body)?.[1])
  }
  t.deepEqual(
    [await seriesValue('larder_webhooks_pending'), await seriesValue('larder_webhooks_oldest_seconds')],
    [0, 0],
  )
  const ada = await kernel.register('ada@example.test')
  await createEndpoint(ada, receiver.url, ['identity.invitation.*'])
  await ada.post('/v1/identity/members/invite', { email: 'ben@example.test', roles: ['tenant.member'] })
  await receiver.came(1)
  await waitFor(async () => (await seriesValue('larder_webhooks_pending')) === 1)
  clock.forward(10_000)
  t.true((await seriesValue('larder_webhooks_oldest_seconds')) >= 10)
})
