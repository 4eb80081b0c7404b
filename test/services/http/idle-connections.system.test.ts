import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import test from 'ava'
import { waitFor } from '../../fixtures/wait.ts'
import { startTestServer } from './fixtures.ts'

/** Longer than a server without a shutdown delay keeps idle connections. */
const IDLE_MS = 1500

test('a server with a shutdown delay answers on idle connections for as long again', async t => {
  const settings = { trustProxy: 0, rateLimits: false, production: true, metricsToken: undefined }
  const server = await startTestServer({}, { settings: { ...settings, shutdownDelayMs: 5000 } })
  t.teardown(server.stop)
  const socket = connect(server.port, '127.0.0.1')
  await once(socket, 'connect')
  const ask = async () => {
    socket.write('GET /v1/health HTTP/1.1\r\nhost: x\r\n\r\n')
    const [data] = await once(socket, 'data')
    return String(data)
  }
  t.regex(await ask(), /^HTTP\/1.1 200(?![\s\S]*connection: close)/i)
  const drained = server.http.drain()
  await waitFor(() =>
    server.get('/v1/health', { connection: 'close' }).then(
      () => false,
      () => true,
    ),
  )
  await pause(IDLE_MS)
  t.regex(await ask(), /^HTTP\/1.1 200[\s\S]*connection: close/i)
  await drained
})
