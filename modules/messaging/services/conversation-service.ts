/** Creates, lists, updates and snoozes conversations. */
import {
  type Deps,
  invalidField,
  newId,
  type PageOf,
  pageLimit,
  together,
  toPage,
  type Unit,
  wording,
} from '@larder-dev/larder/kernel'
import type { Kind, Status } from '../domain/conversation-status.ts'
import { type MessagingOptions, maxParticipantsOf, supportOf } from '../options.ts'
import { problems } from '../problems.ts'
import {
  type Conversation,
  type ConversationPatch,
  conversationTable,
  type ListedConversation,
  type NewConversation,
} from '../records/conversation.ts'
import { MICROSECONDS, parseCursor } from './activity-cursor.ts'
import {
  excerptOf,
  findConversation,
  lockConversation,
  NEWEST_MESSAGE,
  NEWEST_MESSAGE_JOIN,
  type NewestMessage,
  SHARED_COLUMNS,
  UNREAD_COUNT,
} from './conversation-queries.ts'
import type { ConversationStates } from './conversation-states.ts'
import type { ConversationUpdates } from './conversation-updates.ts'

export interface ConversationQuery {
  readonly limit?: number
  readonly cursor?: string | undefined
  readonly status?: Status | undefined
}
type People = Deps<'people'>['people']
type Needs = Deps<'database' | 'clock' | 'events' | 'people'> & {
  readonly conversationStates: ConversationStates
  readonly conversationUpdates: ConversationUpdates
}

/** With what the caller writes to a conversation. */
export interface ConversationDraft extends Omit<NewConversation, 'kind' | 'participantIds'> {
  readonly id: string
  readonly kind: Kind
  readonly userIds: string[]
  readonly createdBy: string
}

export interface ConversationService {
  /** The creator becomes a participant. */
  create(tenantId: string, conversation: NewConversation, userId: string): Promise<Conversation>
  /** Throws `too_many_participants` and 422, but doesn't check that the participants are members. */
  draft(conversation: NewConversation, userId: string): ConversationDraft
  /** Sends all statements at once. */
  insert(unit: Unit, tenantId: string, draft: ConversationDraft): Promise<Conversation>
  /** Conversations of the user, most recently active first. */
  list(tenantId: string, userId: string, query: ConversationQuery): Promise<PageOf<ListedConversation>>
  /** Throws `not_found`, also if the user is not a participant. */
  get(tenantId: string, id: string, userId: string): Promise<Conversation>
  /** Changes the conversation for all participants. A patch without effect publishes no event. */
  update(tenantId: string, id: string, patch: ConversationPatch, userId: string): Promise<Conversation>
  /** Reopens a conversation whose snooze time has passed. Has no effect if it was changed meanwhile. */
  reopen(tenantId: string, id: string): Promise<void>
  /**
   * The members, in any order. Throws 422 for the first user who isn't one; `*` in the pointer becomes its index.
   * @param by the user who chose them. For a customer of a product of people, other customers are no members.
   */
  assertMembers(
    tenantId: string,
    userIds: readonly string[],
    pointer: string,
    by: string,
  ): ReturnType<People['members']>
}

