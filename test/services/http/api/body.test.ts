import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { Problem } from '../../../../kernel/base/problem.ts'
import { readBytes } from '../../../../services/http/api/body.ts'

const LIMIT = 1000

/** A server that responds with the body it read, or with the code of the problem; `read` may read it later. */
async function serve(t: ExecutionContext, read: (req: IncomingMessage) => Promise<Buffer>) {
  const server = createServer(async (req, res) => {
    const answer = await read(req).catch(error => (Problem.is(error) ? error.code : String(error)))
    res.end(`<${answer}>`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => {
    socket.destroy()
    server.close()
  })
  return socket
}

/** Resolves with the body of the next response. */
function nextAnswer(socket: Socket): Promise<string> {
  return new Promise(resolve => {
    let text = ''
    const onData = (bytes: Buffer) => {
      text += bytes.toString()
      const [, answer] = /<(.*)>/s.exec(text) ?? []
      if (answer === undefined) return
      socket.off('data', onData)
      resolve(answer)
    }
    socket.on('data', onData)
  })
}
const post = (body: string, length = body.length): string =>
  `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n${body}`
const chunked = (body: string): string =>
  `POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

const atOnce = (req: IncomingMessage) => readBytes(req, LIMIT)
const later = async (req: IncomingMessage) => {
  while (!req.complete) await nextTurn()
  return readBytes(req, LIMIT)
}

for (const [name, read] of Object.entries({ atOnce, later })) {
  test(`reads several bodies of one connection: ${name}`, async t => {
    const socket = await serve(t, read)
    for (const body of ['first', 'second', '']) {
      const answer = nextAnswer(socket)
      socket.write(post(body))
      t.is(await answer, body)
    }
  })

  test(`reads bodies without a length, up to the limit: ${name}`, async t => {
    const socket = await serve(t, read)
    const answer = nextAnswer(socket)
    socket.write(chunked('x'.repeat(LIMIT)))
    t.is(await answer, 'x'.repeat(LIMIT))
    const refusal = nextAnswer(socket)
    socket.write(chunked('x'.repeat(LIMIT + 1)))
    t.is(await refusal, 'body_too_large')
  })
}

test('waits for the rest of a body', async t => {
  const socket = await serve(t, atOnce)
  const answer = nextAnswer(socket)
  socket.write(post('one ', 8))
  await nextTurn()
  socket.write('rest')
  t.is(await answer, 'one rest')
})

test('emits the end of a request whose body is read', async t => {
  let ended = 0
  const socket = await serve(t, req => {
    req.on('end', () => void ended++)
    return atOnce(req)
  })
  const answer = nextAnswer(socket)
  socket.write(post('body'))
  t.is(await answer, 'body')
  t.is(ended, 1)
})
