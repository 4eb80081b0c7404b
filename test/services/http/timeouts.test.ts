import { Agent, createServer, get } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import test from 'ava'
import { SECOND } from '../../../kernel/base/units.ts'
import { enforceIdleTimeout, extendBodyTimeout, SERVER_TIMEOUTS } from '../../../services/http/timeouts.ts'

/** Everything the server sends to a client that sends a body byte by byte, until the server closes the connection. */
function drip(port: number, path: string): Promise<string> {
  return new Promise(resolve => {
    let said = ''
    const socket = connect(port, '127.0.0.1')
    socket.on('data', bytes => (said += bytes.toString())).on('error', () => {})
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n`)
    const timer = setInterval(() => socket.write('x'), 20)
    socket.on('close', () => {
      clearInterval(timer)
      resolve(said)
    })
  })
}

test('bodies time out, later for routes with timeoutMs', async t => {
  // A busy machine may take a while to read the headers.
  const times = { headersTimeout: 1000, requestTimeout: 1000, connectionsCheckingInterval: 50 }
  const server = createServer({ ...SERVER_TIMEOUTS, ...times })
  const watch = enforceIdleTimeout(server)
  let patient = 0
  server.on('request', (req, res) => {
    watch(req, res)
    req.on('error', () => {})
    if (req.url !== '/patient') return
    extendBodyTimeout({ req, res }, 3000)
    req.on('data', bytes => (patient += bytes.length))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const cut: string[] = []
  const [hasty, waited] = await Promise.all(
    ['/hasty', '/patient'].map(async path => {
      const said = await drip(port, path)
      cut.push(path)
      return said
    }),
  )
  t.deepEqual(cut, ['/hasty', '/patient'])
  t.regex(hasty ?? '', /^HTTP\/1\.1 408 /)
  t.is(waited, '')
  t.true(patient > 0)
  server.close()
})

test('all client timeouts are under 15 s', t => {
  const { headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval } = SERVER_TIMEOUTS
  for (const wait of [headersTimeout, requestTimeout, keepAliveTimeout])
    t.true(wait + connectionsCheckingInterval < 15 * SECOND)
})

test('answers invalid requests like Node', async t => {
  const server = createServer(SERVER_TIMEOUTS)
  enforceIdleTimeout(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const say = (text: string) =>
    new Promise<string>(resolve => {
      let said = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      socket.on('data', bytes => (said += bytes.toString())).on('error', () => {})
      socket.on('close', () => resolve(said))
    })
  t.regex(await say('no HTTP at all\r\n\r\n'), /^HTTP\/1\.1 400 Bad Request\r\nConnection: close/)
  t.regex(await say(`GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`), /^HTTP\/1\.1 431 /)
  server.close()
})

test('a connection stays open if its response is sent in the turn in which its timer ends', async t => {
  const server = createServer(SERVER_TIMEOUTS)
  const watch = enforceIdleTimeout(server)
  let isOpen = false
  server.on('request', async (req, res) => {
    watch(req, res)
    server.emit('timeout', req.socket)
    res.end()
    await setImmediate()
    await setImmediate()
    isOpen = !req.socket.destroyed
    server.close()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  await new Promise<void>((resolve, reject) => {
    server.on('close', resolve)
    get({ port, host: '127.0.0.1', agent }, response => response.resume()).on('error', reject)
  })
  t.true(isOpen)
})
