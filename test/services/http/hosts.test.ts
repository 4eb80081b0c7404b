import { connect } from 'node:net'
import test from 'ava'
import { startTestServer } from './fixtures.ts'

const answerTo = (port: number, hosts: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const headers = hosts.map(host => `Host: ${host}\r\n`).join('')
    let text = ''
    socket.on('data', bytes => {
      text += bytes
    })
    socket.on('end', () => resolve(text.slice(0, 12))).on('error', reject)
    socket.write(`GET /healthz HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)
  })

test('refuses a request with two Host headers', async t => {
  const server = await startTestServer({})
  t.teardown(server.stop)
  t.is(await answerTo(server.port, ['a.example', 'b.example']), 'HTTP/1.1 400')
  t.is(await answerTo(server.port, ['a.example', 'a.example']), 'HTTP/1.1 400')
  t.is(await answerTo(server.port, ['a.example']), 'HTTP/1.1 200')
})
