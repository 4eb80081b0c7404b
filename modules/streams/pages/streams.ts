/**
 * The directory of public streams, and pages with the browser client. A join token is part of the URL fragment, which
 * browsers don't send to the server. The pages find out where a stream is with its media record.
 */
import { type Caller, type Deps, page, type Site, together } from '@larder-dev/larder/kernel'
import type { StreamsOptions } from '../options.ts'
import type { PublicStream } from '../ports.ts'
import { isFinished } from '../problems.ts'
import { readMediaState } from '../services/media-state.ts'
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

/** Members with this permission broadcast and watch without a token of theirs: the pages create one. */
const MAY_BROADCAST = ['streams.token.create', 'public'] as const

type PageDeps = Deps<'streams' | 'sessions' | 'database'> & Pick<StreamServices, 'mediaEdge' | 'streamChat'>

export function streamPages(deps: PageDeps, { requireAccept = false }: StreamsOptions) {
  const { streams, mediaEdge, streamChat } = deps
  /** The data of the partial `stream-chat`. */
  const chatOf = (path: string, isHost: boolean) =>
    streamChat.isOffered ? { chat: { isHost, signIn: signInPath(path) } } : {}

  async function showPlayer(id: string, caller: Caller | undefined) {
    const found = await streams.getPublic(id)
    const stream = found && toViewModel(found)
    // Without JavaScript, a player opens a public stream.
    const playback = found && mediaEdge.enabled ? found.playback : null
    const hasEnded = !found && (await isOver(id, caller))
    const data = { id, stream, playback, hasEnded, edge: mediaEdge.enabled, requireAccept }
    return { data, origins: mediaEdge.origins, headers: headersOf('watch') }
  }

  /** False for a private stream of another workspace: nobody gets to know which streams exist. */
  async function isOver(id: string, caller: Caller | undefined): Promise<boolean> {
    const [session] = await deps.sessions.getManyAcrossTenants([id])
    if (session?.mode !== 'stream' || !isFinished(session.status)) return false
    const mayRead = caller?.tenantId === session.workspace_id && caller.can('streams.stream.read')
    return mayRead || (await readMediaState(deps, session)).isPublic
  }

  const titleOf = async ({ id, workspace_id }: { readonly id: string; readonly workspace_id: string }) =>
    (await streams.get(workspace_id, id)).title

  return [
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
      allow: MAY_BROADCAST,
      async load({ params: { id = '' }, caller }) {
        const { player, own } = await together({ player: showPlayer(id, caller), own: findOwn(deps, id, caller) })
        const heading = player.data.stream?.title ?? (own && (await titleOf(own))) ?? null
        const more = own && { workspace: own.workspace_id, broadcast: broadcastPath(id) }
        const chat = chatOf(watchPath(id), own !== undefined && caller?.can('streams.stream.update') === true)
        return {
          ...player,
          ...(heading !== null && { title: heading }),
          data: { ...player.data, heading, ...more, ...chat },
        }
      },
    }),
    page({
      name: 'streams.embed',
      path: '/embed/:id',
      title: 'Watch',
      allow: 'public',
      async load({ params: { id = '' } }) {
        const player = await showPlayer(id, undefined)
        const heading = player.data.stream?.title ?? null
        return { ...player, data: { ...player.data, heading }, frameAncestors: ['*'] }
      },
    }),
    page({
      name: 'streams.broadcast',
      path: '/broadcast/:id',
      title: 'Broadcast',
      allow: MAY_BROADCAST,
      async load({ params: { id = '' }, caller }) {
        const own = await findOwn(deps, id, caller)
        const isPublic = own !== undefined && (await readMediaState(deps, own)).isPublic
        const title = own ? await titleOf(own) : null
        const signIn = !caller && signInPath(broadcastPath(id))
        return {
          data: {
            id,
            title,
            watch: watchPath(id),
            edge: mediaEdge.enabled,
            workspace: own?.workspace_id,
            isPublic,
            signIn,
            // Who broadcasts moderates the chat, also with a token alone.
            ...chatOf(broadcastPath(id), true),
          },
          ...(own && { title: title ?? 'Go live' }),
          origins: mediaEdge.origins,
          headers: headersOf('broadcast'),
        }
      },
    }),
  ]
}

/** The session of the stream, if the caller may create tokens for it and needs none from others. */
async function findOwn({ sessions }: Deps<'sessions'>, id: string, caller: Caller | undefined) {
  if (!caller?.can('streams.token.create')) return undefined
  const [session] = await sessions.getManyAcrossTenants([id])
  const isOwn = session?.mode === 'stream' && session.workspace_id === caller.tenantId
  return isOwn && !isFinished(session.status) ? session : undefined
}

const broadcastPath = (id: string): string => `/broadcast/${encodeURIComponent(id)}`
const signInPath = (path: string): string => `/sign-in?next=${encodeURIComponent(path)}`
const watchPath = (id: string): string => `/watch/${encodeURIComponent(id)}`

const toViewModel = ({ id, title, description, tags, live_status, live_at, viewer_count }: PublicStream) => ({
  id,
  title,
  description,
  tags,
  since: live_at,
  viewers: viewer_count,
  live: live_status === 'live',
  path: watchPath(id),
})

/** Lets layouts show a link to the directory: `site.streams`. */
export function streamSite(): Site {
  const frame = { streams: true }
  return { layoutData: async () => frame }
}
