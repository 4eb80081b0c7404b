import { NameOf, Nullable, named, Timestamp, Type } from '@larder-dev/larder/kernel'

export const MAX_CHAT_CHARACTERS = 500
export const MAX_GUEST_NAME_CHARACTERS = 60

export const chatMessageFields = {
  id: Type.String({ description: 'Later messages have greater IDs' }),
  name: Nullable(Type.String({ description: 'Null for an account without a name, or that was deleted' })),
  guest: Type.Boolean({ description: 'Whether the sender wrote without an account, under a name of their choice' }),
  host: Type.Boolean({ description: 'Whether the sender manages the stream' }),
  body: Type.String(),
  created_at: Timestamp,
}
export const ChatMessageRecord = named('StreamChatMessage', Type.Object(chatMessageFields))

export const NewChatMessage = Type.Object(
  {
    body: Type.String({ minLength: 1, maxLength: MAX_CHAT_CHARACTERS, pattern: '\\S', description: 'Plain text' }),
    name: Type.Optional(NameOf(MAX_GUEST_NAME_CHARACTERS)),
    join_token: Type.Optional(Type.String({ maxLength: 256 })),
  },
  { examples: [{ body: 'Hello from Berlin' }] },
)
