/**
 * The directory of public streams, and plain pages on the browser client. A join token stands in the fragment, which no
 * server ever sees; a public stream is played from the media edge without one.
 */
import { type Deps, page, type Site } from 'larder/kernel'
import type { PublicStream } from './ports.ts'

/** Streams of one page. */
const SHOWN = 24

const POLICY = {
  broadcast: 'camera=(self), microphone=(self), display-capture=(self)',
  watch: 'camera=(), microphone=(), display-capture=()',
}
const headersOf = (name: keyof typeof POLICY) => ({ 'cache-control': 'no-store', 'permissions-policy': POLICY[name] })

export const streamPages = ({ streams, mediaEdge }: Deps<'streams' | 'mediaEdge'>) => [
  page({
    name: 'streams.directory',
    path: '/streams',
    title: 'Streams',
    allow: 'public',
    async load({ query }) {
      const { data, nextCursor } = await streams.directory({
        limit: SHOWN,
        ...(query.cursor && { cursor: query.cursor }),
      })
      const next = nextCursor && `/streams?cursor=${encodeURIComponent(nextCursor)}`
      return { data: { streams: data.map(shown), next, later: query.cursor !== undefined } }
    },
  }),
  page({
    name: 'streams.watch',
    path: '/watch/:id',
    title: 'Watch',
    allow: 'public',
    async load({ params: { id = '' } }) {
      const found = await streams.publicOne(id)
      const stream = found && shown(found)
      // Without an edge there is nothing to play for those who bring no token.
      const playback = found && mediaEdge.enabled ? found.playback : null
      const origins = playback ? [...new Set(Object.values(playback).map(url => new URL(url).origin))] : []
      return { data: { id, stream, playback }, origins, headers: headersOf('watch') }
    },
  }),
  page({
    name: 'streams.broadcast',
    path: '/broadcast/:id',
    title: 'Broadcast',
    allow: 'public',
    load: async ({ params: { id = '' } }) => ({ data: { id, watch: watchPath(id) }, headers: headersOf('broadcast') }),
  }),
]

const watchPath = (id: string): string => `/watch/${encodeURIComponent(id)}`

const shown = ({ id, title, description, tags, live_status, live_at, viewer_count }: PublicStream) => ({
  ...{ id, title, description, tags, since: live_at, viewers: viewer_count },
  live: live_status === 'live',
  path: watchPath(id),
})

/** Layouts may lead to the directory: `site.streams`. */
export function streamSite(): Site {
  const frame = { streams: true }
  return { layoutData: async () => frame }
}
