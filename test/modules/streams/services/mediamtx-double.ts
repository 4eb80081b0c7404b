/**
 * A double of MediaMTX that transports no media: it reads `mediamtx.yml`, asks for permission, runs hooks and has the
 * control API. The cases in `mediamtx-cases.ts` describe it, and run against MediaMTX itself in `npm run test:peers`.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parse } from 'yaml'

export type Protocol = 'webrtc' | 'hls' | 'rtsp' | 'rtmp' | 'srt' | 'moq'
export interface Credentials {
  readonly user?: string
  readonly query?: string
  readonly password?: string
  readonly token?: string
}
interface PathSettings {
  readonly runOnAvailable?: string
  readonly runOnUnavailable?: string
}
interface Settings {
  readonly authMethod?: string
  readonly authHTTPAddress?: string
  readonly authHTTPExclude?: readonly { readonly action: string }[]
  readonly paths?: Readonly<Record<string, PathSettings | null>>
  readonly [name: string]: unknown
}
interface Client {
  readonly id: string
  readonly path: string
  readonly protocol: Protocol
  readonly publishes: boolean
}
interface Question extends Credentials {
  readonly action: string
  readonly path: string
  readonly protocol: string
  readonly id: string | null
}
type Env = Readonly<Record<string, string>>

const LISTS: Readonly<Record<Protocol, [list: string, type: string, missing: string]>> = {
  webrtc: ['webrtcsessions', 'webRTCSession', 'session not found'],
  hls: ['hlssessions', 'hlsSession', 'session not found'],
  rtsp: ['rtspsessions', 'rtspSession', 'session not found'],
  rtmp: ['rtmpconns', 'rtmpConn', 'connection not found'],
  srt: ['srtconns', 'srtConn', 'connection not found'],
  moq: ['moqsessions', 'moqSession', 'session not found'],
}
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const DEFAULTS = { authMethod: 'internal', webrtc: true, hls: true, rtmp: true, rtsp: true, srt: true, moq: true }

export type MediaMtxDouble = Awaited<ReturnType<typeof startMediaMtxDouble>>

export async function startMediaMtxDouble() {
  let settings: Settings = DEFAULTS
  let env: Env = {}
  const clients = new Map<string, Client>()
  const kicked: string[] = []
  let failures: { times: number; status: number } = { times: 0, status: 500 }
  /** Milliseconds that its clock is ahead. */
  let clockOffset = 0
  let stalled: Promise<void> = Promise.resolve()
  let asked: Promise<unknown> = Promise.resolve()
  const running = new Set<Promise<void>>()
  /** Id of a publisher → ends its hook of the start. */
  const startHooks = new Map<string, AbortController>()

  const now = () => new Date(Date.now() + clockOffset)
  const source = (path: string) => [...clients.values()].find(client => client.path === path && client.publishes)
  const readers = (path: string) => [...clients.values()].filter(client => client.path === path && !client.publishes)

  /** Like MediaMTX, asks for one connection at a time. */
  const ask = (request: Question): Promise<boolean> => {
    const answer = asked.then(() => askNow(request))
    asked = answer
    return answer
  }
  async function askNow(request: Question): Promise<boolean> {
    if (settings.authMethod !== 'http') return true
    if (settings.authHTTPExclude?.some(({ action }) => action === request.action)) return true
    const { url, headers } = withBasic(settings.authHTTPAddress ?? '')
    const body = { ip: '127.0.0.1', user: '', password: '', token: '', query: '', userAgent: '', ...request }
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }
    return fetch(url, { ...init, body: JSON.stringify(body) }).then(
      response => response.ok,
      () => false,
    )
  }

  const pathSettings = (path: string): PathSettings | null | undefined =>
    Object.entries(settings.paths ?? {}).find(([name]) =>
      name.startsWith('~') ? new RegExp(name.slice(1)).test(path) : name === path,
    )?.[1]

  function runHook(command: string | undefined, client: Client, signal?: AbortSignal): void {
    if (command === undefined) return
    const variables = {
      ...env,
      MTX_PATH: client.path,
      MTX_SOURCE_ID: client.id,
      MTX_SOURCE_TYPE: LISTS[client.protocol][1],
    }
    const run = runCurl(command, variables, signal).finally(() => running.delete(run))
    running.add(run)
  }

  function close(id: string): void {
    const client = clients.get(id)
    if (!client) return
    clients.delete(id)
    if (!client.publishes) return
    for (const reader of readers(client.path)) clients.delete(reader.id)
    startHooks.get(id)?.abort()
    startHooks.delete(id)
    runHook(pathSettings(client.path)?.runOnUnavailable, client)
  }

  function open(client: Client): void {
    const replaced = client.publishes && source(client.path)
    if (replaced) close(replaced.id)
    clients.set(client.id, client)
    if (!client.publishes) return
    const ending = new AbortController()
    startHooks.set(client.id, ending)
    runHook(pathSettings(client.path)?.runOnAvailable, client, ending.signal)
  }

  /** Undefined if the edge refused. */
  async function connect(
    action: 'publish' | 'read',
    path: string,
    protocol: Protocol,
    { user = '', query = '', password = '', token = '' }: Credentials,
  ): Promise<'refused' | 'no_stream' | { id: string }> {
    if (pathSettings(path) === undefined || settings[protocol] === false) return 'refused'
    const request = {
      action,
      path,
      protocol,
      query,
      user,
      password,
      token: token || password || legacyToken(protocol, query),
    }
    // A player describes the stream first, with the id of its TCP connection.
    if (protocol === 'rtsp' && action === 'read' && !(await ask({ ...request, id: randomUUID() }))) return 'refused'
    const id = randomUUID()
    if (!(await ask({ ...request, id }))) return 'refused'
    if (action === 'read' && !source(path)) return 'no_stream'
    open({ id, path, protocol, publishes: action === 'publish' })
    return { id }
  }

  const toPath = (path: string) => {
    const publisher = source(path)
    const describe = ({ id, protocol }: Client) => ({ type: LISTS[protocol][1], id })
    return {
      name: path,
      confName: path,
      ready: publisher !== undefined,
      available: publisher !== undefined,
      availableTime: publisher ? now().toISOString() : null,
      source: publisher ? describe(publisher) : null,
      readers: readers(path).map(describe),
    }
  }

  function answerApi(url: URL, method: string | undefined): [status: number, body: unknown] {
    const missing = (error: string): [number, unknown] => [404, { status: 'error', error }]
    const paged = (items: readonly unknown[]): [number, unknown] => {
      const size = Number(url.searchParams.get('itemsPerPage') ?? 100)
      const page = Number(url.searchParams.get('page') ?? 0)
      const shown = items.slice(page * size, (page + 1) * size)
      return [200, { itemCount: items.length, pageCount: Math.ceil(items.length / size), items: shown }]
    }
    const [, , area = '', verb = '', ...rest] = url.pathname.split('/')
    if (method === 'GET' && area === 'paths') {
      const known = [...new Set([...clients.values()].map(({ path }) => path))]
      if (verb === 'list') return paged(known.map(toPath))
      return known.includes(rest.join('/')) ? [200, toPath(rest.join('/'))] : missing('path not found')
    }
    if (url.pathname === '/v3/config/global/get') return [200, { ...DEFAULTS, hlsVariant: 'lowLatency', ...settings }]
    if (url.pathname === '/v3/config/paths/list')
      return paged(Object.entries(settings.paths ?? {}).map(([name, path]) => ({ name, ...path })))
    const [protocol, [, , error]] = Object.entries(LISTS).find(([, [list]]) => list === area) ?? ['', ['', '', '']]
    // A server that is turned off has no routes.
    if (protocol === '' || settings[protocol] === false) return [404, '404 page not found']
    const own = [...clients.values()].filter(client => client.protocol === protocol)
    if (verb === 'list') return paged(own.map(({ id, path }) => ({ id, path, created: now().toISOString() })))
    const id = rest[0] ?? ''
    if (!UUID.test(id)) return [400, { status: 'error', error: `invalid UUID length: ${id.length}` }]
    if (!own.some(client => client.id === id)) return missing(error)
    kicked.push(id)
    close(id)
    return [200, { status: 'ok' }]
  }

  async function serveApi(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await stalled
    // Without MediaMTX's header, like another program at the same address.
    if (failures.times-- > 0) return void response.writeHead(failures.status).end('{"items":[]}')
    const isAllowed = await ask({ action: 'api', path: '', protocol: '', id: null })
    const [status, body] = isAllowed
      ? answerApi(new URL(request.url ?? '/', 'http://edge'), request.method)
      : [401, { status: 'error', error: 'authentication error' }]
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { server: 'mediamtx', date: now().toUTCString() }).end(text)
  }

  /** WHIP, WHEP and HLS. */
  async function serveMedia(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? '/', 'http://edge')
    const [, path = '', resource = ''] = /^\/(.+)\/([^/]+)$/.exec(pathname) ?? []
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const credentials = { query: search.slice(1), ...(token && { token }) }
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', 'Authorization, Content-Type, If-Match')
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'])
      return void response.writeHead(204).end()
    if (resource.endsWith('.m3u8') && resource !== 'index.m3u8') {
      // Media playlists and segments need the session of the multivariant playlist.
      const session = new URLSearchParams(search).get('session') ?? ''
      return void response.writeHead(clients.has(session) ? 200 : 401).end()
    }
    const action = resource === 'whip' ? 'publish' : 'read'
    if (request.method === 'OPTIONS') {
      const isAllowed = await ask({ action, path, protocol: 'webrtc', id: null, ...credentials })
      return void response.writeHead(isAllowed ? 204 : 401).end()
    }
    const protocol = resource === 'index.m3u8' ? 'hls' : 'webrtc'
    const result = await connect(action, path, protocol, credentials)
    if (typeof result === 'string') return void response.writeHead(result === 'refused' ? 401 : 404).end()
    response.writeHead(protocol === 'hls' ? 200 : 201).end(`stream.m3u8?session=${result.id}`)
  }

  const servers = [
    createServer((...pair) => void serveApi(...pair)),
    createServer((...pair) => void serveMedia(...pair)),
  ]
  const [api = '', media = ''] = await Promise.all(
    servers.map(async server => {
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    }),
  )

  return {
    api,
    media,
    kicked,
    /** Applies the text of a `mediamtx.yml`. */
    configure(yaml: string, environment: Env = {}): void {
      env = environment
      const { MTX_AUTHHTTPADDRESS: address } = environment
      settings = {
        ...DEFAULTS,
        ...(parse(yaml, { version: '1.1' }) as Settings),
        ...(address && { authHTTPAddress: address }),
      }
    },
    publish: (path: string, credentials: Credentials = {}, protocol: Protocol = 'rtmp') =>
      connect('publish', path, protocol, credentials),
    play: (path: string, credentials: Credentials = {}, protocol: Protocol = 'rtsp') =>
      connect('read', path, protocol, credentials),
    /** A connection of which no hook tells, as after a crash of Larder. */
    open: (path: string, publishes: boolean, protocol: Protocol = 'webrtc'): string => {
      const id = randomUUID()
      clients.set(id, { id, path, protocol, publishes })
      return id
    },
    /** A client leaves. */
    close,
    /** Forgets everything without a hook, like a process that is killed. */
    crash: () => clients.clear(),
    connected: (path: string): string[] =>
      [...clients.values()].filter(client => client.path === path).map(({ id }) => id),
    failNext(times: number, status = 500): void {
      failures = { times, status }
    },
    /** Moves its clock. */
    setClock(milliseconds: number): void {
      clockOffset = milliseconds
    },
    /** The API accepts calls, and answers them after the returned function was called. */
    stall(): () => void {
      let release = () => {}
      stalled = new Promise(resolve => (release = resolve))
      return release
    },
    /** Waits for the hooks that run. */
    hooks: async (): Promise<void> => void (await Promise.all(running)),
    /** Forgets everything but its settings, without a hook. */
    async reset(): Promise<void> {
      for (const hook of startHooks.values()) hook.abort()
      startHooks.clear()
      await Promise.allSettled(running)
      clients.clear()
      kicked.length = 0
      failures = { times: 0, status: 500 }
      clockOffset = 0
      stalled = Promise.resolve()
    },
    async stop(): Promise<void> {
      await Promise.allSettled(running)
      await Promise.all(
        servers.map(server => {
          server.closeAllConnections()
          return new Promise(resolve => server.close(resolve))
        }),
      )
    },
  }
}

