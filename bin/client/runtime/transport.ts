import { Call, type Sent } from './call.ts'
import { clientError, LarderError, type ProblemDocument } from './errors.ts'
import type { Bytes, ClientOptions, IdempotentOptions, Lazy, VersionedOptions } from './options.ts'
import { toQuery } from './query.ts'
import { delay, retryDelay } from './retry.ts'

const DEFAULT_RETRIES = 2
const DEFAULT_TIMEOUT_MS = 30_000

/** @internal */
export interface SendRequest {
  readonly method: string
  /** With parameters filled in. */
  readonly path: string
  readonly query?: object | undefined
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is. */
  readonly body?: FormData | Bytes | undefined
  readonly takesTenant?: boolean
  readonly takesIdempotencyKey?: boolean
  readonly reply?: 'text' | 'response'
}

/** @internal */
export type Send = <T, Code extends string>(
  request: SendRequest,
  options?: IdempotentOptions & VersionedOptions,
) => Call<T, Code>

/** @internal */
export interface Transport {
  readonly send: Send
  /** The address of a path; `''` in front of paths of the page's own origin. */
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  readonly options: ClientOptions
  /** `fetch` without the client's credential. Throws a `LarderError` for a status of 400 or more. */
  request(url: string, init: RequestInit): Promise<Response>
  /** The token or the key; undefined for the cookie. */
  credential(): Promise<string | undefined>
  tenant(): Promise<string | undefined>
}

const current = async <T>(lazy: Lazy<T>): Promise<T> =>
  typeof lazy === 'function' ? (lazy as () => T | Promise<T>)() : lazy

/** @internal */
export function createTransport(options: ClientOptions): Transport {
  const baseUrl = (options.baseUrl ?? '').replace(/\/+$/, '')
  if (baseUrl === '' && !('location' in globalThis))
    throw new TypeError('createClient needs a baseUrl outside of pages.')
  const send = options.fetch ?? globalThis.fetch.bind(globalThis)
  const transport: Transport = {
    baseUrl,
    fetch: send,
    options,
    send: (request, own = {}) => new Call(repeat(transport, request, own)),
    request: async (url, init) => {
      const response = await send(url, init)
      return response.ok ? response : (await read<Response>(response, 'response')).data
    },
    credential: async () => current<string | undefined>(options.token ?? options.apiKey),
    tenant: async () => current(options.tenant),
  }
  return transport
}

const usesCookie = ({ token, apiKey, anonymous }: ClientOptions): boolean =>
  token === undefined && apiKey === undefined && !anonymous

type Own = IdempotentOptions & VersionedOptions

async function repeat<T>(transport: Transport, request: SendRequest, own: Own): Promise<Sent<T>> {
  const { options } = transport
  const key = request.takesIdempotencyKey ? (own.idempotencyKey ?? globalThis.crypto.randomUUID()) : undefined
  const headers = {
    ...(await headersOf(transport, request, own)),
    ...(key !== undefined && { 'idempotency-key': key }),
  }
  const isRepeatable = request.method !== 'POST' ? own.ifMatch === undefined : key !== undefined
  const retries = own.retries ?? options.retries ?? DEFAULT_RETRIES
  for (let attempt = 0; ; attempt++)
    try {
      return await attemptOnce<T>(transport, request, headers, own)
    } catch (error) {
      if (!(error instanceof LarderError) || attempt >= retries) throw error
      const wait = retryDelay(error, { isRepeatable }, attempt)
      if (wait === undefined) throw error
      await delay(wait, own.signal)
    }
}

async function headersOf(transport: Transport, request: SendRequest, own: Own): Promise<Record<string, string>> {
  const { options } = transport
  const credential = await transport.credential()
  const tenant = request.takesTenant ? (own.tenant ?? (await transport.tenant())) : undefined
  return {
    accept: request.reply === undefined ? 'application/json, application/problem+json' : '*/*',
    ...(request.json !== undefined && { 'content-type': 'application/json' }),
    ...(credential !== undefined &&
      (options.apiKey === undefined ? { authorization: `Bearer ${credential}` } : { 'x-api-key': credential })),
    ...(tenant !== undefined && { 'x-tenant-id': tenant }),
    ...(own.ifMatch !== undefined && { 'if-match': own.ifMatch }),
    ...options.headers,
    ...own.headers,
  }
}

async function attemptOnce<T>(
  { baseUrl, fetch, options }: Transport,
  { method, path, query, json, body, reply }: SendRequest,
  headers: Record<string, string>,
  own: Own,
): Promise<Sent<T>> {
  const limit = new AbortController()
  const follow = () => limit.abort(own.signal?.reason)
  const timer = setTimeout(() => limit.abort(), own.timeoutMs ?? options.timeoutMs ?? DEFAULT_TIMEOUT_MS)
  own.signal?.addEventListener('abort', follow, { once: true })
  if (own.signal?.aborted) follow()
  const content = json === undefined ? body : JSON.stringify(json)
  try {
    const response = await fetch(`${baseUrl}${path}${toQuery(query)}`, {
      method,
      headers,
      signal: limit.signal,
      credentials: usesCookie(options) ? 'same-origin' : 'omit',
      ...(content !== undefined && { body: content }),
    })
    return await read<T>(response, reply)
  } catch (error) {
    if (error instanceof LarderError || own.signal?.aborted) throw own.signal?.aborted ? own.signal.reason : error
    if (limit.signal.aborted) throw clientError('timeout', 'The server did not respond in time.', 0, error)
    throw clientError('network_error', 'The server could not be reached.', 0, error)
  } finally {
    clearTimeout(timer)
    own.signal?.removeEventListener('abort', follow)
  }
}

async function read<T>(response: Response, reply: SendRequest['reply']): Promise<Sent<T>> {
  const { status, headers } = response
  const info = {
    status,
    headers,
    etag: headers.get('etag') ?? undefined,
    requestId: headers.get('x-request-id') ?? undefined,
  }
  if (response.ok && reply === 'response') return { data: response as T, response: info }
  const text = await response.text()
  if (response.ok && (text === '' || reply === 'text'))
    return { data: (text === '' ? undefined : text) as T, response: info }
  const value = parse(text)
  if (response.ok && value !== undefined) return { data: value as T, response: info }
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const problem = value as Partial<ProblemDocument> | null | undefined
  if (response.ok || typeof problem?.code !== 'string')
    throw clientError(
      'invalid_response',
      `The server sent an unexpected response with status ${status}.`,
      status,
      text.slice(0, 1000),
    )
  throw new LarderError(
    { type: 'about:blank', title: '', detail: '', ...problem, status, code: problem.code },
    Number.isNaN(seconds) ? undefined : seconds * 1000,
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
