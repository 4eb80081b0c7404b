import { type Deps, listQuery, OneOf, reply, route, Type } from 'larder/kernel'
import { MODES, STATUSES } from '../domain/profiles.ts'
import { CreateBody, CreateReply, SessionRecord, snakeList } from './schemas.ts'

export const sessionRoutes = ({ sessions }: Deps<'sessions'>) => [
  route({
    method: 'post',
    path: '/sessions',
    allow: 'sessions.session.create',
    summary: 'Creates a session of mode screenshare or stream; its join token is shown this once.',
    body: CreateBody,
    replies: { 201: CreateReply },
    unit: 'own',
    async handle({ body, tenantId }) {
      const session = await sessions.create(tenantId, body)
      return reply(201, session, { location: `/v1/sessions/${session.id}` })
    },
  }),
  route({
    method: 'get',
    path: '/sessions',
    allow: 'sessions.session.read',
    summary: 'Sessions of this workspace, newest first.',
    query: listQuery({
      'filter[status]': Type.Optional(OneOf(STATUSES)),
      'filter[mode]': Type.Optional(OneOf(MODES)),
      'filter[customer]': Type.Optional(Type.String({ maxLength: 255 })),
      'filter[code]': Type.Optional(
        Type.String({ maxLength: 32, description: 'In any case, with or without hyphens' }),
      ),
    }),
    replies: { 200: snakeList(SessionRecord) },
    async handle({ query, tenantId }) {
      const { data, nextCursor } = await sessions.list(tenantId, {
        limit: query.limit,
        cursor: query.cursor,
        status: query['filter[status]'],
        mode: query['filter[mode]'],
        customer: query['filter[customer]'],
        code: query['filter[code]'],
      })
      return { data, next_cursor: nextCursor }
    },
  }),
  route({
    method: 'get',
    path: '/sessions/:id',
    allow: 'sessions.session.read',
    summary: 'A session as it is now.',
    replies: { 200: SessionRecord },
    handle: ({ params, tenantId }) => sessions.get(tenantId, params.id),
  }),
]
