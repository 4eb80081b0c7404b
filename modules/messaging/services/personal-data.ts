/** The data that the module keeps about a person, for the export of their account. */
import type { Deps, Registrations } from '@larder-dev/larder/kernel'
import { savedReplyTable } from '../records/saved-reply.ts'
import type { SupportDesk } from './support-desk.ts'

const SAVED_REPLY = ['id', 'title', 'body', 'shortcut', 'createdAt'] as const

type PersonalDataDeps = Deps<'database' | 'systemDatabase'> & { readonly supportDesk: SupportDesk }

export const personalData =
  ({ database, systemDatabase, supportDesk }: PersonalDataDeps): Registrations['personalData'] =>
  async ({ tenantId, userId, limit, maxBytes }) => {
    const unit = database.tenant(tenantId)
    const conversations = await unit.query<object>(
      `select c.id, c.kind, c.subject, c.status, p.joined_at as "joinedAt", c.active_at as "activeAt"
       from messaging_participants p join messaging_conversations c on c.id = p.conversation_id
       where p.tenant_id = $1 and p.user_id = $2 order by c.id desc limit $3`,
      [tenantId, userId, limit],
    )
    // Answers to other workspaces belong to the person as a member of the team.
    const answersEverywhere = supportDesk.isShared && supportDesk.of(tenantId) === tenantId
    const messages = await (answersEverywhere
      ? systemDatabase.acrossTenants('a member of the support team exports their own messages')
      : unit
    ).query<object>(
      `select id, "conversationId", body, attachments, "createdAt", "editedAt", "deletedAt" from (
         select id, conversation_id as "conversationId", body, attachments, created_at as "createdAt",
           edited_at as "editedAt", deleted_at as "deletedAt",
           coalesce(sum(octet_length(body)) over (order by id desc), 0) as bytes
         from messaging_messages m where sender_id = $1 and (tenant_id = $4 or exists (select from messaging_conversations c
           where c.id = m.conversation_id and c.kind = 'support' and not exists (select from messaging_participants p
             where p.conversation_id = c.id and p.user_id = $1)))
         order by id desc limit $2
       ) newest where bytes <= $3 order by id desc`,
      [userId, limit, maxBytes, tenantId],
    )
    const chatMessages = await systemDatabase.acrossTenants('people write in chats of every workspace').query<object>(
      `select id, chat, body, "createdAt" from (
           select id, chat, body, created_at as "createdAt", sum(octet_length(body)) over (order by id desc) as bytes
           from messaging_chat_messages where sender_id = $1 order by id desc limit $2
         ) newest where bytes <= $3 order by id desc`,
      [userId, limit, maxBytes],
    )
    const savedReplies = await savedReplyTable.newest(unit, { createdBy: userId }, SAVED_REPLY, limit)
    return { conversations: conversations.rows, messages: messages.rows, chatMessages: chatMessages.rows, savedReplies }
  }
