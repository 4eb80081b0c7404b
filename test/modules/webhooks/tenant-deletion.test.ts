import type { ServerResponse } from 'node:http'
import test from 'ava'
import { createEndpoint, createHooked, startWebhooks } from './fixtures.ts'
import { startReceiver } from './receiver.ts'

test('webhooks of a deleted workspace stop in the transaction that deletes it', async t => {
  const kernel = await startWebhooks()
  t.teardown(() => kernel.stop())
  const held: ServerResponse[] = []
  let isOpen = false
  const receiver = await startReceiver((_, response) => {
    if (isOpen) response.writeHead(204).end()
    else held.push(response)
  })
  t.teardown(() => receiver.close())
  const ada = await kernel.register('ada@example.test')
  await createEndpoint(ada, receiver.url, ['identity.invitation.*'])
  for (let n = 0; n < 40; n++)
    await ada.post('/v1/identity/members/invite', { email: `guest-${n}@example.test`, roles: ['tenant.member'] })
  await receiver.came(1)
  const { status } = await ada.delete(`/v1/identity/tenants/${ada.tenantId}`)
  t.is(status, 204)
  const before = receiver.received.length
  t.true(before < 40, `${before} of 40 were in flight`)
  isOpen = true
  for (const response of held) response.writeHead(204).end()
  await kernel.settled()
  t.is(receiver.received.length, before)
})

test('session events that wait while their workspace is deleted are not sent', async t => {
  const web = await startWebhooks({ role: 'web' })
  t.teardown(() => web.stop())
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const [ada, bob] = [await web.register('ada@example.test'), await web.register('bob@example.test')]
  await createHooked(ada, new URL('/ada', receiver.url).href)
  await createHooked(bob, new URL('/bob', receiver.url).href)
  t.is((await ada.delete(`/v1/identity/tenants/${ada.tenantId}`)).status, 204)
  const worker = await startWebhooks({ role: 'worker', database: web.databaseUrl })
  t.teardown(() => worker.stop())
  await worker.settled()
  await receiver.came(1)
  t.deepEqual(
    receiver.received.map(({ path }) => path),
    ['/bob'],
  )
})