/** MediaMTX reads these parameters itself for some protocols. */
function legacyToken(protocol: Protocol, query: string): string {
  if (protocol !== 'rtsp' && protocol !== 'rtmp') return ''
  const params = new URLSearchParams(query)
  return params.get('token') ?? params.get('jwt') ?? ''
}

function withBasic(address: string): { url: string; headers: Record<string, string> } {
  const url = new URL(address)
  const { username, password } = url
  url.username = url.password = ''
  if (password === '') return { url: url.href, headers: {} }
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  return { url: url.href, headers: { authorization: `Basic ${credentials}` } }
}

const WORD = /"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g
const RETRY_MS = 100

/** Runs the `curl` command of a hook. Repeats it while the server can't be reached, as `--retry-connrefused` does. */
async function runCurl(command: string, env: Env, signal?: AbortSignal): Promise<void> {
  const words = [...command.matchAll(WORD)]
    .map(([, quoted, literal, plain]) => quoted?.replace(/\\(.)/g, '$1') ?? literal ?? plain ?? '')
    .map(word => word.replace(/\$(\w+)/g, (_, name) => env[name] ?? ''))
  const after = (option: string) => words[words.indexOf(option) + 1]
  const url = words.at(-1) ?? ''
  const attempts = words.includes('--retry-connrefused') ? Number(after('--retry')) : 1
  const headers = {
    'content-type': 'application/json',
    ...(words.includes('-u') && { authorization: `Basic ${Buffer.from(after('-u') ?? '').toString('base64')}` }),
  }
  for (let attempt = 1; attempt <= attempts && !signal?.aborted; attempt++) {
    const request = { method: 'POST', headers, body: after('-d') ?? '', ...(signal && { signal }) }
    const response = await fetch(url, request).catch(() => undefined)
    if (response && response.status < 500) return
    await new Promise(resolve => setTimeout(resolve, RETRY_MS))
  }
}
