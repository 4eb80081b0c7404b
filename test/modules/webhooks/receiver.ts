/** A server on 127.0.0.1 that receives webhooks. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { ExecutionContext } from 'ava'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** Milliseconds since 1970. */
  readonly at: number
}
export interface Receiver {
  readonly url: string
  readonly port: number
  readonly received: Received[]
  /** Highest number of concurrent requests. */
  most(): number
  connections(): number
  /** Resolves once this many requests were received. */
  came(count: number): Promise<Received[]>
  close(): Promise<void>
}

/** Returns 204 by default. `pair`: key and certificate (PEM) for HTTPS. */
export async function startReceiver(
  answer: (request: Received, response: ServerResponse) => void | Promise<void> = (_, response) =>
    void response.writeHead(204).end(),
  pair?: { readonly key: string; readonly cert: string },
): Promise<Receiver> {
  const received: Received[] = []
  const waiting: { count: number; done: (all: Received[]) => void }[] = []
  let now = 0
  let most = 0
  let connections = 0
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    now++
    most = Math.max(most, now)
    response.on('close', () => now--)
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const one: Received = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(parts).toString('utf8'),
      at: Date.now(),
    }
    received.push(one)
    for (const { count, done } of waiting) if (received.length >= count) done(received)
    await answer(one, response)
  }
  const server = pair ? createSecureServer(pair, take) : createServer(take)
  server.on('connection', () => connections++)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `${pair ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    received,
    most: () => most,
    connections: () => connections,
    came: count =>
      received.length >= count
        ? Promise.resolve(received)
        : new Promise(done => {
            waiting.push({ count, done })
          }),
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A receiver that is closed at the end of the test. */
export async function openReceiver(
  t: Pick<ExecutionContext, 'teardown'>,
  ...options: Parameters<typeof startReceiver>
): Promise<Receiver> {
  const receiver = await startReceiver(...options)
  t.teardown(receiver.close)
  return receiver
}
