import { type Deps, listOf, listQuery, OneOf, reply, route, Type } from 'larder/kernel'
import { problems } from '../problems.ts'
import { Message, MessagePatch, NewMessage, ReadBody, ReadState } from './schemas.ts'

const After = Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Only messages after this seq' })

export function messageRoutes({ messaging: { messages, posting, reading } }: Deps<'messaging'>) {
  const list = route({
    method: 'get',
    path: '/messaging/conversations/:id/messages',
    summary: 'Messages of a conversation, newest first; with sort=seq in the order in which they were posted.',
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
    summary: 'Posts a message. Sent again with its clientMessageId, 200 with the one that is there.',
    description: 'The conversation is read up to it by its sender; a snoozed conversation opens.',
    allow: 'messaging.message.create',
    body: NewMessage,
    replies: { 201: Message, 200: Message },
    problems: [problems.client_message_id_taken],
    unit: 'own',
    async handle({ tenantId, caller, params, body }) {
      const { message, repeated } = await posting.post(tenantId, params.id, body, caller.userId)
      if (repeated) return reply(200, message)
      return reply(201, message, { location: `/v1/messaging/conversations/${params.id}/messages/${message.id}` })
    },
  })

  const get = route({
    method: 'get',
    path: '/messaging/conversations/:id/messages/:mid',
    summary: 'A message of a conversation that the caller takes part in.',
    allow: 'messaging.conversation.read',
    replies: { 200: Message },
    handle: ({ tenantId, caller, params }) =>
      messages.get(tenantId, { conversationId: params.id, id: params.mid, userId: caller.userId }),
  })

  const edit = route({
    method: 'patch',
    path: '/messaging/conversations/:id/messages/:mid',
    summary: 'Changes what one wrote oneself.',
    allow: 'messaging.message.update',
    body: MessagePatch,
    replies: { 200: Message },
    problems: [problems.not_the_sender, problems.message_deleted],
    handle: ({ tenantId, caller, params, body }) =>
      messages.edit(tenantId, { conversationId: params.id, id: params.mid, userId: caller.userId }, body.body),
  })

  const remove = route({
    method: 'delete',
    path: '/messaging/conversations/:id/messages/:mid',
    summary: 'Deletes what one wrote oneself: a tombstone keeps its number.',
    allow: 'messaging.message.delete',
    replies: { 204: null },
    problems: [problems.not_the_sender],
    handle: ({ tenantId, caller, params }) =>
      messages.remove(tenantId, { conversationId: params.id, id: params.mid, userId: caller.userId }),
  })

  const read = route({
    method: 'put',
    path: '/messaging/conversations/:id/read',
    summary: 'Reads up to seq, forward alone; with unread it goes back to seq.',
    allow: 'messaging.conversation.read',
    body: ReadBody,
    replies: { 200: ReadState },
    unit: 'own',
    handle: ({ tenantId, caller, params, body }) => reading.read(tenantId, params.id, body, caller.userId),
  })

  return [list, post, get, edit, remove, read]
}
