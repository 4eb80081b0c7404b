import { type Caller, type Deps, route, Type } from 'larder/kernel'
import { LATENCY_PROFILES } from '../domain/latency-profiles.ts'
import type { Session } from '../ports.ts'
import { isOver, streamNotFound } from '../problems.ts'
import { EdgeRecord, MediaRecord } from './schemas.ts'

type MediaDeps = Deps<'sessions' | 'streamTokens' | 'mediaEdge'>
const PERMISSION = 'streams.stream.read'

export const mediaRoutes = ({ sessions, streamTokens, mediaEdge }: MediaDeps) => [
  route({
    method: 'get',
    path: '/streams/:id/media',
    allow: [PERMISSION, 'public'],
    summary: 'Where a stream is played; and published, for those who may.',
    query: Type.Object({ join_token: Type.Optional(Type.String({ maxLength: 256 })) }),
    replies: { 200: MediaRecord },
    async handle({ params, query: { join_token: token }, caller }) {
      const [session] = await sessions.getManyAcrossTenants([params.id])
      if (session?.mode !== 'stream') throw streamNotFound()
      const pass = token === undefined ? undefined : await streamTokens.passOf(token)
      // Of a stream that is over a token still says which it is, and reveals nothing more.
      const byToken = pass?.session.id === session.id && pass.kind !== 'viewer' && !isOver(pass.session.status)
      const { id } = session
      return {
        stream_id: id,
        media_path: mediaEdge.pathOf(id),
        enabled: mediaEdge.enabled,
        provider: mediaEdge.provider,
        ...((byToken || isOwners(caller, session)) && { whip_url: mediaEdge.whipUrl(id) }),
        ...mediaEdge.playback(id),
        latency_profiles: LATENCY_PROFILES,
      }
    },
  }),
  route({
    method: 'get',
    path: '/media/edge',
    allow: 'public',
    summary: 'What the media edge of this installation can do.',
    replies: { 200: EdgeRecord },
    async handle() {
      const { provider, enabled } = mediaEdge
      const does = { whip: enabled, whep: enabled, hls: enabled, ll_hls: enabled, sfu: enabled }
      return { provider, enabled, ...does, simulcast: false, latency_profiles: LATENCY_PROFILES }
    },
  }),
]

/** A credential that is not valid for THIS stream counts as none. */
const isOwners = (caller: Caller | undefined, session: Session): boolean =>
  caller?.tenantId === session.workspace_id && caller.can(PERMISSION)
