import { bodyOf, Nullable, named, OneOf, type Static, Timestamp, Type } from '@larder-dev/larder/kernel'
import { STATUSES } from '../domain/conversation-status.ts'
import { UserId } from './common.ts'
import { conversationFields, SHARED_FIELDS, SnoozedUntil } from './conversation.ts'
import { MessageExcerpt } from './message.ts'

export const InboxPerson = named(
  'InboxPerson',
  Type.Object({
    userId: Type.String(),
    name: Nullable(Type.String({ description: 'Null if unset or no longer a member' })),
    email: Nullable(Type.String({ description: 'Null if no longer a member' })),
  }),
)
export type InboxPerson = Static<typeof InboxPerson>

const InboxWorkspace = named(
  'InboxWorkspace',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    planKey: Nullable(Type.String()),
    suspendedAt: Nullable(Timestamp),
  }),
)
export type InboxWorkspace = Static<typeof InboxWorkspace>

const FIELDS = {
  ...SHARED_FIELDS,
  requester: InboxPerson,
  workspace: Nullable(InboxWorkspace),
  assignee: Nullable(InboxPerson),
  lastMessage: Nullable(MessageExcerpt),
  waiting: Type.Boolean({ description: 'Whether a participant sent the newest message' }),
}
export const InboxConversation = named('InboxConversation', Type.Object(FIELDS))
export type InboxConversation = Static<typeof InboxConversation>
export const InboxConversationDetails = named(
  'InboxConversationDetails',
  Type.Object({
    ...FIELDS,
    people: Type.Array(InboxPerson, { description: 'Participants, assignee and senders' }),
  }),
)
export type InboxConversationDetails = Static<typeof InboxConversationDetails>

export const InboxPatch = Type.Object(
  {
    ...bodyOf(conversationFields),
    status: Type.Optional(OneOf(STATUSES)),
    snoozedUntil: Type.Optional(SnoozedUntil),
    assigneeId: Type.Optional(Nullable(UserId)),
  },
  { examples: [{ status: 'resolved' }] },
)
export type InboxPatch = Static<typeof InboxPatch>
