/** Sends a webhook: one POST without redirects, with a timeout of 15 s and a bounded response. */
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import type { Duplex } from 'node:stream'
import { KIB, SECOND } from 'larder/kernel'
import { MAX_REQUESTS_PER_HOST } from '../domain/host-scheduling.ts'
import type { AttemptOutcome } from '../domain/retry-schedule.ts'
import { parseTarget, type Target } from '../domain/targets.ts'
import { AddressRefusedError, type Dial } from './dialer.ts'

const TIMEOUT_MS = 15 * SECOND
/** Part of the response body that an attempt stores. */
const STORED_BYTES = KIB
/** Longer response bodies close the connection. Shorter ones are read fully, so that it can be reused. */
const MAX_READ_BYTES = 16 * KIB
/** Shorter than the keep-alive timeout of common servers, so that they rarely close a connection in use. */
const IDLE_TIMEOUT_MS = 4 * SECOND

export interface HttpResult extends AttemptOutcome {
  /** The first 1 KiB of the response body; null without a response. */
  readonly answer: string | null
  /** Ended by `abort`, without a response. */
  readonly aborted?: boolean
}
export interface HttpClient {
  (url: string, headers: Readonly<Record<string, string>>, body: string): Promise<HttpResult>
  /** Ends the requests in flight and refuses later ones. */
  abort(): void
  close(): void
}

class AbortedError extends Error {
  override readonly name = 'AbortedError'
}

export function createHttpClient(dial: Dial, timeout = TIMEOUT_MS): HttpClient {
  const options = { keepAlive: true, maxFreeSockets: MAX_REQUESTS_PER_HOST, timeout: IDLE_TIMEOUT_MS }
  const agents = {
    plain: withDialer(new Agent(options), dial, false),
    secure: withDialer(new SecureAgent(options), dial, true),
  }

  /** An AbortSignal would cost several microseconds a request. */
  const inFlight = new Set<ClientRequest>()
  let aborted = false

  const once = (target: Target, headers: Readonly<Record<string, string>>, body: string) =>
    new Promise<HttpResult>((resolve, reject) => {
      const { url, hostname, port, secure } = target
      const sent = (secure ? secureRequest : request)({
        method: 'POST',
        agent: secure ? agents.secure : agents.plain,
        hostname,
        port,
        path: url.pathname + url.search,
        headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body) },
      })
      inFlight.add(sent)
      const timer = setTimeout(() => sent.destroy(new Error(`no response within ${timeout / SECOND} s`)), timeout)
      sent.on('close', () => {
        clearTimeout(timer)
        inFlight.delete(sent)
      })
      let hasResponse = false
      sent.on('error', error => {
        if (!hasResponse) reject(Object.assign(error, { stale: sent.reusedSocket }))
      })
      sent.on('response', (response: IncomingMessage) => {
        hasResponse = true
        readResponse(response, resolve)
      })
      sent.end(body)
    })

  const post = async (url: string, headers: Readonly<Record<string, string>>, body: string) => {
    const target = parseTarget(url)
    if (aborted) return failed(new AbortedError())
    if (!target) return failed(new AddressRefusedError('the URL is not an http or https URL'))
    for (let attempt = 1; ; attempt++)
      try {
        return await once(target, headers, body)
      } catch (error) {
        // The receiver closed the idle connection while it was being reused.
        if (attempt === 1 && isStale(error) && !aborted) continue
        return failed(error)
      }
  }
  return Object.assign(post, {
    abort() {
      aborted = true
      for (const sent of inFlight) sent.destroy(new AbortedError())
    },
    close() {
      agents.plain.destroy()
      agents.secure.destroy()
    },
  })
}

function withDialer<A extends Agent>(agent: A, dial: Dial, secure: boolean): A {
  const createConnection = (
    { host, port }: { host?: string | null; port?: number | string | null },
    done: (error: Error | null, socket?: Duplex) => void,
  ): undefined => {
    const hostname = host ?? ''
    dial({ hostname, port: Number(port), secure, host: `${hostname}:${port}` }).then(
      socket => done(null, socket),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    )
  }
  return Object.assign(agent, { createConnection })
}

/** Calls back when the response ends, or as soon as enough of the body is read. */
function readResponse(response: IncomingMessage, done: (result: HttpResult) => void): void {
  const parts: Buffer[] = []
  let read = 0
  response.on('data', (part: Buffer) => {
    parts.push(part)
    read += part.length
    if (read > MAX_READ_BYTES) response.destroy()
  })
  // The status was received, which decides the outcome.
  response.on('error', error => parts.push(Buffer.from(` [aborted: ${messageOf(error)}]`)))
  response.on('close', () =>
    done({
      status: response.statusCode ?? 0,
      error: null,
      retryAfter: response.headers['retry-after'],
      // PostgreSQL text can't contain NUL. A truncated character becomes U+FFFD.
      answer: Buffer.concat(parts).subarray(0, STORED_BYTES).toString('utf8').replaceAll('\0', '\uFFFD'),
    }),
  )
}

const failed = (error: unknown): HttpResult => ({
  status: null,
  error: messageOf(error),
  refused: error instanceof AddressRefusedError,
  aborted: error instanceof AbortedError,
  answer: null,
})

const isStale = (error: unknown): boolean => error instanceof Error && 'stale' in error && error.stale === true

/** An AggregateError of several connection attempts has no message. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return (error instanceof Error ? error.message || error.name : String(error)).replaceAll('\0', '').slice(0, 500)
}
