/** Builds the requests of the test of round trips. */
import type { Account, Headers, World } from './world.ts'

export interface RouteRequest {
  /** Path and query. */
  readonly path: string
  readonly headers: Headers
  readonly body?: string | Buffer
  /** By default the first declared reply of a route, 200 for a page and 303 for a form post. */
  readonly status?: number
}

/** Creates the `n`-th request of a route, and the records that it needs. */
export type MakeRequest<Context = World> = (context: Context, n: number) => RouteRequest | Promise<RouteRequest>

export interface ModuleRequests {
  /** Route, such as `GET /v1/forms/:id` → creates its requests. Call after `seed`. */
  readonly requests: Readonly<Record<string, (world: World, n: number) => RouteRequest | Promise<RouteRequest>>>
  seed(world: World): Promise<void>
}

/** @param seed creates the records that all requests of the module share. */
export function defineRequests<Seed extends object>(
  seed: (world: World) => Promise<Seed>,
  requests: Readonly<Record<string, MakeRequest<World & Seed>>>,
): ModuleRequests {
  const contexts = new WeakMap<World, World & Seed>()
  const contextOf = (world: World): World & Seed => {
    const context = contexts.get(world)
    if (!context) throw new Error('the requests of a module need its seed')
    return context
  }
  return {
    async seed(world) {
      contexts.set(world, { ...world, ...(await seed(world)) })
    },
    requests: Object.fromEntries(
      Object.entries(requests).map(([key, make]) => [key, (world: World, n: number) => make(contextOf(world), n)]),
    ),
  }
}

type Options = Partial<Pick<RouteRequest, 'status' | 'headers'>>

/** A JSON request, anonymous without an account. */
export const api = (
  account: Account | undefined,
  path: string,
  body?: unknown,
  { headers, ...options }: Options = {},
): RouteRequest => ({
  path,
  headers: { ...account?.headers, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
  ...(body !== undefined && { body: JSON.stringify(body) }),
  ...options,
})

/** A request of a browser, signed in with the account if there is one. */
export const page = (
  account: Account | undefined,
  path: string,
  { headers, ...options }: Options = {},
): RouteRequest => ({
  path,
  headers: { ...BROWSER, ...account?.browser, ...headers },
  ...options,
})

/** A form post of a browser. */
export const form = (
  account: Account | undefined,
  path: string,
  fields: Readonly<Record<string, string>>,
  { headers, ...options }: Options = {},
): RouteRequest => ({
  path,
  headers: { ...BROWSER, ...account?.browser, 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body: new URLSearchParams(fields).toString(),
  ...options,
})
const BROWSER = { accept: 'text/html', 'sec-fetch-site': 'same-origin' }

/** A multipart form with one file in the field `file`. */
export function upload(
  account: Account,
  path: string,
  { name, type, bytes }: { readonly name: string; readonly type: string; readonly bytes: Buffer },
  { headers, ...options }: Options = {},
): RouteRequest {
  const boundary = 'larder-test-boundary'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
  return {
    path,
    headers: { ...account.headers, 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers },
    body,
    ...options,
  }
}
