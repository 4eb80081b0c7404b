/** A conversation and its first message: both or neither. */
import { DAY, type Deps } from 'larder/kernel'
import type { NewConversation } from '../routes/schemas.ts'
import type { Conversations } from './conversation-service.ts'
import type { Posting } from './posting-service.ts'

export interface Beginning {
  readonly conversation: NewConversation
  readonly body: string
  /** Of the page that it was written on: sent twice, it begins one conversation. */
  readonly clientMessageId: string
}

export function createBeginning(
  { database, clock }: Deps<'database' | 'clock'>,
  { conversations, posting }: { conversations: Conversations; posting: Posting },
) {
  /** Returns the id of the conversation. Throws what beginning and posting throw. */
  return (tenantId: string, { conversation, body, clientMessageId }: Beginning, userId: string): Promise<string> =>
    database.tenant(tenantId).transaction(async unit => {
      const key = `messaging ${userId} ${clientMessageId}`
      await unit.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key])
      const { rows } = await unit.query<{ id: string }>(
        `select c.id from messaging_participants p
         join messaging_conversations c on c.id = p.conversation_id and c.created_by = p.user_id
         join messaging_messages m on m.conversation_id = c.id and m.seq = 1
         where p.user_id = $1 and c.created_at > $2 and m.sender_id = $1 and m.client_message_id = $3`,
        [userId, new Date(clock.now() - DAY), clientMessageId],
      )
      if (rows[0]) return rows[0].id
      const id = await conversations.create(tenantId, conversation, userId)
      await posting.post(tenantId, id, { body, clientMessageId }, userId)
      return id
    })
}
