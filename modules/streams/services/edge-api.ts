/** MediaMTX's control API (https://mediamtx.org/docs/references/control-api). */
import { isRecord, SECOND } from '@larder-dev/larder/kernel'
import type { EdgeConnection, EdgePath } from '../domain/media-edge.ts'

const TIMEOUT_MS = 5 * SECOND
const PAGE_SIZE = 500

/** `down`: nothing accepts connections at the address. */
export class EdgeError extends Error {
  readonly reason: 'down' | 'unreachable' | 'unauthorized' | 'failed' | 'not_mediamtx'

  constructor(reason: EdgeError['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EdgeError'
    this.reason = reason
  }
}

/** Undefined for text that isn't JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `url` has no trailing slash. All calls throw `EdgeError`. */
export function createEdgeApi(url: string) {
  /** Returns undefined for a 404 of MediaMTX. */
  async function call(method: 'GET' | 'POST', path: string, signal: AbortSignal): Promise<unknown> {
    let response: Response
    let body: unknown
    try {
      response = await fetch(url + path, {
        method,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      })
      body = parseJson(await response.text())
    } catch (error) {
      const reason = isRefused(error) ? 'down' : 'unreachable'
      throw new EdgeError(reason, `the media edge at ${url} does not answer`, { cause: error })
    }
    const { status } = response
    if (status === 401) throw new EdgeError('unauthorized', `the media edge refuses ${method} ${path}`)
    if (status >= 500) throw new EdgeError('failed', `the media edge returned ${status} to ${method} ${path}`)
    const isMediaMtx = response.headers.get('server') === 'mediamtx'
    if (status === 404 && isMediaMtx) return undefined
    if (status !== 200 || !isMediaMtx || !isRecord(body))
      throw new EdgeError('not_mediamtx', `${url} does not answer like MediaMTX: ${status} to ${method} ${path}`)
    return body
  }

  async function list<T>(path: string, parse: (item: unknown) => T | undefined, signal: AbortSignal): Promise<T[]> {
    const found: T[] = []
    for (let page = 0; ; page++) {
      const body = await call('GET', `${path}?page=${page}&itemsPerPage=${PAGE_SIZE}`, signal)
      if (!isRecord(body) || !Array.isArray(body.items)) throw notMediaMtx(path)
      for (const item of body.items) {
        const parsed = parse(item)
        if (!parsed) throw notMediaMtx(path)
        found.push(parsed)
      }
      if (page + 1 >= Number(body.pageCount ?? 0)) return found
    }
  }
  const notMediaMtx = (path: string) => new EdgeError('not_mediamtx', `${url} does not answer ${path} like MediaMTX`)

  return {
    paths: (signal: AbortSignal): Promise<EdgePath[]> => list('/v3/paths/list', toPath, signal),
    /** Undefined for a path without connections. */
    async path(name: string, signal: AbortSignal): Promise<EdgePath | undefined> {
      const path = `/v3/paths/get/${name}`
      const body = await call('GET', path, signal)
      if (body === undefined) return undefined
      const parsed = toPath(body)
      if (!parsed) throw notMediaMtx(path)
      return parsed
    },
    /** False if there is no such connection. */
    async kick(kind: string, id: string, signal: AbortSignal): Promise<boolean> {
      return (await call('POST', `/v3/${kind}/kick/${encodeURIComponent(id)}`, signal)) !== undefined
    },
    /** The settings of `mediamtx.yml` that don't belong to a path. */
    async settings(signal: AbortSignal): Promise<Record<string, unknown>> {
      const body = await call('GET', '/v3/config/global/get', signal)
      if (!isRecord(body) || typeof body.authMethod !== 'string') throw notMediaMtx('/v3/config/global/get')
      return body
    },
    /** The settings of `paths` in `mediamtx.yml`. */
    pathSettings: (signal: AbortSignal): Promise<Record<string, unknown>[]> =>
      list('/v3/config/paths/list', item => (isRecord(item) ? item : undefined), signal),
  }
}

function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
}

function toPath(item: unknown): EdgePath | undefined {
  if (!isRecord(item) || typeof item.name !== 'string' || !Array.isArray(item.readers)) return undefined
  const { available, source, name } = item
  if (typeof available !== 'boolean') return undefined
  return { name, available, source: isConnection(source) ? source : null, readers: item.readers.filter(isConnection) }
}

const isConnection = (value: unknown): value is EdgeConnection =>
  isRecord(value) && typeof value.type === 'string' && typeof value.id === 'string'
