/**
 * The port `mediaEdge` for MediaMTX: its addresses, and its control API
 * (https://mediamtx.org/docs/references/control-api): `GET /v3/webrtcsessions/list`, `POST /v3/webrtcsessions/kick/{id}`.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { SECOND } from '../../../kernel/units.ts'
import type { StreamsOptions } from '../options.ts'
import type { MediaEdge } from '../ports.ts'
import { streamOfPath } from './paths.ts'

const PATIENCE = 5 * SECOND
const PAGE = 100

interface SessionList {
  readonly pageCount: number
  readonly items: readonly { readonly id: string; readonly path: string }[]
}

export function createMediaMtx(_: unknown, { edge }: StreamsOptions): MediaEdge {
  const webrtc = bare(edge?.webrtcUrl ?? 'http://localhost:8889')
  const hls = bare(edge?.hlsUrl ?? 'http://localhost:8888')
  const api = bare(edge?.apiUrl ?? 'http://localhost:9997')
  const prefix = edge?.prefix ?? 'live/'
  const accepted = (edge?.secret ?? '').split(',').flatMap(part => (part.trim() === '' ? [] : [digest(part.trim())]))
  const pathOf = (id: string) => `${prefix}${id}`

  return {
    provider: edge?.provider ?? 'mediamtx',
    enabled: edge !== undefined,
    pathOf,
    streamOf: path => streamOfPath(prefix, path),
    whipUrl: id => `${webrtc}/${pathOf(id)}/whip`,
    playback: id => ({ whep_url: `${webrtc}/${pathOf(id)}/whep`, hls_url: `${hls}/${pathOf(id)}/index.m3u8` }),
    trusts: secret => secret !== undefined && accepted.some(known => timingSafeEqual(known, digest(secret))),
    async kick(streamId, signal) {
      if (edge === undefined) return 0
      const open = await sessionsAt(api, pathOf(streamId), signal)
      for (const id of open) await call(`${api}/v3/webrtcsessions/kick/${encodeURIComponent(id)}`, 'POST', signal)
      return open.length
    },
  }
}

const bare = (url: string): string => url.replace(/\/+$/, '')
/** Of one length, whatever was said. */
const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest()

async function sessionsAt(api: string, path: string, signal: AbortSignal): Promise<string[]> {
  const found: string[] = []
  for (let page = 0; ; page++) {
    const response = await call(`${api}/v3/webrtcsessions/list?page=${page}&itemsPerPage=${PAGE}`, 'GET', signal)
    const { items = [], pageCount = 0 } = (await response.json()) as Partial<SessionList>
    found.push(...items.filter(item => item.path === path).map(item => item.id))
    if (page + 1 >= pageCount) return found
  }
}

/** One that is gone by itself is as good as kicked. */
async function call(url: string, method: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(url, { method, signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]) })
  if (!response.ok && !(method === 'POST' && response.status === 404))
    throw new Error(`the media edge answered ${response.status} to ${method} ${new URL(url).pathname}`)
  return response
}
