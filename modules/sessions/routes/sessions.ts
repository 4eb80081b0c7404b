import { type Deps, listQuery, Nullable, named, OneOf, reply, route, Type } from 'larder/kernel'
import { STATUSES } from '../domain/lifecycle.ts'
import { MAX_KEY_LENGTH, MAX_KEYS } from '../domain/metadata.ts'
import { MODES } from '../domain/profiles.ts'
import { WEBHOOK_EVENTS } from '../domain/webhook-events.ts'
import { MAX_TTL_SECONDS } from '../options.ts'
import { Mode, Profile, Protocols, RecommendedSettings, SessionRecord, sessionFields } from './session-schemas.ts'

const CreateBody = Type.Object(
  {
    mode: Mode,
    stream_profile: Type.Optional(Profile),
    audio_enabled: Type.Optional(Type.Boolean()),
    purpose: Type.Optional(Type.String({ maxLength: 500 })),
    customer: Type.Optional(Type.String({ maxLength: 255, description: 'Your reference for the session' })),
    ttl_seconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_TTL_SECONDS.stream, description: 'At most 86400 for mode screenshare' }),
    ),
    webhook_url: Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description: 'http or https' })),
    webhook_events: Type.Optional(
      Type.Array(OneOf(WEBHOOK_EVENTS), {
        minItems: 1,
        uniqueItems: true,
        description: 'Event types sent to webhook_url; defaults to all session.* types',
      }),
    ),
    metadata: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        maxProperties: MAX_KEYS,
        propertyNames: { maxLength: MAX_KEY_LENGTH },
        description: 'At most 16 KiB of JSON and 5 levels deep; included in webhooks',
      }),
    ),
  },
  {
    examples: [
      {
        mode: 'screenshare',
        stream_profile: 'crisp',
        customer: 'cus_42',
        ttl_seconds: 600,
        metadata: { ticket: '4711' },
      },
    ],
  },
)

const CreateReply = named(
  'CreatedSession',
  Type.Object({
    ...sessionFields,
    join_token: Type.String({ description: 'Shown only in this response' }),
    expires_in: Type.Integer({ description: 'Seconds' }),
    viewer_protocols: Protocols,
    recommended_settings: RecommendedSettings,
  }),
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
    operationId: 'listSessions',
    allow: 'sessions.session.read',
    summary: 'Lists the sessions of the workspace, newest first.',
    query: listQuery({
      'filter[status]': Type.Optional(OneOf(STATUSES)),
      'filter[mode]': Type.Optional(OneOf(MODES)),
      'filter[customer]': Type.Optional(Type.String({ maxLength: 255 })),
      'filter[code]': Type.Optional(
        Type.String({ maxLength: 32, description: 'Case-insensitive, with or without hyphens' }),
      ),
    }),
    replies: { 200: SessionList },
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
    operationId: 'getSession',
    allow: 'sessions.session.read',
    summary: 'Returns a session.',
    replies: { 200: SessionRecord },
    handle: ({ params, tenantId }) => sessions.get(tenantId, params.id),
  }),
]
