/**
 * The port `mediaEdge` for MediaMTX: its addresses, and its control API
 * (https://mediamtx.org/docs/references/control-api): `GET /v3/webrtcsessions/list`, `POST /v3/webrtcsessions/kick/{id}`,
 * and the same for the other protocols that hold a connection.
 */

import { createHash, timingSafeEqual } from 'node:crypto'
import { SECOND } from 'larder/kernel'
import { streamOfPath } from '../domain/media-paths.ts'
import type { StreamsOptions } from '../options.ts'
import type { MediaEdge } from '../ports.ts'

const PATIENCE = 5 * SECOND
const PAGE = 100
/** OBS publishes by RTMP or SRT as well as by WHIP. Players of HLS are asked for each piece: there is nothing to kick. */
const KINDS = ['webrtcsessions', 'rtspsessions', 'rtspssessions', 'rtmpconns', 'rtmpsconns', 'srtconns'] as const

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
      // Without a secret its questions are refused: nobody is connected there whom we have let in.
      if (edge === undefined || accepted.length === 0) return 0
      const lists = await Promise.all(KINDS.map(kind => openAt(`${api}/v3/${kind}`, pathOf(streamId), signal)))
      if (lists.every(list => list === null)) throw new Error(`there is no API of a media edge at ${api}`)
      const open = lists.flatMap(list => list ?? [])
      for (const address of open) await call(address, 'POST', signal)
      return open.length
    },
  }
}

const bare = (url: string): string => url.replace(/\/+$/, '')
/** Of one length, whatever was said. */
const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** What kicks each connection of one kind at this path; null where the edge does not speak that protocol. */
async function openAt(kind: string, path: string, signal: AbortSignal): Promise<string[] | null> {
  const found: string[] = []
  for (let page = 0; ; page++) {
    const response = await call(`${kind}/list?page=${page}&itemsPerPage=${PAGE}`, 'GET', signal)
    if (response.status === 404) return null
    const { items = [], pageCount = 0 } = (await response.json()) as Partial<SessionList>
    found.push(...items.filter(item => item.path === path).map(({ id }) => `${kind}/kick/${encodeURIComponent(id)}`))
    if (page + 1 >= pageCount) return found
  }
}

/** 404 is an answer too: a connection that is gone by itself is as good as kicked. */
async function call(url: string, method: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(url, { method, signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]) })
  if (!response.ok && response.status !== 404)
    throw new Error(`the media edge answered ${response.status} to ${method} ${new URL(url).pathname}`)
  return response
}
