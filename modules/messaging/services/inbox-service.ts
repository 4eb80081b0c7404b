/** The support conversations of an inbox: those of the whole tenant, or of every tenant in the operator's. */
import {
  common,
  type Deps,
  invalidField,
  type PageOf,
  pageLimit,
  together,
  toPage,
  wording,
} from '@larder-dev/larder/kernel'
import type { Status } from '../domain/conversation-status.ts'
import { conversationTable } from '../records/conversation.ts'
import type {
  InboxConversation,
  InboxConversationDetails,
  InboxPatch,
  InboxPerson,
  InboxWorkspace,
} from '../records/inbox.ts'
import { parseCursor } from './activity-cursor.ts'
import { excerptOf, lockSupportConversation } from './conversation-queries.ts'
import type { ConversationStates } from './conversation-states.ts'
import { findSupportConversation, hasAttachment, type InboxRow, listInbox, sendersOf } from './inbox-queries.ts'
import type { SupportDesk } from './support-desk.ts'

/** Members who may be assigned. */
export const ANSWER_PERMISSION = 'support.inbox.update'
const MAX_ASSIGNEES = 200
/** People whose name or email matches a search. */
const MAX_REQUESTERS = 200
/** Workspaces whose name matches a search. */
const MAX_WORKSPACES = 200

export interface InboxQuery {
  readonly limit?: number
  readonly cursor?: string | undefined
  readonly status?: Status | undefined
  /** `me`, `none` or a user id. */
  readonly assignee?: string | undefined
  readonly words?: string | undefined
}

/** `tenantId` is the workspace with the inbox. Throws `no_support_inbox` for any other one. */
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
  /** A file of a message in a support conversation. Throws `not_found`. */
  attachment(
    tenantId: string,
    id: string,
    mediaId: string,
  ): Promise<{ readonly url: string; readonly expiresAt: string }>
}

type Needs = Deps<'database' | 'people' | 'tenantDirectory', 'mediaItems'> & {
  readonly conversationStates: ConversationStates
  readonly supportDesk: SupportDesk
}

