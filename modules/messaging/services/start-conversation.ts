/** Creates a conversation and its first message in one transaction. */
import { DAY, type Deps, together } from '@larder-dev/larder/kernel'
import type { NewConversation } from '../records/conversation.ts'
import type { ConversationService } from './conversation-service.ts'
import type { PostingService } from './posting-service.ts'

export interface ConversationStart {
  readonly conversation: NewConversation
  readonly body: string
  /** Idempotency key of the form: submitting it twice creates one conversation. */
  readonly clientMessageId: string
}

/** Returns the id of the conversation. */
export type StartConversation = (tenantId: string, start: ConversationStart, userId: string) => Promise<string>

type Needs = Deps<'database' | 'clock'> & {
  readonly conversations: ConversationService
  readonly posting: PostingService
}

export function createStartConversation({ database, clock, conversations, posting }: Needs): StartConversation {
  return (tenantId, { conversation, body, clientMessageId }, userId) =>
    database.tenant(tenantId).transaction(async unit => {
      const locked = unit.lock('messaging', userId, clientMessageId)
      const found = unit.query<{ id: string }>(
        `select c.id from messaging_participants p
         join messaging_conversations c on c.id = p.conversation_id and c.created_by = p.user_id
         join messaging_messages m on m.conversation_id = c.id and m.seq = 1
         where p.user_id = $1 and c.created_at > $2 and m.sender_id = $1 and m.client_message_id = $3`,
        [userId, new Date(clock.now() - DAY), clientMessageId],
      )
      const checked = conversations
        .assertMembers(tenantId, conversation.participantIds, '/participantIds/*', userId)
        .then(
          () => undefined,
          (error: unknown) => ({ error }),
        )
      const { existing, failed } = await together({ existing: found, failed: checked, locked })
      if (existing.rows[0]) return existing.rows[0].id
      const draft = conversations.draft(conversation, userId)
      if (failed) throw failed.error
      await together({
        conversation: conversations.insert(unit, tenantId, draft),
        message: posting.postFirst(unit, tenantId, draft.id, { body, clientMessageId }, userId),
      })
      return draft.id
    })
}
