import { common, type Deps, listQuery, reply, route } from 'larder/kernel'
import { snakeList, TokenBody, TokenRecord, TokenReply } from './schemas.ts'

export const tokenRoutes = ({ streamTokens }: Deps<'streamTokens'>) => [
  route({
    method: 'post',
    path: '/streams/:id/tokens',
    allow: 'streams.token.create',
    summary: 'Makes a token that publishes or watches this stream, and can do nothing else; it is shown this once.',
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
    allow: 'streams.token.read',
    summary: 'Tokens of a stream, newest first, without their secrets.',
    query: listQuery(),
    replies: { 200: snakeList(TokenRecord) },
    async handle({ params, query, tenantId }) {
      const { data, nextCursor } = await streamTokens.list(tenantId, params.id, query)
      return { data, next_cursor: nextCursor }
    },
  }),
  route({
    method: 'delete',
    path: '/streams/:id/tokens/:token_id',
    allow: 'streams.token.delete',
    summary: 'Revokes a token: it opens nothing from here on, and what it opened is closed.',
    replies: { 204: null },
    handle: ({ params, tenantId }) => streamTokens.revoke(tenantId, params.id, params.token_id),
  }),
]
