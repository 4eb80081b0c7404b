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
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
/** `/v1/sessions/{id}` and a template with a string in its place are both `/v1/sessions/{}`. */
type Blanked<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? `${BlankedSegment<Segment>}/${Blanked<Rest>}`
  : BlankedSegment<Path>
type BlankedSegment<Segment extends string> = string extends Segment
  ? '{}'
  : Segment extends `{${string}}`
    ? '{}'
    : Segment
type WithoutQuery<Path extends string> = Path extends `${infer Before}?${string}` ? Before : Path
type Operations<Paths> = { [Path in keyof Paths & string as Blanked<Path>]: Paths[Path] }
/** `never` for a path or a method that `Paths` doesn't have. */
type Operation<Paths, Path extends string, M extends Method> =
  Operations<Paths> extends Readonly<Record<Blanked<WithoutQuery<Path>>, Readonly<Record<M, infer Found>>>>
    ? Found
    : never
type ResponseOf<Paths, Path extends string, M extends Method> =
  Operation<Paths, Path, M> extends { readonly response: infer Body } ? Exclude<Body, undefined> : never
/** What follows the path. No value is `never`, so that an unknown path takes the signature that names its body. */
type Rest<Paths, Path extends string, M extends Method, Arguments extends readonly unknown[]> = [
  Operation<Paths, Path, M>,
] extends [never]
  ? [unknown: never]
  : Arguments

interface Fetch<Paths, M extends Method> {
  <P extends string>(
    path: P,
    ...rest: Rest<Paths, P, M, [options?: CallOptions]>
  ): Promise<TestResponse<ResponseOf<Paths, P, M>>>
  <B = never>(path: string, options?: CallOptions): Promise<TestResponse<B>>
}
interface Send<Paths, M extends Method> {
  <P extends string>(
    path: P,
    ...rest: Rest<Paths, P, M, [body?: unknown, options?: CallOptions]>
  ): Promise<TestResponse<ResponseOf<Paths, P, M>>>
  <B = never>(path: string, body?: unknown, options?: CallOptions): Promise<TestResponse<B>>
}

/**
 * Sends requests with a fixed credential. Follows no redirects. A path of `Paths`, such as `/v1/sessions/${id}`, has
 * the body of its success; other paths, and responses that are problems, name their bodies: `get<{ code: string }>(path)`.
 */
export interface ClientOf<Paths> {
  call<B = never>(method: string, path: string, body?: unknown, options?: CallOptions): Promise<TestResponse<B>>
  get: Fetch<Paths, 'get'>
  post: Send<Paths, 'post'>
  put: Send<Paths, 'put'>
  patch: Send<Paths, 'patch'>
  delete: Fetch<Paths, 'delete'>
  /** A client with additional headers. */
  with(headers: Readonly<Record<string, string>>): ClientOf<Paths>
}

/** Shorter than the server's, which would otherwise close a connection while a request is on its way. */
const IDLE_MS = SECOND

/** Creates clients of one server, which share connections. */
export function createClients<Paths>(url: string): {
  client(headers: Readonly<Record<string, string>>): ClientOf<Paths>
  /** Otherwise a stopping server waits 1 s for requests on them. Requests in progress continue. */
  closeIdleConnections(): void
} {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS })

  function client(headers: Readonly<Record<string, string>>): ClientOf<Paths> {
    const call: ClientOf<Paths>['call'] = async (method, path, body, options = {}) => {
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
      get: (path: string, options?: CallOptions) => call('GET', path, undefined, options),
      post: (path: string, body?: unknown, options?: CallOptions) => call('POST', path, body, options),
      put: (path: string, body?: unknown, options?: CallOptions) => call('PUT', path, body, options),
      patch: (path: string, body?: unknown, options?: CallOptions) => call('PATCH', path, body, options),
      delete: (path: string, options?: CallOptions) => call('DELETE', path, undefined, options),
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
