import type { ServerResponse } from 'node:http'
import test from 'ava'
import { type Receiver, startReceiver } from '../receiver.ts'
import { announceTo, senderOf, sendingStage } from '../sender-fixtures.ts'
import { type DeliveryBody, deliveriesOf, details, runningClock, until } from '../fixtures.ts'

const clock = runningClock()
const stage = sendingStage(test, clock)

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
    () => deliveriesOf(stage.ada),
    deliveries => deliveries.every(({ attempt_count }) => attempt_count === 1),
  )
  return new Map(all.map(delivery => [new URL(delivery.url).pathname, delivery]))
}

/** Sends one webhook to each of these paths, and closes the receiver after the first attempt at all. */
async function tried(receiver: Receiver, paths: readonly string[], timeout?: number) {
  const sender = senderOf(stage.kernel, clock, timeout)
  const urls = paths.map(path => receiver.url + path)
  await announceTo(stage.kernel, clock, stage.ada.tenantId, urls)
  sender.wake()
  const seen = await allTried()
  await sender.stop()
  await receiver.close()
  return seen
}

test.serial('of a body of 1 GiB 1 KiB is kept and the rest refused, and webhooks of others go past it', async t => {
  const poured: Promise<number>[] = []
  const big = await startReceiver(({ path }, response) => {
    response.writeHead(path === '/fine' ? 200 : 500, path === '/chunked' ? {} : { 'content-length': GIB })
    poured.push(pour(response))
  })
  const other = await startReceiver()
  const sender = senderOf(stage.kernel, clock)
  await announceTo(stage.kernel, clock, stage.ada.tenantId, [
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
    t.is((await details(stage.ada, seen.get(path)?.id ?? '')).attempts[0]?.answer, 'x'.repeat(1024))
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
    const paths = ['/silent', '/heads', '/early']
    const seen = await tried(receiver, paths, 300)
    for (const path of paths) {
      const delivery = seen.get(path)
      t.like(delivery, { status: 'pending', reason: null, response_status: null, error: 'no answer within 0.3 s' })
      t.true(Date.parse(delivery?.next_attempt_at ?? '') > Date.parse(delivery?.created_at ?? ''))
      const { attempts } = await details(stage.ada, delivery?.id ?? '')
      t.like(attempts[0], { number: 1, status: null, error: 'no answer within 0.3 s', answer: null })
    }
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
    const paths = ['/cut', '/nonsense', '/headers']
    const seen = await tried(receiver, paths)
    for (const path of paths) t.like(seen.get(path), { status: 'pending', response_status: null })
    t.regex(seen.get('/cut')?.error ?? '', /hang up|ECONNRESET/)
    t.regex(seen.get('/nonsense')?.error ?? '', /Parse Error/)
    t.regex(seen.get('/headers')?.error ?? '', /Header overflow/)
  },
)
