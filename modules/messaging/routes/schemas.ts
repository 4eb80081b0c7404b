/** Conversations and messages as they stand in bodies and answers. */

import { idPattern, Nullable, OneOf, type Static, Timestamp, Type } from 'larder/kernel'
export const STATUSES = ['open', 'resolved', 'snoozed'] as const
export type Status = (typeof STATUSES)[number]

/** The database gives a Date; it goes over the wire as RFC 3339. */
const Time = Type.Unsafe<Date>(Timestamp)
const Seq = (description: string) => Type.Integer({ minimum: 0, description })
export const UserId = Type.String({ pattern: idPattern('usr'), examples: ['usr_01hzy0j8x4e7r9k2m5p8q1s3t6'] })

export const Subject = Nullable(Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }))
/** Characters. */
export const MAX_BODY = 10_000
const MessageText = Type.String({ maxLength: MAX_BODY, description: 'Plain text; empty only beside attachments' })

export const NewConversation = Type.Object({
  subject: Type.Optional(Subject),
  participantIds: Type.Array(UserId, {
    maxItems: 1000,
    description: 'User ids of members; who begins the conversation is in it anyway',
  }),
})
export type NewConversation = Static<typeof NewConversation>

export const ConversationPatch = Type.Object(
  {
    subject: Type.Optional(Subject),
    status: Type.Optional(OneOf(STATUSES)),
    snoozedUntil: Type.Optional(
      Nullable(
        Type.String({ format: 'date-time', maxLength: 40, description: 'With status snoozed: it opens again then' }),
      ),
    ),
  },
  { examples: [{ status: 'snoozed', snoozedUntil: '2030-01-31T12:00:00Z' }] },
)
export type ConversationPatch = Static<typeof ConversationPatch>

export const Conversation = Type.Object({
  id: Type.String({ pattern: idPattern('cnv') }),
  subject: Nullable(Type.String()),
  status: OneOf(STATUSES),
  snoozedUntil: Nullable(Time),
  participantIds: Type.Array(Type.String()),
  lastSeq: Seq('Number of the newest message; 0 without any'),
  version: Type.Integer({ description: 'Goes up by one with whatever happens in the conversation' }),
  lastReadSeq: Seq('Up to here the caller has read'),
  unread: Seq("Others' messages after lastReadSeq, the deleted ones left out"),
  lastActivityAt: Time,
  createdBy: Type.String({ description: 'User id' }),
  createdAt: Time,
  updatedAt: Time,
})
export type Conversation = Static<typeof Conversation>

export const Participant = Type.Object({
  userId: Type.String(),
  name: Nullable(Type.String({ description: 'Null without one, and for who is no member any more' })),
  lastReadSeq: Seq('Up to here this participant has read'),
  joinedAt: Time,
})
export type Participant = Static<typeof Participant>
export const NewParticipant = Type.Object({ userId: UserId })

const Attachment = Type.Object({
  id: Type.String(),
  fileName: Type.String(),
  mimeType: Type.String(),
  size: Type.Integer({ description: 'Bytes' }),
})
export type Attachment = Static<typeof Attachment>

export const NewMessage = Type.Object(
  {
    body: MessageText,
    clientMessageId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Of the client’s own making: sent again, it answers the message that is there',
      }),
    ),
    attachments: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: 10,
        uniqueItems: true,
        description: 'Ids of media items that are ready',
      }),
    ),
  },
  { examples: [{ body: 'Good morning', clientMessageId: 'b7f6c1d2' }] },
)
export type NewMessage = Static<typeof NewMessage>
export const MessagePatch = Type.Object({ body: MessageText })

export const Message = Type.Object({
  id: Type.String({ pattern: idPattern('msg') }),
  conversationId: Type.String(),
  seq: Type.Integer({ minimum: 1, description: 'Counts from 1 without a gap' }),
  version: Type.Integer({ description: "The conversation's, when this message last changed" }),
  senderId: Type.String({ description: 'User id; of an API key, its creator’s' }),
  clientMessageId: Nullable(Type.String()),
  body: Nullable(Type.String({ description: 'Null once it is deleted' })),
  attachments: Type.Array(Attachment),
  createdAt: Time,
  editedAt: Nullable(Time),
  deletedAt: Nullable(Time),
})
export type Message = Static<typeof Message>

export const ReadBody = Type.Object(
  {
    seq: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'The last message that counts as read' }),
    unread: Type.Optional(
      Type.Boolean({ description: 'True: moves back to seq, where without it nothing moves back' }),
    ),
  },
  { examples: [{ seq: 1 }] },
)
export type ReadBody = Static<typeof ReadBody>
export const ReadState = Type.Object({
  conversationId: Type.String(),
  lastReadSeq: Seq('Up to here the caller has read'),
  lastSeq: Seq('Number of the newest message'),
  unread: Seq("Others' messages after lastReadSeq"),
})
export type ReadState = Static<typeof ReadState>
export const UnreadTotals = Type.Object({
  total: Seq('Over all conversations of the caller'),
  conversations: Type.Array(ReadState, { description: 'With something unread, the liveliest 200' }),
})
export type UnreadTotals = Static<typeof UnreadTotals>
