/**
 * MediaMTX as media edge: its URLs and its control API (https://mediamtx.org/docs/references/control-api), of which
 * `GET /v3/webrtcsessions/list`, `POST /v3/webrtcsessions/kick/{id}` and their counterparts of other protocols are used.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { SECOND } from 'larder/kernel'
import { parseStreamPath } from '../domain/media-paths.ts'
import type { StreamsOptions } from '../options.ts'
import type { MediaEdge } from '../ports.ts'

const TIMEOUT_MS = 5 * SECOND
const PAGE_SIZE = 100
/** OBS publishes over RTMP, SRT or WHIP. HLS players hold no connection that could be closed. */
const CONNECTION_KINDS = [
  'webrtcsessions',
  'rtspsessions',
  'rtspssessions',
  'rtmpconns',
  'rtmpsconns',
  'srtconns',
] as const

interface SessionList {
  readonly pageCount: number
  readonly items: readonly { readonly id: string; readonly path: string }[]
}

export function createMediaMtx(_: unknown, { edge }: StreamsOptions): MediaEdge {
  const webrtc = trimSlashes(edge?.webrtcUrl ?? 'http://localhost:8889')
  const hls = trimSlashes(edge?.hlsUrl ?? 'http://localhost:8888')
  const api = trimSlashes(edge?.apiUrl ?? 'http://localhost:9997')
  const prefix = edge?.prefix ?? 'live/'
  const secretDigests = (edge?.secret ?? '')
    .split(',')
    .flatMap(part => (part.trim() === '' ? [] : [digest(part.trim())]))
  const streamPath = (id: string) => `${prefix}${id}`

  return {
    provider: edge?.provider ?? 'mediamtx',
    enabled: edge !== undefined,
    streamPath,
    parsePath: path => parseStreamPath(prefix, path),
    whipUrl: id => `${webrtc}/${streamPath(id)}/whip`,
    playback: id => ({ whep_url: `${webrtc}/${streamPath(id)}/whep`, hls_url: `${hls}/${streamPath(id)}/index.m3u8` }),
    verifySecret: secret =>
      secret !== undefined && secretDigests.some(expected => timingSafeEqual(expected, digest(secret))),
    async kick(streamId, signal) {
      // Without a secret every connection is denied, so there is none to close.
      if (edge === undefined || secretDigests.length === 0) return 0
      const lists = await Promise.all(
        CONNECTION_KINDS.map(kind => listKickUrls(`${api}/v3/${kind}`, streamPath(streamId), signal)),
      )
      if (lists.every(list => list === null)) throw new Error(`no media edge API responds at ${api}`)
      const urls = lists.flatMap(list => list ?? [])
      for (const url of urls) await call(url, 'POST', signal)
      return urls.length
    },
  }
}

const trimSlashes = (url: string): string => url.replace(/\/+$/, '')
/** Digests have equal length, which `timingSafeEqual` requires. */
const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** URLs that close each connection of one kind at this path; null if the edge does not support the protocol. */
async function listKickUrls(kind: string, path: string, signal: AbortSignal): Promise<string[] | null> {
  const found: string[] = []
  for (let page = 0; ; page++) {
    const response = await call(`${kind}/list?page=${page}&itemsPerPage=${PAGE_SIZE}`, 'GET', signal)
    if (response.status === 404) return null
    const { items = [], pageCount = 0 } = (await response.json()) as Partial<SessionList>
    found.push(...items.filter(item => item.path === path).map(({ id }) => `${kind}/kick/${encodeURIComponent(id)}`))
    if (page + 1 >= pageCount) return found
  }
}

/** A 404 is not an error: the connection closed on its own. */
async function call(url: string, method: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(url, { method, signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) })
  if (!response.ok && response.status !== 404)
    throw new Error(`the media edge returned ${response.status} to ${method} ${new URL(url).pathname}`)
  return response
}
