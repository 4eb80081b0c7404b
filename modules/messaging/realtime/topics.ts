/** Topics of the socket `/v1/realtime`. */
import { idPattern, OneOf, Type, topic } from '@larder-dev/larder/kernel'
import { Conversation, UnreadTotals } from '../records/conversation.ts'
import { Message } from '../records/message.ts'
import { INBOX_KEY, INBOX_TOPIC } from '../services/change-feed.ts'
import type { MessagingServices } from '../services.ts'

const ConversationId = Type.String({ pattern: idPattern('cnv') })
const Place = {
  conversationId: Type.String(),
  seq: Type.Optional(Type.Integer({ description: 'Number of the message, or of the newest one' })),
  version: Type.Optional(Type.Integer()),
}
const ConversationChange = Type.Union([
  Type.Object({
    type: OneOf(['message.created', 'message.updated', 'message.deleted']),
    ...Place,
    data: Message,
  }),
  Type.Object({
    type: OneOf(['conversation.updated']),
    ...Place,
    data: Type.Omit(Conversation, ['lastReadSeq', 'unread']),
  }),
  Type.Object({ type: OneOf(['conversation.left']), ...Place, data: Type.Object({}) }),
  Type.Object({
    type: OneOf(['read']),
    ...Place,
    data: Type.Object({ userId: Type.String(), lastReadSeq: Type.Integer() }),
  }),
  Type.Object({ type: OneOf(['typing']), ...Place, data: Type.Object({ userId: Type.String() }) }),
])

export const messagingTopics = ({ hub, supportDesk }: Pick<MessagingServices, 'hub' | 'supportDesk'>) => [
  topic({
    name: 'messaging.conversation',
    summary: 'Messages, read positions, typing and other changes of one conversation. Resumes after any time.',
    allow: 'messaging.conversation.read',
    params: Type.Object({ conversationId: ConversationId }),
    message: ConversationChange,
    input: Type.Object({ type: OneOf(['typing']) }),
    async authorize({ member, tenantId }, { conversationId }) {
      const participates = member && (await hub.participates(member, conversationId))
      return participates ? { tenantId, key: conversationId } : undefined
    },
    open: subscription => hub.feeds.conversation(subscription),
  }),
  topic({
    name: 'messaging.conversations',
    summary: "Changes of all conversations of the caller, after the totals of unread messages. Doesn't resume.",
    allow: 'messaging.conversation.read',
    params: Type.Object({}),
    message: Type.Union([ConversationChange, Type.Object({ type: OneOf(['unread']), data: UnreadTotals })]),
    input: Type.Object({ type: OneOf(['typing']), conversationId: ConversationId }),
    authorize: ({ member, tenantId }) => (member ? { tenantId, key: member.userId } : undefined),
    open: subscription => hub.feeds.conversations(subscription),
  }),
  topic({
    name: INBOX_TOPIC,
    summary: 'Support conversations that changed. Read them with the routes of the inbox.',
    allow: 'support.inbox.read',
    params: Type.Object({}),
    message: Type.Object({ conversationId: Type.String(), seq: Place.seq, version: Type.Integer() }),
    authorize: ({ member, tenantId }) =>
      member && supportDesk.of(tenantId) === tenantId ? { tenantId, key: INBOX_KEY } : undefined,
  }),
]
