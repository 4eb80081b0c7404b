import { idPattern, listOf, listQuery, named, OneOf, reply, route, Timestamp, Type } from '@larder-dev/larder/kernel'
import { STATUSES } from '../domain/conversation-status.ts'
import { problems } from '../problems.ts'
import { InboxConversation, InboxConversationDetails, InboxPatch, InboxPerson } from '../records/inbox.ts'
import { After, Message, NewMessage } from '../records/message.ts'
import type { MessagingServices } from '../services.ts'

const Assignee = Type.String({
  pattern: `^(me|none)$|${idPattern('usr')}`,
  description: '`me`, `none` or a user id',
})
const Words = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Part of the subject, of a message, or of the name or email of the person who asked',
})

type Services = Pick<MessagingServices, 'inbox' | 'messages' | 'posting' | 'supportDesk'>

export function inboxRoutes({ inbox, messages, posting, supportDesk }: Services) {
  const list = route({
    method: 'get',
    path: '/messaging/inbox',
    operationId: 'listInbox',
    summary: 'Lists support conversations, most recently active first.',
    description:
      "Those of every workspace in the operator's one, or those of the workspace with `support: workspace` in the recipe. Private conversations are never part of the inbox.",
    allow: 'support.inbox.read',
    query: listQuery({ q: Type.Optional(Words) }),
    filters: { status: OneOf(STATUSES), assignee: Assignee },
    replies: { 200: listOf(InboxConversation) },
    problems: [problems.no_support_inbox],
    handle: ({ tenantId, caller, query, filters }) =>
      inbox.list(tenantId, { ...query, ...filters, words: query.q }, caller.userId),
  })

  const assignees = route({
    method: 'get',
    path: '/messaging/inbox/assignees',
    operationId: 'listInboxAssignees',
    summary: 'Lists the members to whom support conversations can be assigned, by name.',
    allow: 'support.inbox.read',
    replies: { 200: listOf(InboxPerson) },
    problems: [problems.no_support_inbox],
    handle: async ({ tenantId }) => ({ data: await inbox.assignees(tenantId), nextCursor: null }),
  })

  const get = route({
    method: 'get',
    path: '/messaging/inbox/:id',
    operationId: 'getInboxConversation',
    summary: 'Returns a support conversation with the people in it.',
    allow: 'support.inbox.read',
    replies: { 200: InboxConversationDetails },
    problems: [problems.no_support_inbox],
    handle: ({ tenantId, params }) => inbox.get(tenantId, params.id),
  })

  const update = route({
    method: 'patch',
    path: '/messaging/inbox/:id',
    operationId: 'updateInboxConversation',
    summary: 'Assigns, resolves, snoozes or reopens a support conversation.',
    description: 'The assignee must be a member with `support.inbox.update`; null assigns it to nobody.',
    allow: 'support.inbox.update',
    body: InboxPatch,
    replies: { 200: InboxConversationDetails },
    problems: [problems.no_support_inbox],
    // The conversation can belong to another workspace.
    unit: 'own',
    handle: ({ tenantId, params, body }) => inbox.update(tenantId, params.id, body),
  })

  const listMessages = route({
    method: 'get',
    path: '/messaging/inbox/:id/messages',
    operationId: 'listInboxMessages',
    summary: 'Lists the messages of a support conversation, newest first. `sort=seq` reverses the order.',
    allow: 'support.inbox.read',
    query: listQuery({ sort: Type.Optional(OneOf(['seq', '-seq'])), after: Type.Optional(After) }),
    replies: { 200: listOf(Message) },
    problems: [problems.no_support_inbox],
    async handle({ tenantId, params: { id }, query }) {
      supportDesk.assertInbox(tenantId)
      const owner = await supportDesk.tenantOf(tenantId, id)
      return messages.list(owner, { id, userId: null }, { ...query, oldestFirst: query.sort === 'seq' })
    },
  })

  const post = route({
    method: 'post',
    path: '/messaging/inbox/:id/messages',
    operationId: 'createInboxMessage',
    summary: 'Answers a support conversation. Repeating a `clientMessageId` returns 200 with the existing message.',
    description: "The sender doesn't become a participant. The answer reopens a snoozed conversation.",
    allow: 'support.inbox.update',
    body: NewMessage,
    replies: { 201: Message, 200: Message },
    problems: ['entitlement_exceeded', 'unknown_media', problems.client_message_id_taken, problems.no_support_inbox],
    // The conversation can belong to another workspace.
    unit: 'own',
    async handle({ tenantId, caller, params, body }) {
      const { message, repeated } = await posting.postAsSupport(tenantId, params.id, body, caller.userId)
      return reply(repeated ? 200 : 201, message)
    },
  })

  const attachment = route({
    method: 'get',
    path: '/messaging/inbox/:id/attachments/:mediaId',
    operationId: 'getInboxAttachment',
    summary: 'Returns a signed download URL of a file in a support conversation, which expires after a few minutes.',
    allow: 'support.inbox.read',
    replies: { 200: named('InboxAttachment', Type.Object({ url: Type.String(), expiresAt: Timestamp })) },
    problems: ['not_ready', problems.no_support_inbox],
    handle: ({ tenantId, params }) => inbox.attachment(tenantId, params.id, params.mediaId),
  })

  return [list, assignees, get, update, listMessages, post, attachment]
}
