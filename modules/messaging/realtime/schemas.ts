/** The data of all frames of the socket, for its documentation. */
import { named, OneOf, type SocketDocs, Type } from 'larder/kernel'
import { Conversation, UnreadTotals } from '../routes/conversation-schemas.ts'
import { Message } from '../routes/message-schemas.ts'

const Numbers = Type.Record(Type.String(), Type.Integer(), { description: 'By conversation id' })
const Empty = Type.Object({})
const Ping = Type.Object({ t: Type.Optional(Type.Integer({ description: 'Milliseconds since 1970' })) })

export const messagingSocketDocs: SocketDocs = {
  receives: {
    hello: Type.Object({
      tenantId: Type.String({ description: 'ID or slug' }),
      token: Type.Optional(
        Type.String({ description: 'Bearer token or API key. Defaults to the credential of the upgrade request' }),
      ),
      lastSeqs: Type.Optional(Numbers),
      lastVersions: Type.Optional(Numbers),
    }),
    typing: Type.Object({ conversationId: Type.String() }),
    ping: Ping,
    pong: Ping,
  },
  sends: {
    welcome: Type.Object({
      protocol: Type.Integer(),
      tenantId: Type.String(),
      userId: Type.String(),
      pingIntervalMs: Type.Integer(),
      limits: named(
        'MessagingLimits',
        Type.Object({
          frameBytes: Type.Integer(),
          bufferBytes: Type.Integer(),
          framesPerSecond: Type.Integer(),
          burst: Type.Integer(),
          named: Type.Integer({ description: 'Conversations in lastSeqs and lastVersions' }),
        }),
      ),
    }),
    'message.created': Message,
    'message.updated': Message,
    'message.deleted': Message,
    'conversation.updated': Type.Omit(Conversation, ['lastReadSeq', 'unread']),
    'conversation.left': Empty,
    read: Type.Object({ userId: Type.String(), lastReadSeq: Type.Integer() }),
    typing: Type.Object({ userId: Type.String() }),
    unread: UnreadTotals,
    ping: Ping,
    pong: Ping,
    error: Type.Object({ code: Type.String(), message: Type.String(), retryable: Type.Boolean() }),
    closing: Type.Object({
      action: OneOf(['resume', 'reconnect', 'stop']),
      reason: Type.String(),
      retryAfterMs: Type.Union([Type.Integer(), Type.Null()]),
    }),
  },
  members: {
    sends: {
      conversationId: Type.Optional(Type.String({ description: 'In frames about a conversation' })),
      seq: Type.Optional(Type.Integer({ description: 'Number of the message, or of the newest one' })),
      version: Type.Optional(Type.Integer({ description: 'Version of the conversation' })),
    },
  },
}
