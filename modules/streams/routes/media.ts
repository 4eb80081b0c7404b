import { type Deps, Nullable, named, OneOf, route, Type } from '@larder-dev/larder/kernel'
import { LATENCY_PROFILES, LIVE_STATUSES, STATUSES } from '../domain/values.ts'
import { streamNotFound } from '../problems.ts'
import { readMediaState } from '../services/media-state.ts'
import { rightsOf } from '../services/stream-rights.ts'
import type { StreamServices } from '../services.ts'

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
    ingest: Type.Optional(
      named(
        'StreamIngest',
        Type.Object(
          {
            rtmp_url: Type.Optional(Type.String()),
            rtsp_url: Type.Optional(Type.String()),
            srt_url: Type.Optional(Type.String()),
          },
          { description: 'Only for callers that may publish. Replace TOKEN by a join token or publisher token' },
        ),
      ),
    ),
    state: Type.Optional(
      named(
        'StreamMediaState',
        Type.Object(
          {
            status: OneOf(STATUSES),
            live_status: OneOf(LIVE_STATUSES),
            source: Nullable(
              OneOf(['edge', 'browser'], {
                description:
                  'Whether viewers find the stream at the media edge or connect to a browser. Null: it is not live',
              }),
            ),
            viewer_count: Nullable(
              Type.Integer({ description: 'Null if the owner hides it and the caller may not publish' }),
            ),
          },
          { description: 'Only for public streams, callers that may watch, and holders of a token that is used up' },
        ),
      ),
    ),
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

type MediaDeps = Deps<'database' | 'sessions'> & Pick<StreamServices, 'streamTokens' | 'mediaEdge'>
const PERMISSION = 'streams.stream.read'

export const mediaRoutes = (deps: MediaDeps) => {
  const { sessions, streamTokens, mediaEdge } = deps

  return [
    route({
      method: 'get',
      path: '/streams/:id/media',
      operationId: 'getStreamMedia',
      allow: [PERMISSION, 'public'],
      summary: 'Returns the playback URLs of a stream, and the ingest URLs for callers that may publish.',
      query: Type.Object({ join_token: Type.Optional(Type.String({ maxLength: 256 })) }),
      replies: { 200: MediaRecord },
      async handle({ params, query: { join_token: token }, caller }) {
        const [session] = await sessions.getManyAcrossTenants([params.id])
        if (session?.mode !== 'stream') throw streamNotFound()
        const { mayPublish, mayWatch, isUsedUp } = await rightsOf(streamTokens, session, caller, token)
        const state = await readMediaState(deps, session)
        const { id } = session
        return {
          stream_id: id,
          media_path: mediaEdge.streamPath(id),
          enabled: mediaEdge.enabled,
          provider: mediaEdge.provider,
          ...(mayPublish && { whip_url: mediaEdge.whipUrl(id), ingest: mediaEdge.ingest(id) }),
          ...mediaEdge.playback(id),
          latency_profiles: LATENCY_PROFILES,
          ...((mayWatch || isUsedUp || state.isPublic) && {
            state: {
              status: session.status,
              live_status: state.liveStatus,
              source: state.source,
              viewer_count: state.hidesViewers && !mayPublish ? null : state.viewers,
            },
          }),
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
        const protocols = await mediaEdge.capabilities()
        // MediaMTX forwards one quality to all viewers.
        const forwarding = { sfu: protocols.whip && protocols.whep, simulcast: false }
        return { provider, enabled, ...protocols, ...forwarding, latency_profiles: LATENCY_PROFILES }
      },
    }),
  ]
}
