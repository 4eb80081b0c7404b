import { createServer, type Socket } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { createHttpClient } from '../../../../modules/webhooks/services/http-client.ts'
import { type Connect, connectTo, createDialer } from '../../../../services/outbound/dialer.ts'
import { connectionsOf } from '../../../../services/outbound/outbound.ts'
import { createTargets, parseAllowedHosts } from '../../../../services/outbound/targets.ts'
import { startReceiver } from '../receiver.ts'

const HERE = { address: '127.0.0.1', family: 4 }
const send = (post: ReturnType<typeof createHttpClient>, url: string) => post(url, {}, '{}')

/** Resolves unregistered names to 127.0.0.1, which is allowed. */
function createFixture(t: ExecutionContext, connect: Connect = connectTo) {
  const post = createHttpClient(
    connectionsOf(createDialer(parseAllowedHosts('hooks.invalid'), async () => [HERE], connect)),
  )
  t.teardown(() => post.close())
  return post
}

test('connects to the verified address without another lookup', async t => {
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  t.is((await send(createFixture(t), `http://hooks.invalid:${receiver.port}/a`)).status, 204)
  t.is(receiver.received[0]?.headers.host, `hooks.invalid:${receiver.port}`)
})

test('https starts with a TLS handshake for the host and sends nothing before it', async t => {
  const received: Buffer[] = []
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {})
    socket.once('data', data => {
      received.push(data)
      socket.destroy()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void server.close())
  const { port } = server.address() as { port: number }
  const { status, error } = await send(createFixture(t), `https://hooks.invalid:${port}/secret-path`)
  t.is(status, null)
  t.truthy(error)
  const hello = Buffer.concat(received).toString('latin1')
  // RFC 8446, 5.1: a record of type handshake.
  t.is(hello.charCodeAt(0), 22)
  t.true(hello.includes('hooks.invalid'))
  t.false(hello.includes('secret-path'))
})

/** Kinds of disallowed addresses, in the notations that a URL may use. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1', '127.1', '127.255.255.254', '[::1]', '[0:0:0:0:0:0:0:1]'],
  'this host': ['0.0.0.0', '0', '[::]'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '[fd00::1]', '[fc00::1]'],
  'link-local': ['169.254.0.1', '[fe80::1]', '[febf::1]'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  'metadata service': ['169.254.169.254', '100.100.100.200', '192.0.0.192', '168.63.129.16', '[fd00:ec2::254]'],
  'IPv4-mapped': ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:a00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]'],
  decimal: ['2130706433', '167772161', '2852039166', '127.1.1', '10.1'],
  octal: ['0177.0.0.1', '0177.1', '017700000001', '012.0.0.1', '0251.0376.0251.0376', '0000177.0.0.1'],
  hexadecimal: ['0x7f.0.0.1', '0x7f000001', '0x7f.1', '0xa9fea9fe', '0xA.0.0.1'],
  'mixed notation': [
    '0x7f.0.0.01',
    '0251.254.0xa9.254',
    '１２７.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '127.0.0.1.',
  ],
}
for (const [kind, hosts] of Object.entries(FORMS))
  test(`rejects ${kind} addresses in the URL and on connect`, async t => {
    const dialled: unknown[] = []
    const post = createHttpClient(
      connectionsOf(
        createDialer(
          parseAllowedHosts(),
          async name => {
            dialled.push(name)
            return [HERE]
          },
          to => {
            dialled.push(to)
            throw new Error('no connection may be opened')
          },
        ),
      ),
    )
    t.teardown(() => post.close())
    const { refusal } = createTargets(parseAllowedHosts(), 'modules.webhooks.allowHosts')
    for (const url of hosts.flatMap(host => [`http://${host}/`, `https://${host}:8443/a`])) {
      t.regex(refusal(url)?.sentence ?? '', /private network/, url)
      t.like(await send(post, url), { status: null, refused: true, answer: null }, url)
    }
    t.deepEqual(dialled, [])
  })

test('rejects names that resolve to such addresses, alone or beside a public one', async t => {
  const literals = Object.values(FORMS)
    .flat()
    .map(host => new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, ''))
  for (const address of new Set(literals))
    for (const more of [[], ['93.184.216.34']]) {
      const addresses = [...more, address].map(one => ({ address: one, family: one.includes(':') ? 6 : 4 }))
      const dial = createDialer(
        parseAllowedHosts(),
        async () => addresses,
        () => t.fail(`${address} was dialled`) as never,
      )
      await t.throwsAsync(dial({ hostname: 'a.invalid', host: 'a.invalid:80', port: 80, secure: false }), {
        name: 'AddressRefusedError',
      })
    }
})

test('a redirect to a private address opens no connection to it', async t => {
  const dialed = new Set<string>()
  const receiver = await startReceiver(({ path }, response) => {
    response.writeHead(Number(path.slice(1, 4)), { location: `http://${path.slice(5)}/` }).end()
  })
  t.teardown(() => receiver.close())
  const post = createFixture(t, to => {
    dialed.add(to.hostname)
    return connectTo(to)
  })
  const places = ['127.0.0.1', '169.254.169.254', '0177.0.0.1']
  for (const status of [301, 302, 303, 307, 308])
    for (const place of places)
      t.like(await send(post, `http://hooks.invalid:${receiver.port}/${status}/${place}`), { status, error: null })
  t.is(receiver.received.length, 15)
  t.deepEqual([...dialed], ['hooks.invalid'])
})
