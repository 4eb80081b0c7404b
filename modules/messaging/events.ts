/** Payloads of the events that this module publishes. They contain no message text. */
import { Nullable, OneOf, Timestamp, Type } from 'larder/kernel'
import { STATUSES } from './domain/conversation-status.ts'

const Message = Type.Object({ conversationId: Type.String(), messageId: Type.String(), senderId: Type.String() })
const Participant = Type.Object({ conversationId: Type.String(), userId: Type.String() })

export const events = {
  'messaging.conversation.created': Type.Object({
    conversationId: Type.String(),
    participantIds: Type.Array(Type.String()),
  }),
  'messaging.conversation.updated': Type.Object({
    conversationId: Type.String(),
    subject: Nullable(Type.String()),
    status: OneOf(STATUSES),
    snoozedUntil: Nullable(Timestamp),
  }),
  'messaging.participant.added': Participant,
  'messaging.participant.removed': Participant,
  'messaging.message.created': Message,
  'messaging.message.updated': Message,
  'messaging.message.deleted': Message,
}
