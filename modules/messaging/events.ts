/** Payloads of the events that this module publishes. They contain no message text. */
import { internalProperty, Nullable, named, OneOf, publicEvent, Timestamp, Type } from '@larder-dev/larder/kernel'
import { KINDS, STATUSES } from './domain/conversation-status.ts'

const Message = named(
  'MessageEventData',
  Type.Object({ conversationId: Type.String(), messageId: Type.String(), senderId: Type.String() }),
)
const Participant = named('ParticipantEventData', Type.Object({ conversationId: Type.String(), userId: Type.String() }))

export const events = {
  'messaging.conversation.created': publicEvent(
    'A conversation was started.',
    Type.Object({ conversationId: Type.String(), kind: OneOf(KINDS), participantIds: Type.Array(Type.String()) }),
  ),
  'messaging.conversation.updated': publicEvent(
    'The subject or status of a conversation changed.',
    Type.Object({
      conversationId: Type.String(),
      // Written by participants and visible to them only.
      subject: internalProperty(Nullable(Type.String())),
      status: OneOf(STATUSES),
      snoozedUntil: Nullable(Timestamp),
    }),
  ),
  'messaging.conversation.assigned': publicEvent(
    'A support conversation was assigned to a member, or to nobody.',
    Type.Object({
      conversationId: Type.String(),
      assigneeId: Nullable(Type.String()),
      previousAssigneeId: Nullable(Type.String()),
    }),
  ),
  'messaging.participant.added': publicEvent('A member was added to a conversation.', Participant),
  'messaging.participant.removed': publicEvent('A member left a conversation or was removed from it.', Participant),
  'messaging.message.created': publicEvent('A message was posted.', Message),
  'messaging.message.updated': publicEvent('A message was edited.', Message),
  'messaging.message.deleted': publicEvent('A message was deleted.', Message),
}
