import type { ServerResponse } from 'node:http'
import test from 'ava'
import type { Person, TestKernel } from '../../../kernel/testing.ts'
import { startReceiver } from './receiver.ts'
import { announceTo, senderOf } from './sending.ts'
import { type DeliveryBody, deliveriesOf, details, runningClock, startWebhooks, until } from './stage.ts'

const clock = runningClock()
let kernel: TestKernel
let ada: Person
test.before(async () => {
  // A web process alone: nothing is sent but by the senders of the tests.
  kernel = await startWebhooks({ clock, role: 'web' })
  ada = await kernel.register('ada@example.test')
})
test.beforeEach(() =>
  kernel.kernel.ports.database.system('each test begins with nothing to send').query('delete from webhooks_deliveries'),
)
test.after.always(() => kernel?.stop())

const GIB = 1024 ** 3
const MIB = 1024 ** 2
const CHUNK = Buffer.alloc(64 * 1024, 'x')

/** Sends one gibibyte as far as it is taken; resolves with the bytes that went out. */
async function pour(response: ServerResponse): Promise<number> {
  let written = 0
  const closed = new Promise<void>(resolve => response.on('close', resolve))
  for (; written < GIB && !response.destroyed; written += CHUNK.length)
    if (!response.write(CHUNK)) await Promise.race([closed, new Promise(resolve => response.once('drain', resolve))])
  response.end()
  await closed
  return written
}
const allTried = async (): Promise<ReadonlyMap<string, DeliveryBody>> => {
  const all = await until(
    () => deliveriesOf(ada),
    deliveries => deliveries.every(({ attempt_count }) => attempt_count === 1),
  )
  return new Map(all.map(delivery => [new URL(delivery.url).pathname, delivery]))
}

test.serial('of a body of 1 GiB 1 KiB is kept and the rest refused, and webhooks of others go past it', async t => {
  const poured: Promise<number>[] = []
  const big = await startReceiver(({ path }, response) => {
    response.writeHead(path === '/fine' ? 200 : 500, path === '/chunked' ? {} : { 'content-length': GIB })
    poured.push(pour(response))
  })
  const other = await startReceiver()
  const sender = senderOf(kernel, clock)
  await announceTo(kernel, clock, ada.tenantId, [
    ...['/fine', '/fails', '/chunked'].map(path => big.url + path),
    ...Array.from({ length: 20 }, (_, at) => `${other.url}/${at}`),
  ])
  sender.wake()
  await other.came(20)
  const seen = await allTried()
  t.like(seen.get('/fine'), { status: 'delivered', response_status: 200, error: null })
  for (const path of ['/fails', '/chunked'])
    t.like(seen.get(path), { status: 'pending', response_status: 500, attempt_count: 1 })
  for (const path of ['/fine', '/fails', '/chunked'])
    t.is((await details(ada, seen.get(path)?.id ?? '')).attempts[0]?.answer, 'x'.repeat(1024))
  t.is(poured.length, 3)
  for (const written of await Promise.all(poured)) t.true(written < 16 * MIB, `${written}`)
  await sender.stop()
  await big.close()
  await other.close()
})

test.serial(
  'a receiver that hangs has failed like any other: tried again later, with the reason in its attempt',
  async t => {
    const receiver = await startReceiver(({ path }, response) => {
      if (path === '/heads') response.socket?.write('HTTP/1.1 200 OK\r\nx-slow: ')
      if (path === '/early') response.writeEarlyHints({ link: '</a>; rel=preload' })
    })
    const sender = senderOf(kernel, clock, 300)
    const paths = ['/silent', '/heads', '/early']
    await announceTo(
      kernel,
      clock,
      ada.tenantId,
      paths.map(path => receiver.url + path),
    )
    sender.wake()
    const seen = await allTried()
    for (const path of paths) {
      const delivery = seen.get(path)
      t.like(delivery, { status: 'pending', reason: null, response_status: null, error: 'no answer within 0.3 s' })
      t.true(Date.parse(delivery?.next_attempt_at ?? '') > Date.parse(delivery?.created_at ?? ''))
      const { attempts } = await details(ada, delivery?.id ?? '')
      t.like(attempts[0], { number: 1, status: null, error: 'no answer within 0.3 s', answer: null })
    }
    await sender.stop()
    await receiver.close()
  },
)

test.serial(
  'what is no answer of HTTP, or one without an end to its headers, is a failure with its reason',
  async t => {
    const receiver = await startReceiver(({ path }, response) => {
      const { socket } = response
      if (path === '/cut') return void socket?.destroy()
      if (path === '/nonsense') return void socket?.end('220 mail.example.test ESMTP\r\n')
      socket?.on('error', () => {})
      socket?.write('HTTP/1.1 200 OK\r\n')
      for (let line = 0; line < 2000; line++) socket?.write(`x-${line}: ${'y'.repeat(100)}\r\n`)
    })
    const sender = senderOf(kernel, clock)
    const paths = ['/cut', '/nonsense', '/headers']
    await announceTo(
      kernel,
      clock,
      ada.tenantId,
      paths.map(path => receiver.url + path),
    )
    sender.wake()
    const seen = await allTried()
    for (const path of paths) t.like(seen.get(path), { status: 'pending', response_status: null })
    t.regex(seen.get('/cut')?.error ?? '', /hang up|ECONNRESET/)
    t.regex(seen.get('/nonsense')?.error ?? '', /Parse Error/)
    t.regex(seen.get('/headers')?.error ?? '', /Header overflow/)
    await sender.stop()
    await receiver.close()
  },
)
