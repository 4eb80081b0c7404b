/** Support conversations of the whole tenant, for members with the permissions of the inbox. */
import { type Deps, invalidField, type PageOf, pageLimit, together, toPage } from '@larder-dev/larder/kernel'
import type { Status } from '../domain/conversation-status.ts'
import { conversationTable } from '../records/conversation.ts'
import type { InboxConversation, InboxConversationDetails, InboxPatch, InboxPerson } from '../records/inbox.ts'
import { parseCursor } from './activity-cursor.ts'
import { lockSupportConversation } from './conversation-queries.ts'
import type { ConversationStates } from './conversation-states.ts'
import { findSupportConversation, type InboxRow, listInbox, sendersOf } from './inbox-queries.ts'

/** Members who may be assigned. */
export const ANSWER_PERMISSION = 'support.inbox.update'
const MAX_ASSIGNEES = 200
/** Members whose name or email matches a search. */
const MAX_REQUESTERS = 200

export interface InboxQuery {
  readonly limit?: number
  readonly cursor?: string | undefined
  readonly status?: Status | undefined
  /** `me`, `none` or a user id. */
  readonly assignee?: string | undefined
  readonly words?: string | undefined
}

export interface InboxService {
  /** Most recently active first. `userId` is the caller. */
  list(tenantId: string, query: InboxQuery, userId: string): Promise<PageOf<InboxConversation>>
  /** Throws `not_found`, also for private conversations. */
  get(tenantId: string, id: string): Promise<InboxConversationDetails>
  /** The last write wins. Throws 422 for an assignee without the permission. */
  update(tenantId: string, id: string, patch: InboxPatch): Promise<InboxConversationDetails>
  /** Members who may answer, ordered by name. */
  assignees(tenantId: string): Promise<InboxPerson[]>
  /** A former member handles no conversations. */
  unassign(tenantId: string, userId: string): Promise<void>
}

export function createInbox({
  database,
  people,
  conversationStates,
}: Deps<'database' | 'people'> & { readonly conversationStates: ConversationStates }): InboxService {
  /** Returns people by user id. Former members have neither name nor email. */
  async function profilesOf(tenantId: string, userIds: readonly string[]): Promise<(userId: string) => InboxPerson> {
    const known = await people.members(tenantId, [...new Set(userIds)])
    const profiles = new Map(known.map(({ userId, name, email }) => [userId, { userId, name, email }]))
    return userId => profiles.get(userId) ?? { userId, name: null, email: null }
  }

  const toConversation = (row: InboxRow, profileOf: (userId: string) => InboxPerson): InboxConversation => {
    const { lastSenderId, lastText, cursorAt: _, ...conversation } = row
    return {
      ...conversation,
      requester: profileOf(row.createdBy),
      assignee: row.assigneeId === null ? null : profileOf(row.assigneeId),
      lastMessage: lastSenderId === null ? null : { senderId: lastSenderId, text: lastText },
    }
  }

  async function list(tenantId: string, query: InboxQuery, userId: string): Promise<PageOf<InboxConversation>> {
    const { status = null, assignee = null } = query
    const words = query.words?.trim() ?? ''
    const limit = pageLimit(query)
    const found = words === '' ? [] : await people.find(tenantId, { words, limit: MAX_REQUESTERS })
    const isUnassigned = assignee === 'none'
    const filter = {
      ...{ status, words, isUnassigned, ...parseCursor(query.cursor) },
      assigneeId: isUnassigned ? null : assignee === 'me' ? userId : assignee,
      requesterIds: found.map(person => person.userId),
    }
    const rows = await listInbox(database.tenant(tenantId), filter, limit + 1)
    const profileOf = await profilesOf(
      tenantId,
      rows.flatMap(({ createdBy, assigneeId }) => (assigneeId === null ? [createdBy] : [createdBy, assigneeId])),
    )
    const { data, nextCursor } = toPage(rows, limit, row => [row.cursorAt, row.id])
    return { data: data.map(row => toConversation(row, profileOf)), nextCursor }
  }

  async function get(tenantId: string, id: string): Promise<InboxConversationDetails> {
    const unit = database.tenant(tenantId)
    const { row, senderIds } = await together({
      row: findSupportConversation(unit, id),
      senderIds: sendersOf(unit, id),
    })
    const userIds = peopleOf(row, senderIds)
    return toDetails(row, userIds, await profilesOf(tenantId, userIds))
  }

  const peopleOf = ({ createdBy, assigneeId, participantIds }: InboxRow, senderIds: readonly string[]): string[] => [
    ...new Set([createdBy, ...participantIds, ...senderIds, ...(assigneeId ? [assigneeId] : [])]),
  ]

  const toDetails = (
    row: InboxRow,
    userIds: readonly string[],
    profileOf: (userId: string) => InboxPerson,
  ): InboxConversationDetails => ({ ...toConversation(row, profileOf), people: userIds.map(profileOf) })

  async function update(tenantId: string, id: string, patch: InboxPatch): Promise<InboxConversationDetails> {
    return database.tenant(tenantId).transaction(async unit => {
      const { assigneeId } = patch
      const { locked, before, senderIds, mayAnswer } = await together({
        locked: lockSupportConversation(unit, id),
        before: findSupportConversation(unit, id),
        senderIds: sendersOf(unit, id),
        mayAnswer: assigneeId
          ? people.withPermission(tenantId, ANSWER_PERMISSION, { userId: assigneeId, limit: 1 })
          : [],
      })
      if (assigneeId && assigneeId !== locked.assigneeId && mayAnswer.length === 0)
        throw invalidField('/assigneeId', 'not_allowed', "isn't a member who can answer support conversations")
      const known = peopleOf(before, [...senderIds, ...(assigneeId ? [assigneeId] : [])])
      const { row, profileOf } = await together({
        applied: conversationStates.apply(unit, tenantId, locked, patch),
        row: findSupportConversation(unit, id),
        profileOf: profilesOf(tenantId, known),
      })
      return toDetails(row, peopleOf(row, senderIds), profileOf)
    })
  }

  async function assignees(tenantId: string): Promise<InboxPerson[]> {
    const found = await people.withPermission(tenantId, ANSWER_PERMISSION, { limit: MAX_ASSIGNEES })
    return found.map(({ userId, name, email }) => ({ userId, name, email }))
  }

  async function unassign(tenantId: string, userId: string): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const assigned = await conversationTable.query(
        unit,
        `select ${conversationTable.columns()} from messaging_conversations where kind = 'support' and assignee_id = $1
         order by id for update`,
        [userId],
      )
      for (const before of assigned)
        await conversationStates.save(unit, tenantId, before, { ...before, assigneeId: null })
    })
  }

  return { list, get, update, assignees, unassign }
}
