import type { ServerResponse } from 'node:http'
import test from 'ava'
import { waitFor } from '../../../fixtures/wait.ts'
import { type DeliveryBody, deliveriesOf, details } from '../fixtures.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { enqueueTo, senderFixture, senderOf } from '../sender-fixtures.ts'

const fixture = senderFixture(test)

const GIB = 1024 ** 3
const MIB = 1024 ** 2
const CHUNK = Buffer.alloc(64 * 1024, 'x')

/** Sends up to 1 GiB and resolves with the number of bytes written. */
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
  const all = await waitFor(
    () => deliveriesOf(fixture.ada),
    deliveries => deliveries.every(({ attempt_count }) => attempt_count === 1),
  )
  return new Map(all.map(delivery => [new URL(delivery.url).pathname, delivery]))
}

/** Sends one webhook to each path and closes the receiver after the first attempts. */
async function tried(receiver: Receiver, paths: readonly string[], timeout?: number) {
  const sender = senderOf(fixture.kernel, timeout === undefined ? {} : { timeout })
  const urls = paths.map(path => receiver.url + path)
  await enqueueTo(fixture.kernel, fixture.ada.tenantId, urls)
  sender.wake()
  const seen = await allTried()
  await sender.stop()
  await receiver.close()
  return seen
}

test.serial('stores 1 KiB of a 1 GiB response, aborts the rest and keeps serving other receivers', async t => {
  const poured: Promise<number>[] = []
  const big = await startReceiver(({ path }, response) => {
    response.writeHead(path === '/fine' ? 200 : 500, path === '/chunked' ? {} : { 'content-length': GIB })
    poured.push(pour(response))
  })
  const other = await startReceiver()
  const sender = senderOf(fixture.kernel)
  await enqueueTo(fixture.kernel, fixture.ada.tenantId, [
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
    t.is((await details(fixture.ada, seen.get(path)?.id ?? '')).attempts[0]?.answer, 'x'.repeat(1024))
  t.is(poured.length, 3)
  for (const written of await Promise.all(poured)) t.true(written < 16 * MIB, `${written}`)
  await sender.stop()
  await big.close()
  await other.close()
})

test.serial('retries after a response timeout and stores the reason', async t => {
  const receiver = await startReceiver(({ path }, response) => {
    if (path === '/heads') response.socket?.write('HTTP/1.1 200 OK\r\nx-slow: ')
    if (path === '/early') response.writeEarlyHints({ link: '</a>; rel=preload' })
  })
  const paths = ['/silent', '/heads', '/early']
  const seen = await tried(receiver, paths, 300)
  for (const path of paths) {
    const delivery = seen.get(path)
    t.like(delivery, { status: 'pending', reason: null, response_status: null, error: 'no response within 0.3 s' })
    t.true(Date.parse(delivery?.next_attempt_at ?? '') > Date.parse(delivery?.created_at ?? ''))
    const { attempts } = await details(fixture.ada, delivery?.id ?? '')
    t.like(attempts[0], { number: 1, status: null, error: 'no response within 0.3 s', answer: null })
  }
})

test.serial('invalid HTTP responses and endless headers fail with a reason', async t => {
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
  t.regex(seen.get('/cut')?.error ?? '', /^the receiver closed the connection$|ECONNRESET/)
  t.regex(seen.get('/nonsense')?.error ?? '', /does not match the HTTP\/1.1 protocol/)
  t.regex(seen.get('/headers')?.error ?? '', /Headers Overflow/)
})
