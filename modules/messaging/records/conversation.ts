import {
  bodyOf,
  idPattern,
  NameOf,
  Nullable,
  named,
  OneOf,
  type RecordOf,
  type Static,
  Time,
  Type,
  table,
  Writable,
} from '@larder-dev/larder/kernel'
import { KINDS, STATUSES } from '../domain/conversation-status.ts'
import { Seq, UserId } from './common.ts'
import { MessageExcerpt } from './message.ts'

export const MAX_SUBJECT_CHARACTERS = 200
const Subject = Nullable(NameOf(MAX_SUBJECT_CHARACTERS))
export const conversationFields = {
  id: Type.String({ pattern: idPattern('cnv') }),
  kind: OneOf(KINDS),
  subject: Writable(Nullable(Type.String()), Type.Optional(Subject)),
  status: OneOf(STATUSES),
  snoozedUntil: Nullable(Time),
  assigneeId: Nullable(Type.String({ description: 'User id of the member who handles a support conversation' })),
  lastSeq: Seq('Number of the newest message; 0 without any'),
  version: Type.Integer({ description: 'Increases by one with every change in the conversation' }),
  lastActivityAt: Time,
  createdBy: Type.String({ description: 'User id; `system` for notices of automations' }),
  createdAt: Time,
  updatedAt: Time,
}
export const conversationTable = table('messaging_conversations', Type.Object(conversationFields), {
  what: 'conversation',
  columns: { lastActivityAt: 'active_at' },
  defaults: { status: 'open', lastSeq: 0, version: 1 },
  hidden: {
    tenantId: Type.String(),
    /** The version of the last change of the conversation itself, not of its messages. */
    settled: Type.Integer(),
  },
})
export type StoredConversation = RecordOf<typeof conversationTable>

export const NewConversation = Type.Object({
  ...bodyOf(conversationFields),
  kind: Type.Optional(
    OneOf(KINDS, {
      description: '`support` asks the support team, whose members read and answer it in the inbox; private by default',
    }),
  ),
  participantIds: Type.Array(UserId, {
    maxItems: 1000,
    description: 'User ids of members; the caller is always a participant',
  }),
})
export type NewConversation = Static<typeof NewConversation>

export const SnoozedUntil = Nullable(
  Type.String({
    format: 'date-time',
    maxLength: 40,
    description: 'Only with status snoozed: when the conversation reopens',
  }),
)
export const ConversationPatch = Type.Object(
  {
    ...bodyOf(conversationFields),
    status: Type.Optional(OneOf(STATUSES)),
    snoozedUntil: Type.Optional(SnoozedUntil),
  },
  { examples: [{ status: 'snoozed', snoozedUntil: '2030-01-31T12:00:00Z' }] },
)
export type ConversationPatch = Static<typeof ConversationPatch>

export const SHARED_FIELDS = { ...conversationFields, participantIds: Type.Array(Type.String()) }

const OWN_FIELDS = {
  ...SHARED_FIELDS,
  lastReadSeq: Seq('Number of the last message that the caller has read'),
  unread: Seq('Messages of others after lastReadSeq, excluding deleted ones'),
}
export const Conversation = named('Conversation', Type.Object(OWN_FIELDS))
export type Conversation = Static<typeof Conversation>

export const ListedConversation = named(
  'ListedConversation',
  Type.Object({ ...OWN_FIELDS, lastMessage: Nullable(MessageExcerpt) }),
)
export type ListedConversation = Static<typeof ListedConversation>

export const ReadState = named(
  'ReadState',
  Type.Object({
    conversationId: Type.String(),
    lastReadSeq: Seq('Number of the last message that the caller has read'),
    lastSeq: Seq('Number of the newest message'),
    unread: Seq('Messages of others after lastReadSeq'),
  }),
  { leavesOut: ['moved'] },
)
export type ReadState = Static<typeof ReadState>
export const UnreadTotals = named(
  'UnreadTotals',
  Type.Object({
    total: Seq('All conversations of the caller'),
    conversations: Type.Array(ReadState, {
      description: 'The 200 most recently active conversations with unread messages',
    }),
  }),
)
export type UnreadTotals = Static<typeof UnreadTotals>
