/** Hooks that the media edge calls. It logs URLs, so the secret is the password of HTTP Basic authentication. */

import { common, type Deps, Nullable, OneOf, type RequestFacts, route, Type } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import type { StreamServices } from '../services.ts'

type EdgeDeps = Deps<'jobs'> & Pick<StreamServices, 'mediaEdge' | 'mediaAuthorizer' | 'liveStatus'>
/** Fields defined by MediaMTX, whose next version may send more, or null. What isn't used is ignored, whatever it is. */
const Text = (maxLength: number) => Type.Optional(Nullable(Type.String({ maxLength })))
const Secret = Type.Object({
  secret: Type.Optional(Type.String({ maxLength: 512, description: 'Without an Authorization header' })),
})

export const mediaHookRoutes = (deps: EdgeDeps) => {
  const { jobs, mediaEdge, mediaAuthorizer, liveStatus } = deps
  const assertTrusted = ({ headers }: RequestFacts, secret: string | undefined) => {
    if (!mediaEdge.verifySecret(secret ?? passwordOf(headers.authorization))) throw problems.edge_refused()
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
          password: Text(4096),
          token: Text(4096),
          ip: Text(64),
          id: Text(128),
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
      problems: [common.tenant_suspended, problems.edge_refused],
      // The workspace is that of the stream, which the request names.
      unit: 'own',
      idempotent: false,
      async handle({ query, body, request }) {
        assertTrusted(request, query.secret)
        await mediaAuthorizer.authorize(withoutNulls(body))
      },
    }),
    route({
      method: 'post',
      path: '/media/edge/events',
      operationId: 'receiveMediaEdgeEvent',
      allow: 'signature',
      summary: 'Receives the runOnAvailable and runOnUnavailable hooks of the media edge.',
      query: Secret,
      body: Type.Object(
        { event: OneOf(['ready', 'not_ready']), path: Type.String({ maxLength: 512 }), source_id: Text(128) },
        {
          additionalProperties: true,
          examples: [
            {
              event: 'ready',
              path: 'live/ses_01hzy0j8x4e7r9k2m5p8q1s3t6',
              source_id: 'a0c2e8f4-0000-4000-8000-000000000001',
            },
          ],
        },
      ),
      replies: { 204: null },
      problems: [common.tenant_suspended, problems.edge_refused],
      // The workspace is that of the stream, which the request names.
      unit: 'own',
      idempotent: false,
      async handle({ query, body, request }) {
        assertTrusted(request, query.secret)
        const streamId = mediaEdge.parsePath(body.path)
        if (streamId === undefined) return
        const { event, source_id: source } = body
        const kind = event === 'ready' ? 'started' : 'stopped'
        const mayPublish = await liveStatus.handle(streamId, { kind, way: 'edge', ...(source && { source }) })
        if (!mayPublish && event === 'ready')
          await jobs.enqueue('streams.kick', { session_id: streamId }, { key: streamId })
      },
    }),
  ]
}

const withoutNulls = <T extends object>(body: T): { [Name in keyof T]: Exclude<T[Name], null> } =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) as never

/** The password of HTTP Basic authentication, with any user. */
function passwordOf(authorization: string | undefined): string | undefined {
  const encoded = /^basic (.+)$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return undefined
  const credentials = Buffer.from(encoded, 'base64').toString('utf8')
  return credentials.slice(credentials.indexOf(':') + 1)
}
