/** A message beside something that another module owns, as it is stored. */
import { Nullable, type RecordOf, Time, Type, table } from '@larder-dev/larder/kernel'

export const chatMessageTable = table(
  'messaging_chat_messages',
  Type.Object({
    id: Type.String(),
    senderId: Nullable(Type.String()),
    guestName: Nullable(Type.String()),
    byHost: Type.Boolean(),
    body: Type.String(),
    createdAt: Time,
  }),
  { what: 'message', hidden: { tenantId: Type.String(), chat: Type.String() } },
)
export type StoredChatMessage = RecordOf<typeof chatMessageTable>
