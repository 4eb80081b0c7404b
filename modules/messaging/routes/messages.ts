import { listOf, listQuery, OneOf, reply, route, Type } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { ReadState } from '../records/conversation.ts'
import { After, Message, MessagePatch, NewMessage, ReadBody } from '../records/message.ts'
import type { MessagingServices } from '../services.ts'

export function messageRoutes({
  messages,
  posting,
  readStates,
}: Pick<MessagingServices, 'messages' | 'posting' | 'readStates'>) {
  const list = route({
    method: 'get',
    path: '/messaging/conversations/:id/messages',
    operationId: 'listMessages',
    summary: 'Lists the messages of a conversation, newest first. `sort=seq` reverses the order.',
    allow: 'messaging.conversation.read',
    query: listQuery({ sort: Type.Optional(OneOf(['seq', '-seq'])), after: Type.Optional(After) }),
    replies: { 200: listOf(Message) },
    handle: ({ tenantId, caller, params, query }) =>
      messages.list(
        tenantId,
        { id: params.id, userId: caller.userId },
        { ...query, oldestFirst: query.sort === 'seq' },
      ),
  })

  const post = route({
    method: 'post',
    path: '/messaging/conversations/:id/messages',
    operationId: 'createMessage',
    summary: 'Posts a message. Repeating a `clientMessageId` returns 200 with the existing message.',
    description: 'Marks the conversation as read for the sender and reopens a snoozed conversation.',
    allow: 'messaging.message.create',
    body: NewMessage,
    replies: { 201: Message, 200: Message },
    problems: ['entitlement_exceeded', 'unknown_media', problems.client_message_id_taken],
    // Concurrent messages share a transaction.
    unit: 'own',
    async handle({ tenantId, caller, params, body }) {
      const posted = { ...body, ownFiles: caller.isCustomer }
      const { message, repeated } = await posting.post(tenantId, params.id, posted, caller.userId)
      if (repeated) return reply(200, message)
      return reply(201, message, { location: `/v1/messaging/conversations/${params.id}/messages/${message.id}` })
    },
  })

  const get = route({
    method: 'get',
    path: '/messaging/conversations/:id/messages/:mid',
    operationId: 'getMessage',
    summary: "Returns a message of one of the caller's conversations.",
    allow: 'messaging.conversation.read',
    replies: { 200: Message },
    handle: ({ tenantId, caller, params }) =>
      messages.get(tenantId, { conversationId: params.id, id: params.mid, userId: caller.userId }),
  })

  const edit = route({
    method: 'patch',
    path: '/messaging/conversations/:id/messages/:mid',
    operationId: 'updateMessage',
    summary: 'Edits a message of the caller.',
    allow: 'messaging.message.update',
    body: MessagePatch,
    replies: { 200: Message },
    problems: [problems.not_the_sender, problems.message_deleted],
    handle: ({ tenantId, caller, params, body }) =>
      messages.edit(tenantId, { conversationId: params.id, id: params.mid, userId: caller.userId }, body),
  })

  const remove = route({
    method: 'delete',
    path: '/messaging/conversations/:id/messages/:mid',
    operationId: 'deleteMessage',
    summary: 'Deletes a message of the caller. Its number remains.',
    allow: 'messaging.message.delete',
    replies: { 204: null },
    problems: [problems.not_the_sender],
    handle: ({ tenantId, caller, params }) =>
      messages.remove(tenantId, { conversationId: params.id, id: params.mid, userId: caller.userId }),
  })

  const read = route({
    method: 'put',
    path: '/messaging/conversations/:id/read',
    operationId: 'markConversationRead',
    summary: 'Moves the read position forward to `seq`, or back with `unread`.',
    allow: 'messaging.conversation.read',
    body: ReadBody,
    replies: { 200: ReadState },
    // One statement: it needs no transaction.
    unit: 'own',
    handle: ({ tenantId, caller, params, body }) => readStates.read(tenantId, params.id, body, caller.userId),
  })

  return [list, post, get, edit, remove, read]
}
