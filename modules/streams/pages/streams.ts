/**
 * The directory of public streams, and pages with the browser client. A join token is part of the URL fragment, which
 * browsers don't send to the server. The pages find out where a stream is with its media record.
 */
import { type Deps, page, type Site } from '@larder-dev/larder/kernel'
import type { StreamsOptions } from '../options.ts'
import type { PublicStream } from '../ports.ts'
import type { StreamServices } from '../services.ts'

const PAGE_SIZE = 24

const PERMISSIONS_POLICY = {
  broadcast: 'camera=(self), microphone=(self), display-capture=(self)',
  watch: 'camera=(), microphone=(), display-capture=()',
}
const headersOf = (name: keyof typeof PERMISSIONS_POLICY) => ({
  'cache-control': 'no-store',
  'permissions-policy': PERMISSIONS_POLICY[name],
})

export const streamPages = (
  { streams, mediaEdge }: Deps<'streams'> & Pick<StreamServices, 'mediaEdge'>,
  { requireAccept = false }: StreamsOptions,
) => [
  page({
    name: 'streams.directory',
    path: '/streams',
    title: 'Streams',
    allow: 'public',
    async load({ query }) {
      const { data, nextCursor } = await streams.directory({
        limit: PAGE_SIZE,
        ...(query.cursor && { cursor: query.cursor }),
      })
      const next = nextCursor && `/streams?cursor=${encodeURIComponent(nextCursor)}`
      return { data: { streams: data.map(toViewModel), next, later: query.cursor !== undefined } }
    },
  }),
  page({
    name: 'streams.watch',
    path: '/watch/:id',
    title: 'Watch',
    allow: 'public',
    async load({ params: { id = '' } }) {
      const found = await streams.getPublic(id)
      const stream = found && toViewModel(found)
      // Without JavaScript, a player opens a public stream.
      const playback = found && mediaEdge.enabled ? found.playback : null
      const data = { id, stream, playback, edge: mediaEdge.enabled, requireAccept }
      return { data, origins: mediaEdge.origins, headers: headersOf('watch') }
    },
  }),
  page({
    name: 'streams.broadcast',
    path: '/broadcast/:id',
    title: 'Broadcast',
    allow: 'public',
    load: async ({ params: { id = '' } }) => ({
      data: { id, watch: watchPath(id), edge: mediaEdge.enabled },
      origins: mediaEdge.origins,
      headers: headersOf('broadcast'),
    }),
  }),
]

const watchPath = (id: string): string => `/watch/${encodeURIComponent(id)}`

const toViewModel = ({ id, title, description, tags, live_status, live_at, viewer_count }: PublicStream) => ({
  ...{ id, title, description, tags, since: live_at, viewers: viewer_count },
  live: live_status === 'live',
  path: watchPath(id),
})

/** Lets layouts show a link to the directory: `site.streams`. */
export function streamSite(): Site {
  const frame = { streams: true }
  return { layoutData: async () => frame }
}
