import { type Deps, listQuery, Nullable, named, OneOf, reply, route, Type } from '@larder-dev/larder/kernel'
import { STATUSES } from '../domain/lifecycle.ts'
import { createdFields, Mode, NewSession, SessionRecord, STORED_FIELDS } from '../records.ts'

const CreateReply = named(
  'CreatedSession',
  Type.Object({
    ...createdFields,
    join_token: Type.String({ description: 'Shown only in this response' }),
    expires_in: Type.Integer({ description: 'Seconds' }),
  }),
  { leavesOut: STORED_FIELDS },
)

const SessionList = named(
  'SessionList',
  Type.Object({ data: Type.Array(SessionRecord), next_cursor: Nullable(Type.String()) }),
)

export const sessionRoutes = ({ sessions }: Deps<'sessions'>) => [
  route({
    method: 'post',
    path: '/sessions',
    operationId: 'createSession',
    allow: 'sessions.session.create',
    summary: 'Creates a session. The response contains its join token, which is shown only once.',
    body: NewSession,
    replies: { 201: CreateReply },
    // A code that is taken is tried again, which is impossible after an error in a surrounding transaction.
    unit: 'own',
    async handle({ body, tenantId }) {
      const session = await sessions.create(tenantId, body)
      return reply(201, session, { location: `/v1/sessions/${session.id}` })
    },
  }),
  route({
    method: 'get',
    path: '/sessions',
    operationId: 'listSessions',
    allow: 'sessions.session.read',
    summary: 'Lists the sessions of the workspace, newest first.',
    query: listQuery(),
    filters: {
      status: OneOf(STATUSES),
      mode: Mode,
      customer: Type.String({ maxLength: 255 }),
      code: Type.String({ maxLength: 32, description: 'Case-insensitive, with or without hyphens' }),
    },
    replies: { 200: SessionList },
    async handle({ query, filters, tenantId }) {
      const { data, nextCursor } = await sessions.list(tenantId, { ...query, ...filters })
      return { data, next_cursor: nextCursor }
    },
  }),
  route({
    method: 'get',
    path: '/sessions/:id',
    operationId: 'getSession',
    allow: 'sessions.session.read',
    summary: 'Returns a session.',
    replies: { 200: SessionRecord },
    handle: ({ params, tenantId }) => sessions.get(tenantId, params.id),
  }),
]
