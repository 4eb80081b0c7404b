import { listOf, listQuery, OneOf, reply, route } from '@larder-dev/larder/kernel'
import { STATUSES } from '../domain/conversation-status.ts'
import { problems } from '../problems.ts'
import {
  Conversation,
  ConversationPatch,
  ListedConversation,
  NewConversation,
  UnreadTotals,
} from '../records/conversation.ts'
import type { MessagingServices } from '../services.ts'

export function conversationRoutes({
  conversations,
  readStates,
}: Pick<MessagingServices, 'conversations' | 'readStates'>) {
  const list = route({
    method: 'get',
    path: '/messaging/conversations',
    operationId: 'listConversations',
    summary: "Lists the caller's conversations, most recently active first.",
    allow: 'messaging.conversation.read',
    query: listQuery(),
    filters: { status: OneOf(STATUSES) },
    replies: { 200: listOf(ListedConversation) },
    handle: ({ tenantId, caller, query, filters }) =>
      conversations.list(tenantId, caller.userId, { ...query, ...filters }),
  })

  const create = route({
    method: 'post',
    path: '/messaging/conversations',
    operationId: 'createConversation',
    summary: 'Creates a conversation with members of the workspace. The caller becomes a participant.',
    allow: 'messaging.conversation.create',
    body: NewConversation,
    replies: { 201: Conversation },
    problems: [problems.too_many_participants],
    async handle({ tenantId, caller, body }) {
      const conversation = await conversations.create(tenantId, body, caller.userId)
      return reply(201, conversation, { location: `/v1/messaging/conversations/${conversation.id}` })
    },
  })

  const get = route({
    method: 'get',
    path: '/messaging/conversations/:id',
    operationId: 'getConversation',
    summary: "Returns one of the caller's conversations.",
    allow: 'messaging.conversation.read',
    replies: { 200: Conversation },
    handle: ({ tenantId, caller, params }) => conversations.get(tenantId, params.id, caller.userId),
  })

  const update = route({
    method: 'patch',
    path: '/messaging/conversations/:id',
    operationId: 'updateConversation',
    summary: 'Updates subject or status of a conversation for all participants.',
    allow: 'messaging.conversation.update',
    body: ConversationPatch,
    replies: { 200: Conversation },
    handle: ({ tenantId, caller, params, body }) => conversations.update(tenantId, params.id, body, caller.userId),
  })

  const unread = route({
    method: 'get',
    path: '/messaging/unread',
    operationId: 'getUnreadTotals',
    summary: "Returns the caller's unread counts, in total and by conversation.",
    allow: 'messaging.conversation.read',
    replies: { 200: UnreadTotals },
    handle: ({ tenantId, caller }) => readStates.totals(tenantId, caller.userId),
  })

  return [list, create, get, update, unread]
}
