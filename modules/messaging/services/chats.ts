/**
 * Chats of things that other modules own. Those modules decide who reads, writes and removes messages. The names of
 * people with an account are read with each message, so that a chat keeps nothing of an account that was deleted but its
 * texts.
 */
import { type Deps, newId, together } from '@larder-dev/larder/kernel'
import type { ChatMessage, Chats } from '../ports.ts'
import { chatMessageTable, type StoredChatMessage } from '../records/chat-message.ts'

export function createChats({ database, clock, people }: Deps<'database' | 'clock' | 'people'>): Chats {
  async function namesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    const found = await people.byUserIds([...new Set(userIds)])
    return new Map(found.map(({ userId, name }) => [userId, name]))
  }

  return {
    async list(tenantId, chat, query) {
      const { data, nextCursor } = await chatMessageTable.page(database.tenant(tenantId), { ...query, where: { chat } })
      const names = await namesOf(data.flatMap(({ senderId }) => senderId ?? []))
      return { data: data.map(stored => toMessage(stored, names)), nextCursor }
    },
    async post(tenantId, chat, { sender, byHost, body }) {
      const now = clock.now()
      const senderId = 'userId' in sender ? sender.userId : null
      const guestName = 'name' in sender ? sender.name : null
      const { stored, names } = await together({
        stored: chatMessageTable.insert(database.tenant(tenantId), {
          id: newId('chm', now),
          tenantId,
          chat,
          senderId,
          guestName,
          byHost,
          body,
          createdAt: new Date(now),
        }),
        names: namesOf(senderId === null ? [] : [senderId]),
      })
      return toMessage(stored, names)
    },
    async remove(tenantId, chat, id) {
      await chatMessageTable.delete(database.tenant(tenantId), { id, chat })
    },
  }
}

const toMessage = (
  { id, senderId, guestName, byHost, body, createdAt }: StoredChatMessage,
  names: ReadonlyMap<string, string | null>,
): ChatMessage => ({
  id,
  name: senderId === null ? guestName : (names.get(senderId) ?? null),
  isGuest: senderId === null,
  byHost,
  body,
  createdAt: new Date(createdAt).toISOString(),
})
