import {
  common,
  listQuery,
  MINUTE,
  Nullable,
  named,
  type RateLimit,
  reply,
  route,
  Type,
} from '@larder-dev/larder/kernel'
import { ChatMessageRecord, NewChatMessage } from '../records/chat-message.ts'
import type { StreamChat } from '../services/stream-chat.ts'

const ChatMessageList = named(
  'StreamChatMessageList',
  Type.Object({ data: Type.Array(ChatMessageRecord), next_cursor: Nullable(Type.String()) }),
)
const JoinToken = Type.Optional(Type.String({ maxLength: 256 }))
/** A class or an office has one address. */
const LIMITS: readonly RateLimit[] = [
  { name: 'streams.chat', points: 300, window: MINUTE, by: 'ip' },
  {
    name: 'streams.chat_of_person',
    points: 30,
    window: MINUTE,
    by: (_body, ip, _params, caller) => caller?.userId ?? ip,
  },
]

export const chatRoutes = ({ streamChat }: { readonly streamChat: StreamChat }) =>
  streamChat.isOffered
    ? [
        route({
          method: 'get',
          path: '/streams/:id/chat',
          operationId: 'listStreamChat',
          allow: ['streams.stream.read', 'public'],
          summary: 'Lists the messages beside a stream, newest first, for those who may watch it.',
          query: listQuery({ join_token: JoinToken }),
          replies: { 200: ChatMessageList },
          problems: [common.not_found, common.invalid_state, common.tenant_suspended],
          async handle({ params, query: { join_token: token, ...query }, caller: holder }) {
            const { data, nextCursor } = await streamChat.list(params.id, { ...query, holder, token })
            return { data, next_cursor: nextCursor }
          },
        }),
        route({
          method: 'post',
          path: '/streams/:id/chat',
          operationId: 'createStreamChatMessage',
          allow: ['streams.stream.read', 'public'],
          verifiedEmail: true,
          summary: 'Writes beside a stream, with an account or with a token of the stream.',
          description: 'Guests without an account send a token of the stream and the name under which they write.',
          limits: LIMITS,
          body: NewChatMessage,
          replies: { 201: ChatMessageRecord },
          problems: [common.unauthenticated, common.not_found, common.invalid_state, common.tenant_suspended],
          // The stream may belong to another workspace than that of the sender.
          unit: 'across',
          handle: async ({ params, body, caller }) => reply(201, await streamChat.post(params.id, caller, body)),
        }),
        route({
          method: 'delete',
          path: '/streams/:id/chat/:message_id',
          operationId: 'deleteStreamChatMessage',
          allow: ['streams.stream.update', 'public'],
          summary: 'Removes a message beside a stream, for those who manage or broadcast it.',
          query: Type.Object({ join_token: JoinToken }),
          replies: { 204: null },
          problems: [common.forbidden, common.not_found, common.invalid_state, common.tenant_suspended],
          unit: 'across',
          handle: ({ params, query: { join_token: token }, caller: holder }) =>
            streamChat.remove(params.id, params.message_id, { holder, token }),
        }),
      ]
    : []
