/** Reads changes of conversations from the database, for reconnecting clients and after a gap on the bus. */
import type { Database } from '@larder-dev/larder/kernel'
import { conversationFrame } from '../domain/frames.ts'
import { type Message, messageTable } from '../records/message.ts'
import { SHARED_COLUMNS, type SharedConversation } from '../services/conversation-queries.ts'
import type { Member } from './types.ts'

/** Conversations per subscription, most recently active first. */
const MAX_FOLLOWED = 10_000
const FOLLOWED = `select c.id, c.version, c.last_seq as "lastSeq"
  from messaging_participants p join messaging_conversations c on c.id = p.conversation_id
  where p.user_id = $1`
const FOLLOWED_ALL = `${FOLLOWED} order by c.active_at desc limit ${MAX_FOLLOWED}`
const FOLLOWED_ONE = `${FOLLOWED} and c.id = $2`

export interface Followed {
  readonly id: string
  readonly version: number
  readonly lastSeq: number
}

/** Position from which changes of a conversation are read. */
export interface ReplayPosition {
  /** Messages with higher numbers are new. */
  readonly seq: number
  /** Changed messages are read up to this number. */
  readonly base: number
  /** Changes with higher versions are read. */
  readonly version: number
}

export interface Page {
  readonly conversation: SharedConversation
  /** Version at which subject, status or participants last changed. */
  readonly settled: number
  /** New messages in the order of their numbers. */
  readonly created: readonly Message[]
  /** Edited or deleted messages in the order of their versions. */
  readonly changed: readonly Message[]
  /** Further changes follow on the next page. */
  readonly hasMore: boolean
}

/** Messages per page. */
const PAGE_SIZE = 100
/** One statement and so one snapshot, which is complete up to the version that it contains. */
const CHANGES = `select ${SHARED_COLUMNS}, c.settled,
    array(select to_jsonb(x) from (select ${messageTable.columns('m')} from messaging_messages m
      where m.conversation_id = c.id and m.seq > $2 order by m.seq limit ${PAGE_SIZE}) x) as created,
    array(select to_jsonb(x) from (select ${messageTable.columns('m')} from messaging_messages m
      where m.conversation_id = c.id and m.seq <= $3 and m.version > $4
        and (m.edited_at is not null or m.deleted_at is not null) order by m.version limit ${PAGE_SIZE}) x) as changed
  from messaging_conversations c where c.id = $1`

type Row = SharedConversation & { settled: number; created: StoredMessage[]; changed: StoredMessage[] }
/** Timestamps are text in JSON. */
type StoredMessage = Message & { createdAt: string; editedAt: string | null; deletedAt: string | null }

export function createHistory(database: Database) {
  return {
    /** All conversations of the member, or one of them. */
    async followed({ tenantId, userId }: Member, id?: string): Promise<Followed[]> {
      const unit = database.tenant(tenantId)
      const found =
        id === undefined
          ? unit.query<Followed>(FOLLOWED_ALL, [userId])
          : unit.query<Followed>(FOLLOWED_ONE, [userId, id])
      return (await found).rows
    },

    /** Undefined if the conversation does not exist. */
    async changesSince(
      tenantId: string,
      id: string,
      { seq, base, version }: ReplayPosition,
    ): Promise<Page | undefined> {
      const { rows } = await database.tenant(tenantId).query<Row>(CHANGES, [id, seq, base, version])
      if (!rows[0]) return undefined
      const { settled, created, changed, ...conversation } = rows[0]
      const hasMore = created.length === PAGE_SIZE || changed.length === PAGE_SIZE
      return { conversation, settled, created: created.map(toMessage), changed: changed.map(toMessage), hasMore }
    },

    async versions(tenantId: string, ids: readonly string[]): Promise<Pick<Followed, 'id' | 'version'>[]> {
      const text = 'select id, version from messaging_conversations where id = any ($1)'
      return (await database.tenant(tenantId).query<Followed>(text, [ids])).rows
    },
  }
}
export type History = ReturnType<typeof createHistory>

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text))
const toMessage = (stored: StoredMessage): Message => ({
  ...stored,
  createdAt: new Date(stored.createdAt),
  editedAt: toDate(stored.editedAt),
  deletedAt: toDate(stored.deletedAt),
})

export const createdFrame = (message: Message): string => conversationFrame('message.created', message, message)
export const changedFrame = (message: Message): string =>
  conversationFrame(message.deletedAt === null ? 'message.updated' : 'message.deleted', message, message)