export function createConversations(
  { database, clock, events, people, conversationStates: states, conversationUpdates: updates }: Needs,
  options: MessagingOptions,
): ConversationService {
  const maxParticipants = maxParticipantsOf(options)
  async function assertMembers(tenantId: string, userIds: readonly string[], pointer: string, by: string) {
    const members = await people.members(tenantId, userIds, { by })
    const known = new Set(members.map(({ userId }) => userId))
    const nonMember = userIds.findIndex(userId => !known.has(userId))
    if (nonMember >= 0)
      throw invalidField(
        pointer.replace('*', String(nonMember)),
        'not_a_member',
        wording("isn't a member of this workspace"),
      )
    return members
  }

  function draft({ kind = 'private', participantIds, ...given }: NewConversation, userId: string) {
    if (kind === 'support' && !supportOf(options))
      throw invalidField('/kind', 'not_allowed', wording('must be private: this product has no support'))
    const userIds = [...new Set([userId, ...participantIds])]
    if (userIds.length > maxParticipants) throw problems.too_many_participants({ limit: maxParticipants })
    return { ...given, id: newId('cnv', clock.now()), kind, userIds, createdBy: userId }
  }

  async function insert(unit: Unit, tenantId: string, { userIds, ...values }: ConversationDraft) {
    const { id, kind } = values
    const now = new Date(clock.now())
    const inserted = unit.all([
      conversationTable.insertStep({
        ...values,
        tenantId,
        settled: 1,
        lastActivityAt: now,
        createdAt: now,
        updatedAt: now,
      }),
      [
        `insert into messaging_participants (tenant_id, conversation_id, user_id, last_read_seq, joined_at)
         select $1, $2, unnest($3::text[]), 0, $4`,
        [tenantId, id, userIds, now],
      ],
    ])
    const payload = { conversationId: id, kind, participantIds: userIds }
    const { created } = await together({
      created: updates.publish(unit, tenantId, id, { joined: userIds }),
      inserted,
      event: events.publish('messaging.conversation.created', { tenantId, subject: id, payload }),
    })
    return { ...created, lastReadSeq: 0, unread: 0 }
  }

  async function create(tenantId: string, conversation: NewConversation, userId: string) {
    const drafted = draft(conversation, userId)
    return database.tenant(tenantId).transaction(async unit => {
      await assertMembers(tenantId, conversation.participantIds, '/participantIds/*', userId)
      return insert(unit, tenantId, drafted)
    })
  }

  async function list(tenantId: string, userId: string, query: ConversationQuery): Promise<PageOf<ListedConversation>> {
    const { at, before } = parseCursor(query.cursor)
    const limit = pageLimit(query)
    const { rows } = await database.tenant(tenantId).query<Conversation & NewestMessage & { cursorAt: string }>(
      `select ${SHARED_COLUMNS}, ${MICROSECONDS} as "cursorAt", p.last_read_seq as "lastReadSeq", ${UNREAD_COUNT} as unread,
         ${NEWEST_MESSAGE}
       from messaging_participants p join messaging_conversations c on c.id = p.conversation_id ${NEWEST_MESSAGE_JOIN}
       where p.user_id = $1 and ($2::text is null or c.status = $2)
         and ($3::timestamptz is null or (c.active_at, c.id) < ($3::timestamptz, $4::text))
       order by c.active_at desc, c.id desc limit ${limit + 1}`,
      [userId, query.status ?? null, at, before],
    )
    const { data, nextCursor } = toPage(rows, limit, row => [row.cursorAt, row.id])
    const listed = data.map(({ cursorAt, lastSenderId, lastText, ...conversation }) => ({
      ...conversation,
      lastMessage: excerptOf({ lastSenderId, lastText }),
    }))
    return { data: listed, nextCursor }
  }

  async function update(tenantId: string, id: string, patch: ConversationPatch, userId: string): Promise<Conversation> {
    return database.tenant(tenantId).transaction(async unit => {
      const before = await lockConversation(unit, id, userId)
      // Pipelined: the second statement sees the changes of those before it.
      const { conversation } = await together({
        applied: states.apply(unit, tenantId, before, patch),
        conversation: findConversation(unit, id, userId),
      })
      return conversation
    })
  }

  async function reopen(tenantId: string, id: string): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const [before] = await conversationTable.query(
        unit,
        `select ${conversationTable.columns()} from messaging_conversations
         where id = $1 and status = 'snoozed' and snoozed_until <= $2 for update`,
        [id, new Date(clock.now())],
      )
      if (before) await states.save(unit, tenantId, before, { status: 'open', snoozedUntil: null })
    })
  }

  const get = (tenantId: string, id: string, userId: string): Promise<Conversation> =>
    findConversation(database.tenant(tenantId), id, userId)

  return { create, draft, insert, list, get, update, reopen, assertMembers }
}
