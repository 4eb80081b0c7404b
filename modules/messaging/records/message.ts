import { idPattern, Nullable, named, type Static, Time, Type, table } from '@larder-dev/larder/kernel'

export const MAX_BODY_CHARACTERS = 10_000
const MessageText = Type.String({
  maxLength: MAX_BODY_CHARACTERS,
  description: 'Plain text; may only be empty with attachments',
})

const Attachment = named(
  'Attachment',
  Type.Object({
    id: Type.String(),
    fileName: Type.String(),
    mimeType: Type.String(),
    size: Type.Integer({ description: 'Bytes' }),
  }),
)
export type Attachment = Static<typeof Attachment>

export const NewMessage = Type.Object(
  {
    body: MessageText,
    clientMessageId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Chosen by the client; posting again with the same id returns the existing message',
      }),
    ),
    attachments: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: 10,
        uniqueItems: true,
        description: 'Ids of ready media items',
      }),
    ),
  },
  { examples: [{ body: 'Good morning', clientMessageId: 'b7f6c1d2' }] },
)
export type NewMessage = Static<typeof NewMessage>
export const MessagePatch = Type.Object({ body: MessageText })
export type MessagePatch = Static<typeof MessagePatch>

export const Message = named(
  'Message',
  Type.Object({
    id: Type.String({ pattern: idPattern('msg') }),
    conversationId: Type.String(),
    seq: Type.Integer({ minimum: 1, description: 'Starts at 1 and has no gaps' }),
    version: Type.Integer({ description: 'Version of the conversation at the last change of this message' }),
    senderId: Type.String({
      description: 'User id; for an API key, the id of its creator; `system` for an automation',
    }),
    clientMessageId: Nullable(Type.String()),
    body: Nullable(Type.String({ description: 'Null after deletion' })),
    attachments: Type.Array(Attachment),
    createdAt: Time,
    editedAt: Nullable(Time),
    deletedAt: Nullable(Time),
  }),
  { leavesOut: ['digest', 'buttons'] },
)
export type Message = Static<typeof Message>
export const messageTable = table('messaging_messages', Message, { what: 'message' })

/** The newest message in a list of conversations. Plain text in one line is up to the screen. */
export const MessageExcerpt = named(
  'InboxMessageExcerpt',
  Type.Object({
    senderId: Type.String(),
    text: Nullable(
      Type.String({ description: 'The first 200 characters; null after deletion, empty with attachments alone' }),
    ),
  }),
)
export type MessageExcerpt = Static<typeof MessageExcerpt>
/** Characters of an excerpt. */
export const EXCERPT_LENGTH = 200

export const After = Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Only messages after this seq' })
export const ReadBody = Type.Object(
  {
    seq: Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Number of the last message that counts as read',
    }),
    unread: Type.Optional(Type.Boolean({ description: 'Set to true to move the read position back to seq' })),
  },
  { examples: [{ seq: 1 }] },
)
export type ReadBody = Static<typeof ReadBody>
