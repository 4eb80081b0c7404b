import { type Deps, listQuery, Nullable, named, OneOf, reply, route, Timestamp, Type } from '@larder-dev/larder/kernel'
import { MAX_TTL_SECONDS, PROFILES, STATUSES, VISIBILITIES } from '../domain/values.ts'
import { LiveStatus, Playback, streamSchemas } from '../records/served-stream.ts'

const PublicRecord = named(
  'PublicStream',
  Type.Object({
    id: Type.String(),
    title: Nullable(Type.String()),
    description: Nullable(Type.String()),
    tags: Type.Array(Type.String()),
    stream_profile: OneOf(PROFILES),
    live_status: LiveStatus,
    viewer_count: Nullable(Type.Integer()),
    live_at: Nullable(Timestamp),
    created_at: Timestamp,
    playback: Playback,
  }),
)

const PublicList = named(
  'PublicStreamList',
  Type.Object({ data: Type.Array(PublicRecord), next_cursor: Nullable(Type.String()) }),
)

export function streamRoutes(deps: Deps<'streams' | 'sessions'>) {
  const { streams, sessions } = deps
  const { Stream, CreatedStream } = streamSchemas(deps)
  const NewStream = Type.Object(
    {
      ...sessions.schemas.body,
      mode: Type.Optional(OneOf(['stream'])),
      customer: Type.Optional(Type.String({ maxLength: 255, description: 'Your reference for the stream' })),
      ttl_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_TTL_SECONDS })),
      title: Type.Optional(Type.String({ maxLength: 255 })),
      description: Type.Optional(Type.String({ maxLength: 2000 })),
      visibility: Type.Optional(OneOf(VISIBILITIES, { default: 'private' })),
      tags: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 32 }), { maxItems: 10, uniqueItems: true }),
      ),
      hide_viewer_count: Type.Optional(Type.Boolean({ default: false })),
    },
    { examples: [{ title: 'Launch', visibility: 'public', tags: ['product'] }] },
  )
  const StreamList = named(
    'StreamList',
    Type.Object({ data: Type.Array(Stream), next_cursor: Nullable(Type.String()) }),
  )
  return [
    route({
      method: 'post',
      path: '/streams',
      operationId: 'createStream',
      allow: 'streams.stream.create',
      summary: 'Creates a stream, private by default. The response contains its join token, which is shown only once.',
      body: NewStream,
      replies: { 201: CreatedStream },
      // A code that is taken is tried again, which is impossible after an error in a surrounding transaction.
      unit: 'own',
      async handle({ body: { mode: _, ...input }, tenantId }) {
        const stream = await streams.create(tenantId, input)
        return reply(201, stream, { location: `/v1/streams/${stream.id}` })
      },
    }),
    route({
      method: 'get',
      path: '/streams',
      operationId: 'listStreams',
      allow: 'streams.stream.read',
      summary: 'Lists the streams of the workspace, newest first.',
      query: listQuery(),
      filters: {
        status: OneOf(STATUSES),
        customer: Type.String({ maxLength: 255 }),
        code: Type.String({ maxLength: 32 }),
      },
      replies: { 200: StreamList },
      async handle({ query, filters, tenantId }) {
        const { data, nextCursor } = await streams.list(tenantId, { ...query, ...filters })
        return { data, next_cursor: nextCursor }
      },
    }),
    route({
      method: 'get',
      path: '/streams/public',
      operationId: 'listPublicStreams',
      allow: 'public',
      summary: 'Lists the public streams of all workspaces, newest first.',
      query: listQuery(),
      replies: { 200: PublicList },
      async handle({ query }) {
        const { data, nextCursor } = await streams.directory(query)
        return { data, next_cursor: nextCursor }
      },
    }),
    route({
      method: 'get',
      path: '/streams/:id',
      operationId: 'getStream',
      allow: 'streams.stream.read',
      summary: 'Returns a stream.',
      replies: { 200: Stream },
      handle: ({ params, tenantId }) => streams.get(tenantId, params.id),
    }),
  ]
}
