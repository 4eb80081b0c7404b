/** Sends one request without redirects, with a timeout of 15 s and a bounded response. */
import { KIB, type Ports, SECOND } from '@larder-dev/larder/kernel'
import { parseTarget, type Target } from '@larder-dev/larder/kernel/internal'
import type { Agent, Dispatcher, errors } from 'undici'
import type { AttemptOutcome } from '../domain/retry-schedule.ts'

const TIMEOUT_MS = 15 * SECOND
/** Part of the response body that the attempt of a webhook stores. */
const STORED_BYTES = KIB
/** Longer response bodies close the connection. Shorter ones are read fully, so that it can be reused. */
const MAX_READ_BYTES = 16 * KIB
const MEDIA_TYPE = /^[\w.+-]{1,60}\/[\w.+-]{1,60}/
/** Shorter than the keep-alive timeout of common servers, so that they rarely close a connection in use. */
const IDLE_TIMEOUT_MS = 4 * SECOND

export interface HttpResult extends AttemptOutcome {
  /** The first 1 KiB of the response body, or `keptBytes`; null without a response. */
  readonly answer: string | null
  /** The media type of the response; undefined without a valid one. */
  readonly type?: string | undefined
  /** Ended by `abort`, without a response. */
  readonly aborted?: boolean
}
export interface RequestOptions {
  /** `POST` by default. */
  readonly method?: Dispatcher.HttpMethod
  /** Bytes of the response body in `answer`. */
  readonly keptBytes?: number
  /** Ends the request. */
  readonly signal?: AbortSignal
}
export interface HttpClient {
  (
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string | null,
    options?: RequestOptions,
  ): Promise<HttpResult>
  /** Ends the requests in flight and refuses later ones. */
  abort(): void
  close(): void
}

type Connections = Pick<ReturnType<Ports['outbound']['connections']>, 'connector' | 'isRefusal'>

class AbortedError extends Error {
  override readonly name = 'AbortedError'
}

export function createHttpClient(connections: Connections, timeout = TIMEOUT_MS): HttpClient {
  let agent: Promise<Agent> | undefined
  const inFlight = new Set<Exchange>()
  let aborted = false

  async function once(
    { url }: Target,
    headers: Readonly<Record<string, string>>,
    body: string | null,
    { method = 'POST', keptBytes = STORED_BYTES, signal }: RequestOptions,
  ): Promise<HttpResult> {
    const { origin, pathname, search } = url
    agent ??= createAgent(connections, timeout)
    const connected = await agent
    if (aborted || signal?.aborted) throw new AbortedError()
    const sent = exchange(connected, { origin, path: pathname + search, method, headers, body }, keptBytes)
    inFlight.add(sent)
    const stop = () => sent.abort(new AbortedError())
    signal?.addEventListener('abort', stop)
    const timer = setTimeout(() => sent.abort(new Error(`no response within ${timeout / SECOND} s`)), timeout)
    try {
      return await sent.result
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      inFlight.delete(sent)
    }
  }

  const send = async (
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string | null,
    options: RequestOptions = {},
  ) => {
    const target = parseTarget(url)
    if (aborted) return failed(new AbortedError(), connections)
    if (!target) return { ...failed(new Error('the URL is not an http or https URL'), connections), refused: true }
    for (let attempt = 1; ; attempt++)
      try {
        return await once(target, headers, body, options)
      } catch (error) {
        // The receiver closed the idle connection while it was being reused.
        if (attempt === 1 && isStale(error) && !aborted) continue
        return failed(error, connections)
      }
  }
  return Object.assign(send, {
    abort() {
      aborted = true
      for (const sent of inFlight) sent.abort(new AbortedError())
    },
    close: () => void agent?.then(created => created.destroy()),
  })
}

/** Loads undici on first use, because loading it slows the start. */
async function createAgent(connections: Connections, timeout: number): Promise<Agent> {
  const { Agent } = await import('undici')
  return new Agent({
    // The sender limits the requests per host.
    connections: null,
    pipelining: 1,
    connect: connections.connector(timeout),
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    keepAliveMaxTimeout: IDLE_TIMEOUT_MS,
    // The timeout of a request includes the connection and the response.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

/** A request that can end early. The result rejects if there is no response. */
interface Exchange {
  readonly result: Promise<HttpResult>
  abort(error: Error): void
}

function exchange(agent: Agent, options: Dispatcher.DispatchOptions, keptBytes: number): Exchange {
  let resolve: (result: HttpResult) => void = () => {}
  let reject: (error: Error) => void = () => {}
  const result = new Promise<HttpResult>((...settle) => {
    resolve = settle[0]
    reject = settle[1]
  })
  let controller: Dispatcher.DispatchController | undefined
  let ended: Error | undefined
  let status: number | undefined
  let retryAfter: string | undefined
  let type: string | undefined
  const parts: Buffer[] = []
  let read = 0

  const finish = (status: number) =>
    resolve({ status, error: null, retryAfter, type, answer: toAnswer(parts, keptBytes) })
  const abort = (error: Error) => {
    ended ??= error
    if (controller) controller.abort(error)
    else reject(error)
  }

  agent.dispatch(options, {
    onRequestStart(started) {
      controller = started
      if (ended) started.abort(ended)
    },
    onResponseStart(_, statusCode, headers) {
      // Informational responses precede the final one.
      if (statusCode < 200) return
      status = statusCode
      retryAfter = [headers['retry-after']].flat()[0]
      type = MEDIA_TYPE.exec([headers['content-type']].flat()[0] ?? '')?.[0]
    },
    onResponseData(_, part) {
      parts.push(part)
      read += part.length
      if (read > MAX_READ_BYTES) abort(new Error('the response is too long'))
    },
    onResponseEnd() {
      if (status !== undefined) finish(status)
    },
    onResponseError(_, error) {
      if (status === undefined) return reject(error)
      // The status was received, which decides the outcome.
      parts.push(Buffer.from(` [aborted: ${messageOf(error)}]`))
      finish(status)
    },
  })
  return { result, abort }
}

/** PostgreSQL text can't contain NUL. A truncated character becomes U+FFFD. */
const toAnswer = (parts: readonly Buffer[], keptBytes: number): string =>
  Buffer.concat(parts).subarray(0, keptBytes).toString('utf8').replaceAll('\0', '\uFFFD')

const failed = (error: unknown, { isRefusal }: Connections): HttpResult => ({
  status: null,
  error: messageOf(error),
  refused: isRefusal(error),
  aborted: error instanceof AbortedError,
  answer: null,
})

/** Whether the connection failed after it was used: by an earlier response, or by the TLS handshake. */
function isStale(error: unknown): boolean {
  if (isSocketError(error)) return (error.socket?.bytesRead ?? 0) > 0
  return error instanceof Error && 'stale' in error && error.stale === true
}

const isSocketError = (error: unknown): error is errors.SocketError =>
  error instanceof Error && 'code' in error && error.code === 'UND_ERR_SOCKET'

/** An AggregateError of several connection attempts has no message. */
function messageOf(error: unknown): string {
  if (isSocketError(error)) return 'the receiver closed the connection'
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return (error instanceof Error ? error.message || error.name : String(error)).replaceAll('\0', '').slice(0, 500)
}
