import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { startTestKernel } from '../../../testing/index.ts'
import { startReceiver } from '../../modules/webhooks/receiver.ts'

/** Connects to one address, whatever the host. */
const proxyTo = (port: number) => `
import { connect } from 'node:net'
import { defineService } from '@larder-dev/larder/kernel'

const connections = {
  refusal: () => undefined,
  isRefusal: () => false,
  connector: () => (_target: object, done: (error: Error | null, socket: object | null) => void) => {
    const socket = connect(${port}, '127.0.0.1')
    socket.once('connect', () => done(null, socket)).once('error', error => done(error, null))
  },
}

export default defineService({ name: 'outbound', provides: { outbound: () => ({ connections: () => connections }) as never } })
`

test('a product replaces outbound connections by a proxy', async t => {
  const proxy = await startReceiver()
  const folder = await mkdtemp(join(tmpdir(), 'larder-proxy-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'proxy.ts'), proxyTo(proxy.port))
  const kernel = await startTestKernel({
    folder,
    recipe: {
      services: { outbound: { use: './proxy.ts' } },
      modules: { identity: {}, webhooks: {} },
    },
  })
  t.teardown(() => kernel.stop())
  t.teardown(() => proxy.close())
  const ada = await kernel.register('ada@example.test')
  const created = await ada.post('/v1/webhooks/endpoints', {
    url: 'http://hooks.internal/orders',
    events: ['*'],
  })
  t.is(created.status, 201, JSON.stringify(created.body))
  await ada.post(`/v1/webhooks/endpoints/${created.body.id}/test`, {})
  await proxy.came(1)
  t.is(proxy.received[0]?.headers.host, 'hooks.internal')
  t.is(proxy.received[0]?.path, '/orders')
})
