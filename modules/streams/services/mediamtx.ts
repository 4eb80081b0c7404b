/** MediaMTX as media edge: its URLs, its connections and what it supports. */
import { timingSafeEqual } from 'node:crypto'
import { MINUTE, type Ports, SECOND } from '@larder-dev/larder/kernel'
import type { EdgeCapabilities, Ingest, MediaEdge } from '../domain/media-edge.ts'
import { parseStreamPath } from '../domain/media-paths.ts'
import { hashStreamToken } from '../domain/stream-token.ts'
import type { StreamsOptions } from '../options.ts'
import { createEdgeApi } from './edge-api.ts'
import { examineEdge } from './edge-examination.ts'

const EXAMINATION_TIMEOUT_MS = 5 * SECOND
const CAPABILITIES_TIMEOUT_MS = 2 * SECOND
/** Connections that are closed at the same time. */
const CONCURRENT_KICKS = 20

/** Protocol, as the edge names it when it asks for permission → the lists that can contain the connection. */
const LISTS_OF_PROTOCOL: Readonly<Record<string, readonly string[]>> = {
  webrtc: ['webrtcsessions'],
  hls: ['hlssessions'],
  rtsp: ['rtspsessions', 'rtspssessions'],
  rtmp: ['rtmpconns', 'rtmpsconns'],
  srt: ['srtconns'],
  moq: ['moqsessions'],
}
/** Type of a publisher or reader in the list of paths → the list of its connections. */
const LIST_OF_TYPE: Readonly<Record<string, string>> = {
  webRTCSession: 'webrtcsessions',
  hlsSession: 'hlssessions',
  rtspSession: 'rtspsessions',
  rtspsSession: 'rtspssessions',
  rtmpConn: 'rtmpconns',
  rtmpsConn: 'rtmpsconns',
  srtConn: 'srtconns',
  moqSession: 'moqsessions',
}
/** What a MediaMTX with the documented configuration supports. */
const DOCUMENTED: EdgeCapabilities = { whip: true, whep: true, hls: true, ll_hls: true }

const DEFAULT_URLS = {
  webrtcUrl: 'http://localhost:8889',
  hlsUrl: 'http://localhost:8888',
  apiUrl: 'http://localhost:9997',
} as const
type UrlOption = keyof typeof DEFAULT_URLS

export function createMediaMtx(
  { clock }: { readonly clock: Pick<Ports['clock'], 'now'> },
  { edge }: StreamsOptions,
): MediaEdge {
  const webrtc = trimSlashes(edge?.webrtcUrl ?? DEFAULT_URLS.webrtcUrl)
  const hls = trimSlashes(edge?.hlsUrl ?? DEFAULT_URLS.hlsUrl)
  const api = createEdgeApi(trimSlashes(edge?.apiUrl ?? DEFAULT_URLS.apiUrl))
  const prefix = edge?.prefix ?? 'live/'
  const secretDigests = secretsOf(edge).map(hashStreamToken)
  // Without a secret every connection is refused, so the edge can't be used.
  const enabled = secretDigests.length > 0
  const streamPath = (id: string) => `${prefix}${id}`
  const verifySecret = (secret: string | undefined) =>
    secret !== undefined && secretDigests.some(expected => timingSafeEqual(expected, hashStreamToken(secret)))

  let capabilities = DOCUMENTED
  let readCapabilities: { readonly until: number; readonly reading: Promise<void> } | undefined
  async function updateCapabilities(): Promise<void> {
    const settings = await api.settings(AbortSignal.timeout(CAPABILITIES_TIMEOUT_MS)).catch(() => undefined)
    if (!settings) return
    const hasWebRtc = settings.webrtc === true
    const hasHls = settings.hls === true
    capabilities = {
      whip: hasWebRtc,
      whep: hasWebRtc,
      hls: hasHls,
      ll_hls: hasHls && settings.hlsVariant === 'lowLatency',
    }
  }

  async function kickFirst(lists: readonly string[], id: string, signal: AbortSignal): Promise<void> {
    for (const list of lists) if (await api.kick(list, id, signal)) return
  }

  return {
    provider: edge?.provider ?? 'mediamtx',
    enabled,
    streamPath,
    parsePath: path => parseStreamPath(prefix, path),
    whipUrl: id => `${webrtc}/${streamPath(id)}/whip`,
    playback: id => ({ whep_url: `${webrtc}/${streamPath(id)}/whep`, hls_url: `${hls}/${streamPath(id)}/index.m3u8` }),
    ingest: id => ingestUrls(edge, streamPath(id)),
    origins: enabled ? [...new Set([webrtc, hls].map(url => new URL(url).origin))] : [],
    verifySecret,
    async capabilities() {
      if (!enabled) return { whip: false, whep: false, hls: false, ll_hls: false }
      const now = clock.now()
      if (!readCapabilities || readCapabilities.until <= now)
        readCapabilities = { until: now + MINUTE, reading: updateCapabilities() }
      await readCapabilities.reading
      return capabilities
    },
    paths: signal => api.paths(signal),
    async kickAll(streamId, signal) {
      if (!enabled) return 0
      const path = await api.path(streamPath(streamId), signal)
      const connections = path ? [...(path.source ? [path.source] : []), ...path.readers] : []
      await inChunks(connections, ({ type, id }) => kickFirst(listsOfType(type), id, signal))
      return connections.length
    },
    async kick(connections, signal) {
      if (!enabled) return
      await inChunks(connections, ({ protocol, id }) => kickFirst(LISTS_OF_PROTOCOL[protocol] ?? [], id, signal))
    },
    async examine(signal) {
      if (enabled) return examineEdge(api, { prefix, verifySecret }, signal)
      const isConfigured = Object.entries(DEFAULT_URLS).some(
        ([name, url]) => (edge?.[name as UrlOption] ?? url) !== url,
      )
      return isConfigured ? ['The recipe has addresses of a media edge, but no secret (EDGE_SECRET): it is off.'] : []
    },
  }
}

/** `larder doctor` prints the result. */
export async function diagnoseEdge(options: StreamsOptions): Promise<string[]> {
  const edge = createMediaMtx({ clock: { now: Date.now } }, options)
  return edge.examine(AbortSignal.timeout(EXAMINATION_TIMEOUT_MS))
}

const trimSlashes = (url: string): string => url.replace(/\/+$/, '')
const secretsOf = (edge: StreamsOptions['edge']): string[] =>
  (edge?.secret ?? '').split(',').flatMap(part => (part.trim() === '' ? [] : [part.trim()]))

/** Returns the URLs of the protocols that the recipe configures. */
function ingestUrls(edge: StreamsOptions['edge'], path: string): Ingest {
  const { rtmpUrl, rtspUrl, srtUrl } = edge ?? {}
  return {
    ...(rtmpUrl && { rtmp_url: `${trimSlashes(rtmpUrl)}/${path}?join_token=TOKEN` }),
    ...(rtspUrl && { rtsp_url: `${trimSlashes(rtspUrl)}/${path}?token=TOKEN` }),
    ...(srtUrl && { srt_url: `${trimSlashes(srtUrl)}?streamid=publish:${path}:x:TOKEN&pkt_size=1316` }),
  }
}

const listsOfType = (type: string): string[] => [LIST_OF_TYPE[type] ?? ''].filter(list => list !== '')

async function inChunks<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += CONCURRENT_KICKS)
    await Promise.all(items.slice(at, at + CONCURRENT_KICKS).map(work))
}
