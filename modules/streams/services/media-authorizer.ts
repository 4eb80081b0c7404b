/** Authorizes connections at the media edge. The edge asks on every handshake, so decisions are cached briefly. */
import { createHash } from 'node:crypto'
import { type Deps, SECOND } from 'larder/kernel'
import { extractTokens } from '../domain/media-paths.ts'
import type { StreamsOptions } from '../options.ts'
import type { EdgeRequest, MediaAuthorizer, Session, TokenGrant } from '../ports.ts'
import { isFinished } from '../problems.ts'

type AuthorizerDeps = Deps<'database' | 'sessions' | 'streamTokens' | 'mediaEdge' | 'bus' | 'clock'>
/** Changes of the session or its tokens invalidate a decision earlier. */
const CACHE_MS = 5 * SECOND
const MAX_ENTRIES = 10_000
/** HLS players authenticate every segment, so their requests do not count as uses of a token. */
const SEGMENTED_PROTOCOL = 'hls'

interface Decision {
  readonly streamId: string
  readonly allowed: boolean
  readonly until: number
}

export function createMediaAuthorizer(
  deps: AuthorizerDeps,
  { requireAccept = false }: StreamsOptions,
): MediaAuthorizer {
  const { mediaEdge, bus, clock } = deps
  const decisions = new Map<string, Decision>()
  const clear = () => decisions.clear()
  const invalidate = (sessionId: string) => {
    for (const [key, { streamId }] of decisions) if (streamId === sessionId) decisions.delete(key)
  }
  const unsubscribe = [
    bus.subscribe(
      'sessions.changed',
      message => ('sessionId' in message ? invalidate(message.sessionId) : clear()),
      clear,
    ),
    bus.subscribe('streams.changed', ({ sessionId }) => invalidate(sessionId), clear),
  ]

  return {
    async allows(request) {
      const streamId = mediaEdge.parsePath(request.path)
      if (streamId === undefined || !['publish', 'read', 'playback'].includes(request.action)) return false
      const key = cacheKey(request)
      const found = decisions.get(key)
      const now = clock.now()
      if (found && found.until > now) return found.allowed
      const { allowed, until } = await decide(deps, requireAccept, streamId, request)
      if (decisions.size >= MAX_ENTRIES) clear()
      decisions.set(key, { streamId, allowed, until: Math.min(until, now + CACHE_MS) })
      return allowed
    },
    stop() {
      for (const stop of unsubscribe) stop()
    },
  }
}

/** A digest, so that tokens are not kept in memory. */
const cacheKey = ({ action, path, protocol, id, token, password, query }: EdgeRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([action, path, protocol, id, token, password, query]))
    .digest('base64')

async function decide(deps: AuthorizerDeps, requireAccept: boolean, streamId: string, request: EdgeRequest) {
  const denied = { allowed: false, until: Number.POSITIVE_INFINITY }
  const [session] = await deps.sessions.getManyAcrossTenants([streamId])
  if (session?.mode !== 'stream' || isFinished(session.status)) return denied
  const until = session.status === 'created' ? Date.parse(session.expires_at) : Number.POSITIVE_INFINITY
  const isPublish = request.action === 'publish'
  if (!isPublish && requireAccept && session.status === 'created') return denied
  if (!isPublish && (await isPublic(deps, session))) return { allowed: true, until }
  for (const token of extractTokens(request)) {
    const grant = await deps.streamTokens.authenticate(token)
    if (!grant || grant.session.id !== streamId || !grants(grant, isPublish)) continue
    const countsAsUse = request.protocol !== SEGMENTED_PROTOCOL
    return { allowed: !countsAsUse || (await deps.streamTokens.recordUse(grant)), until }
  }
  return denied
}

const grants = ({ kind }: TokenGrant, isPublish: boolean): boolean =>
  kind === 'join' || kind === (isPublish ? 'publisher' : 'viewer')

async function isPublic({ database }: AuthorizerDeps, { id, workspace_id }: Session): Promise<boolean> {
  const { rows } = await database
    .tenant(workspace_id)
    .query<{ visibility: string }>('/* pipelined */ select visibility from streams_streams where id = $1', [id])
  return rows[0]?.visibility === 'public'
}
