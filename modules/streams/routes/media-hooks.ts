/** Hooks that the media edge calls with the secret as query parameter. */
import { type Deps, OneOf, route, Type } from 'larder/kernel'
import { problems } from '../problems.ts'
import { createLiveStatus } from '../services/live-status-service.ts'

type EdgeDeps = Deps<
  'database' | 'sessions' | 'events' | 'jobs' | 'bus' | 'clock' | 'topics' | 'mediaEdge' | 'mediaAuthorizer'
>
/** Fields defined by MediaMTX, whose next version may send more. */
const Text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))
const Secret = Type.Object({ secret: Text(512) })

export const mediaHookRoutes = (deps: EdgeDeps) => {
  const { mediaEdge, mediaAuthorizer } = deps
  const liveStatus = createLiveStatus(deps)
  const assertTrusted = (secret: string | undefined) => {
    if (!mediaEdge.verifySecret(secret)) throw problems.edge_refused()
  }
  return [
    route({
      method: 'post',
      path: '/media/edge/auth',
      operationId: 'authorizeMediaEdge',
      allow: 'signature',
      summary: 'Authorizes a connection (HTTP authentication of MediaMTX).',
      query: Secret,
      body: Type.Object(
        {
          action: Type.String({ maxLength: 32 }),
          path: Type.String({ maxLength: 512 }),
          protocol: Text(32),
          user: Text(512),
          password: Text(4096),
          token: Text(4096),
          ip: Text(64),
          id: Type.Optional(Type.Union([Type.String({ maxLength: 128 }), Type.Null()])),
          query: Text(4096),
        },
        {
          additionalProperties: true,
          examples: [
            { action: 'publish', path: 'live/ses_01hzy0j8x4e7r9k2m5p8q1s3t6', protocol: 'webrtc', token: 'jt_…' },
          ],
        },
      ),
      replies: { 204: null },
      problems: [problems.edge_refused],
      unit: 'own',
      idempotent: false,
      async handle({ query, body }) {
        assertTrusted(query.secret)
        if (!(await mediaAuthorizer.allows({ ...body, id: body.id ?? undefined }))) throw problems.edge_refused()
      },
    }),
    route({
      method: 'post',
      path: '/media/edge/events',
      operationId: 'receiveMediaEdgeEvent',
      allow: 'signature',
      summary: 'Receives the runOnReady and runOnNotReady hooks of the media edge.',
      query: Secret,
      body: Type.Object(
        { event: OneOf(['ready', 'not_ready']), path: Type.String({ maxLength: 512 }) },
        {
          additionalProperties: true,
          examples: [{ event: 'ready', path: 'live/ses_01hzy0j8x4e7r9k2m5p8q1s3t6' }],
        },
      ),
      replies: { 204: null },
      problems: [problems.edge_refused],
      unit: 'own',
      idempotent: false,
      async handle({ query, body }) {
        assertTrusted(query.secret)
        const streamId = mediaEdge.parsePath(body.path)
        if (streamId === undefined) return
        const mayPublish = await liveStatus.handleEdgeEvent(streamId, body.event)
        if (!mayPublish && body.event === 'ready')
          await deps.jobs.enqueue('streams.kick', { session_id: streamId }, { key: streamId })
      },
    }),
  ]
}
