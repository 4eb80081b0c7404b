/** The HTTP client of a test kernel, on `node:http`: a request takes a fifth of the CPU time of `fetch`. */
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { SECOND } from '../kernel/index.ts'

export interface TestResponse<Body = Record<string, never>> {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON, or text for other media types. Undefined for an empty body. */
  readonly body: Body
}
export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
}
/** Sends requests with a fixed credential. Follows no redirects. */
export interface Client {
  call<B = never>(method: string, path: string, body?: unknown, options?: CallOptions): Promise<TestResponse<B>>
  get<B = never>(path: string, options?: CallOptions): Promise<TestResponse<B>>
  post<B = never>(path: string, body?: unknown, options?: CallOptions): Promise<TestResponse<B>>
  put<B = never>(path: string, body?: unknown, options?: CallOptions): Promise<TestResponse<B>>
  patch<B = never>(path: string, body?: unknown, options?: CallOptions): Promise<TestResponse<B>>
  delete<B = never>(path: string, options?: CallOptions): Promise<TestResponse<B>>
  /** A client with additional headers. */
  with(headers: Readonly<Record<string, string>>): Client
}

/** Shorter than the server's, which would otherwise close a connection while a request is on its way. */
const IDLE_MS = SECOND

/** Creates clients of one server, which share connections. */
export function createClients(url: string): {
  client(headers: Readonly<Record<string, string>>): Client
  /** Otherwise a stopping server waits 1 s for requests on them. Requests in progress continue. */
  closeIdleConnections(): void
} {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS })

  function client(headers: Readonly<Record<string, string>>): Client {
    const call: Client['call'] = async (method, path, body, options = {}) => {
      const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
      const response = await send(new URL(path, url), method, content, {
        accept: '*/*',
        ...(content !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(content)),
        }),
        ...headers,
        ...options.headers,
      })
      const received = await text(response)
      const json = /json/.test(response.headers['content-type'] ?? '')
      return {
        status: response.statusCode,
        headers: headersOf(response.headers),
        body: json ? JSON.parse(received) : received || undefined,
      } as never
    }
    return {
      call,
      get: (path, options) => call('GET', path, undefined, options),
      post: (path, body, options) => call('POST', path, body, options),
      put: (path, body, options) => call('PUT', path, body, options),
      patch: (path, body, options) => call('PATCH', path, body, options),
      delete: (path, options) => call('DELETE', path, undefined, options),
      with: more => client({ ...headers, ...more }),
    }
  }

  const send = (to: URL, method: string, body: string | undefined, headers: Record<string, string>) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(to, { agent, method, headers }, resolve)
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The server has closed a connection that was idle, which HTTP allows at any time.
        if (sent.reusedSocket && error.code === 'ECONNRESET') send(to, method, body, headers).then(resolve, reject)
        else reject(error)
      })
      sent.end(body)
    })

  return {
    client,
    closeIdleConnections() {
      for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy()
    },
  }
}

function headersOf(received: IncomingHttpHeaders): Headers {
  const headers = new Headers()
  for (const [name, value = []] of Object.entries(received)) for (const one of [value].flat()) headers.append(name, one)
  return headers
}
