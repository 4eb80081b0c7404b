import { type Deps, listQuery, OneOf, reply, route, Type } from 'larder/kernel'
import { CreateBody, CreateReply, PublicRecord, STATUSES, StreamRecord, snakeList } from './schemas.ts'

export const streamRoutes = ({ streams }: Deps<'streams'>) => [
  route({
    method: 'post',
    path: '/streams',
    allow: 'streams.stream.create',
    summary: 'Creates a stream, private unless it says otherwise; its join token is shown this once.',
    body: CreateBody,
    replies: { 201: CreateReply },
    unit: 'own',
    async handle({ body: { mode: _, ...input }, tenantId }) {
      const stream = await streams.create(tenantId, input)
      return reply(201, stream, { location: `/v1/streams/${stream.id}` })
    },
  }),
  route({
    method: 'get',
    path: '/streams',
    allow: 'streams.stream.read',
    summary: 'Streams of this workspace, newest first.',
    query: listQuery({
      'filter[status]': Type.Optional(OneOf(STATUSES)),
      'filter[customer]': Type.Optional(Type.String({ maxLength: 255 })),
      'filter[code]': Type.Optional(Type.String({ maxLength: 32 })),
    }),
    replies: { 200: snakeList(StreamRecord) },
    async handle({ query, tenantId }) {
      const { data, nextCursor } = await streams.list(tenantId, {
        limit: query.limit,
        cursor: query.cursor,
        status: query['filter[status]'],
        customer: query['filter[customer]'],
        code: query['filter[code]'],
      })
      return { data, next_cursor: nextCursor }
    },
  }),
  route({
    method: 'get',
    path: '/streams/public',
    allow: 'public',
    summary: 'The directory: public streams of everybody, newest first.',
    query: listQuery(),
    replies: { 200: snakeList(PublicRecord) },
    async handle({ query }) {
      const { data, nextCursor } = await streams.directory(query)
      return { data, next_cursor: nextCursor }
    },
  }),
  route({
    method: 'get',
    path: '/streams/:id',
    allow: 'streams.stream.read',
    summary: 'A stream as it is now.',
    replies: { 200: StreamRecord },
    handle: ({ params, tenantId }) => streams.get(tenantId, params.id),
  }),
]