export function createInbox({
  database,
  people,
  tenantDirectory,
  mediaItems,
  conversationStates,
  supportDesk: desk,
}: Needs): InboxService {
  /** Reads the people and workspaces of conversations. Former members have neither name nor email in their workspace's inbox. */
  async function contextOf(inboxId: string, rows: readonly InboxRow[], more: readonly string[] = []): Promise<Context> {
    const userIds = [...new Set([...rows.flatMap(userIdsOf), ...more])]
    const { found, workspaces } = await together({
      found: desk.isShared ? people.byUserIds(userIds) : people.members(inboxId, userIds),
      workspaces: desk.isShared ? tenantDirectory.byIds([...new Set(rows.map(({ tenantId }) => tenantId))]) : [],
    })
    const profiles = new Map(found.map(({ userId, name, email }) => [userId, { userId, name, email }]))
    const known = new Map(
      workspaces.map(({ id, name, planKey, suspendedAt }) => [id, { id, name, planKey, suspendedAt }]),
    )
    return {
      profileOf: userId => profiles.get(userId) ?? { userId, name: null, email: null },
      workspaceOf: tenantId => known.get(tenantId) ?? null,
    }
  }

  const toConversation = (row: InboxRow, { profileOf, workspaceOf }: Context): InboxConversation => {
    const { lastSenderId, lastText, cursorAt: _, tenantId, ...conversation } = row
    return {
      ...conversation,
      workspace: workspaceOf(tenantId),
      requester: profileOf(row.createdBy),
      assignee: row.assigneeId === null ? null : profileOf(row.assigneeId),
      lastMessage: excerptOf({ lastSenderId, lastText }),
    }
  }

  async function list(inboxId: string, query: InboxQuery, userId: string): Promise<PageOf<InboxConversation>> {
    desk.assertInbox(inboxId)
    const { status = null, assignee = null } = query
    const words = query.words?.trim() ?? ''
    const limit = pageLimit(query)
    const { requesters, tenants } = await together({
      requesters: words === '' ? [] : findPeople(inboxId, words),
      tenants: words === '' || !desk.isShared ? { data: [] } : tenantDirectory.list({ words, limit: MAX_WORKSPACES }),
    })
    const isUnassigned = assignee === 'none'
    const filter = {
      status,
      words,
      isUnassigned,
      ...parseCursor(query.cursor),
      assigneeId: isUnassigned ? null : assignee === 'me' ? userId : assignee,
      requesterIds: requesters.map(person => person.userId),
      tenantIds: tenants.data.map(({ id }) => id),
    }
    const rows = await listInbox(desk.unitOf(inboxId), filter, limit + 1)
    const context = await contextOf(inboxId, rows)
    const { data, nextCursor } = toPage(rows, limit, row => [row.cursorAt, row.id])
    return { data: data.map(row => toConversation(row, context)), nextCursor }
  }

  const findPeople = (inboxId: string, words: string) =>
    desk.isShared
      ? people.findEverywhere({ words, limit: MAX_REQUESTERS })
      : people.find(inboxId, { words, limit: MAX_REQUESTERS })

  async function get(inboxId: string, id: string): Promise<InboxConversationDetails> {
    desk.assertInbox(inboxId)
    const unit = database.tenant(await desk.tenantOf(inboxId, id))
    const { row, senderIds } = await together({
      row: findSupportConversation(unit, id),
      senderIds: sendersOf(unit, id),
    })
    return toDetails(row, senderIds, await contextOf(inboxId, [row], senderIds))
  }

  const toDetails = (row: InboxRow, senderIds: readonly string[], context: Context): InboxConversationDetails => ({
    ...toConversation(row, context),
    people: [...new Set([...userIdsOf(row), ...senderIds])].map(context.profileOf),
  })

  async function update(inboxId: string, id: string, patch: InboxPatch): Promise<InboxConversationDetails> {
    desk.assertInbox(inboxId)
    const tenantId = await desk.tenantOf(inboxId, id)
    return database.tenant(tenantId).transaction(async unit => {
      const { assigneeId } = patch
      const { locked, senderIds, mayAnswer } = await together({
        locked: lockSupportConversation(unit, id),
        senderIds: sendersOf(unit, id),
        mayAnswer: assigneeId
          ? people.withPermission(inboxId, ANSWER_PERMISSION, { userId: assigneeId, limit: 1 })
          : [],
      })
      if (assigneeId && assigneeId !== locked.assigneeId && mayAnswer.length === 0)
        throw invalidField('/assigneeId', 'not_allowed', wording("isn't a member who can answer support conversations"))
      const { row } = await together({
        applied: conversationStates.apply(unit, tenantId, locked, patch),
        row: findSupportConversation(unit, id),
      })
      return toDetails(row, senderIds, await contextOf(inboxId, [row], senderIds))
    })
  }

  async function assignees(inboxId: string): Promise<InboxPerson[]> {
    desk.assertInbox(inboxId)
    const found = await people.withPermission(inboxId, ANSWER_PERMISSION, { limit: MAX_ASSIGNEES })
    return found.map(({ userId, name, email }) => ({ userId, name, email }))
  }

  async function unassign(inboxId: string, userId: string): Promise<void> {
    if (desk.of(inboxId) !== inboxId) return
    const { rows } = await desk.unitOf(inboxId).query<{ tenantId: string }>(
      `select distinct tenant_id as "tenantId" from messaging_conversations
         where kind = 'support' and assignee_id = $1 order by 1`,
      [userId],
    )
    for (const { tenantId } of rows) await unassignIn(tenantId, userId)
  }

  async function unassignIn(tenantId: string, userId: string): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const assigned = await conversationTable.query(
        unit,
        `select ${conversationTable.columns()} from messaging_conversations where kind = 'support' and assignee_id = $1
         order by id for update`,
        [userId],
      )
      for (const before of assigned) await conversationStates.save(unit, tenantId, before, { assigneeId: null })
    })
  }

  async function attachment(inboxId: string, id: string, mediaId: string) {
    desk.assertInbox(inboxId)
    const tenantId = await desk.tenantOf(inboxId, id)
    const found = await hasAttachment(database.tenant(tenantId), id, mediaId)
    if (!found || !mediaItems) throw common.not_found({ what: 'attachment' })
    return mediaItems.downloadUrl(tenantId, mediaId)
  }

  return { list, get, update, assignees, unassign, attachment }
}

interface Context {
  profileOf(userId: string): InboxPerson
  workspaceOf(tenantId: string): InboxWorkspace | null
}

const userIdsOf = ({ createdBy, assigneeId, participantIds }: InboxRow): string[] => [
  ...new Set([createdBy, ...participantIds, ...(assigneeId ? [assigneeId] : [])]),
]
