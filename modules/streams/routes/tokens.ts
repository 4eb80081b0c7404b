import { common, listQuery, MINUTE, Nullable, named, reply, route, Timestamp, Type } from '@larder-dev/larder/kernel'
import { TokenBody, tokenFields } from '../records/token.ts'
import type { StreamTokens } from '../services/token-service.ts'

const TokenRecord = named('StreamToken', Type.Object(tokenFields))
const TokenList = named(
  'StreamTokenList',
  Type.Object({ data: Type.Array(TokenRecord), next_cursor: Nullable(Type.String()) }),
)
const TokenReply = named(
  'CreatedStreamToken',
  Type.Object({ ...tokenFields, token: Type.String({ description: 'Shown only in this response' }) }),
)

const VisitorToken = named('StreamVisitorToken', Type.Object({ token: Type.String(), expires_at: Timestamp }))

export const tokenRoutes = ({ streamTokens }: { readonly streamTokens: StreamTokens }) => [
  route({
    method: 'post',
    path: '/streams/:id/tokens',
    operationId: 'createStreamToken',
    // A token outlasts the impersonation.
    impersonation: false,
    allow: 'streams.token.create',
    summary: 'Creates a token that can only publish or watch this stream. It is shown only once.',
    body: TokenBody,
    replies: { 201: TokenReply },
    problems: [common.invalid_state],
    async handle({ params: { id }, body, tenantId }) {
      const token = await streamTokens.create(tenantId, id, body)
      return reply(201, token, { location: `/v1/streams/${id}/tokens/${token.id}` })
    },
  }),
  route({
    method: 'get',
    path: '/streams/:id/tokens',
    operationId: 'listStreamTokens',
    allow: 'streams.token.read',
    summary: 'Lists the tokens of a stream, newest first, without their secrets.',
    query: listQuery(),
    replies: { 200: TokenList },
    async handle({ params, query, tenantId }) {
      const { data, nextCursor } = await streamTokens.list(tenantId, params.id, query)
      return { data, next_cursor: nextCursor }
    },
  }),
  route({
    method: 'post',
    path: '/streams/public/:id/tokens',
    operationId: 'createVisitorToken',
    allow: 'public',
    summary: 'Creates a token with which a visitor watches a public stream that a browser broadcasts.',
    limits: [{ name: 'streams.visitor_tokens', points: 60, window: MINUTE, by: 'ip' }],
    idempotent: false,
    replies: { 201: VisitorToken },
    problems: [common.not_found, common.tenant_suspended],
    handle: async ({ params }) => reply(201, await streamTokens.createForVisitor(params.id)),
  }),
  route({
    method: 'delete',
    path: '/streams/:id/tokens/:token_id',
    operationId: 'revokeStreamToken',
    allow: 'streams.token.delete',
    summary: 'Revokes a token and closes the connections opened with it.',
    replies: { 204: null },
    handle: ({ params, tenantId }) => streamTokens.revoke(tenantId, params.id, params.token_id),
  }),
]
