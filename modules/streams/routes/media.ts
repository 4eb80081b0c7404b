import { type Caller, type Deps, named, OneOf, route, Type } from 'larder/kernel'
import { LATENCY_PROFILES } from '../domain/values.ts'
import type { Session } from '../ports.ts'
import { isFinished, streamNotFound } from '../problems.ts'

const MediaRecord = named(
  'StreamMedia',
  Type.Object({
    stream_id: Type.String(),
    media_path: Type.String(),
    enabled: Type.Boolean(),
    provider: Type.String(),
    whip_url: Type.Optional(Type.String({ description: 'Only for callers that may publish' })),
    whep_url: Type.String(),
    hls_url: Type.String(),
    latency_profiles: Type.Array(OneOf(LATENCY_PROFILES)),
  }),
)

const EdgeRecord = named(
  'MediaEdge',
  Type.Object({
    provider: Type.String(),
    enabled: Type.Boolean(),
    whip: Type.Boolean(),
    whep: Type.Boolean(),
    hls: Type.Boolean(),
    ll_hls: Type.Boolean(),
    sfu: Type.Boolean(),
    simulcast: Type.Boolean(),
    latency_profiles: Type.Array(OneOf(LATENCY_PROFILES)),
  }),
)

type MediaDeps = Deps<'sessions' | 'streamTokens' | 'mediaEdge'>
const PERMISSION = 'streams.stream.read'

export const mediaRoutes = ({ sessions, streamTokens, mediaEdge }: MediaDeps) => [
  route({
    method: 'get',
    path: '/streams/:id/media',
    operationId: 'getStreamMedia',
    allow: [PERMISSION, 'public'],
    summary: 'Returns the playback URLs of a stream, and the ingest URL for callers that may publish.',
    query: Type.Object({ join_token: Type.Optional(Type.String({ maxLength: 256 })) }),
    replies: { 200: MediaRecord },
    async handle({ params, query: { join_token: token }, caller }) {
      const [session] = await sessions.getManyAcrossTenants([params.id])
      if (session?.mode !== 'stream') throw streamNotFound()
      const grant = token === undefined ? undefined : await streamTokens.authenticate(token)
      // The token of a finished stream still identifies it, but reveals nothing else.
      const byToken = grant?.session.id === session.id && grant.kind !== 'viewer' && !isFinished(grant.session.status)
      const { id } = session
      return {
        stream_id: id,
        media_path: mediaEdge.streamPath(id),
        enabled: mediaEdge.enabled,
        provider: mediaEdge.provider,
        ...((byToken || canRead(caller, session)) && { whip_url: mediaEdge.whipUrl(id) }),
        ...mediaEdge.playback(id),
        latency_profiles: LATENCY_PROFILES,
      }
    },
  }),
  route({
    method: 'get',
    path: '/media/edge',
    operationId: 'getMediaEdge',
    allow: 'public',
    summary: 'Returns the capabilities of the media edge.',
    replies: { 200: EdgeRecord },
    async handle() {
      const { provider, enabled } = mediaEdge
      const protocols = { whip: enabled, whep: enabled, hls: enabled, ll_hls: enabled, sfu: enabled }
      return { provider, enabled, ...protocols, simulcast: false, latency_profiles: LATENCY_PROFILES }
    },
  }),
]

/** A credential that is not valid for this stream is ignored. */
const canRead = (caller: Caller | undefined, session: Session): boolean =>
  caller?.tenantId === session.workspace_id && caller.can(PERMISSION)
