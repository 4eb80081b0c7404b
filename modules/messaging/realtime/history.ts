/** What happened in a conversation, read again from the database: for who comes back, and after a gap on the bus. */
import type { Database } from 'larder/kernel'
import { frameOf } from '../domain/frames.ts'
import type { Message } from '../routes/schemas.ts'
import { MESSAGE, SHARED, type Shared } from '../services/conversation-queries.ts'
import type { Who } from './types.ts'

/** Conversations that a socket follows, the liveliest first. */
const MOST_FOLLOWED = 10_000
const FOLLOWED = `select c.id, c.version, c.last_seq as "lastSeq"
  from messaging_participants p join messaging_conversations c on c.id = p.conversation_id
  where p.user_id = $1 order by c.active_at desc limit ${MOST_FOLLOWED}`

export interface Followed {
  readonly id: string
  readonly version: number
  readonly lastSeq: number
}

/** Where the reading of a conversation stands. */
export interface Since {
  /** Messages after it are new. */
  readonly seq: number
  /** Of those up to it the ones that changed are wanted. */
  readonly base: number
  /** Changes after it. */
  readonly version: number
}
/** No change is wanted: the client cannot say which it knows. */
export const NO_VERSION = 2_147_483_647

export interface Page {
  readonly conversation: Shared
  /** Version at which subject, status or participants last changed. */
  readonly settled: number
  /** In the order of their seq. */
  readonly created: readonly Message[]
  /** In the order of their version. */
  readonly altered: readonly Message[]
  /** Not all of it stands here. */
  readonly more: boolean
}

/** Messages a page. */
const PAGE = 100
/** One statement, so one snapshot: everything up to the version that it shows is in it. */
const CHANGES = `select ${SHARED}, c.settled,
    array(select to_jsonb(x) from (select ${MESSAGE} from messaging_messages m
      where m.conversation_id = c.id and m.seq > $2 order by m.seq limit ${PAGE}) x) as created,
    array(select to_jsonb(x) from (select ${MESSAGE} from messaging_messages m
      where m.conversation_id = c.id and m.seq <= $3 and m.version > $4
        and (m.edited_at is not null or m.deleted_at is not null) order by m.version limit ${PAGE}) x) as altered
  from messaging_conversations c where c.id = $1`

type Row = Shared & { settled: number; created: Stored[]; altered: Stored[] }
/** Times as PostgreSQL writes them into JSON. */
type Stored = Message & { createdAt: string; editedAt: string | null; deletedAt: string | null }

export function createHistory(database: Database) {
  return {
    async followed({ tenantId, userId }: Who): Promise<Followed[]> {
      return (await database.tenant(tenantId).query<Followed>(FOLLOWED, [userId])).rows
    },

    /** Undefined where there is no such conversation. */
    async since(tenantId: string, id: string, { seq, base, version }: Since): Promise<Page | undefined> {
      const { rows } = await database.tenant(tenantId).query<Row>(CHANGES, [id, seq, base, version])
      if (!rows[0]) return undefined
      const { settled, created, altered, ...conversation } = rows[0]
      const more = created.length === PAGE || altered.length === PAGE
      return { conversation, settled, created: created.map(read), altered: altered.map(read), more }
    },

    async versions(tenantId: string, ids: readonly string[]): Promise<Pick<Followed, 'id' | 'version'>[]> {
      const text = 'select id, version from messaging_conversations where id = any ($1)'
      return (await database.tenant(tenantId).query<Followed>(text, [ids])).rows
    },
  }
}
export type History = ReturnType<typeof createHistory>

const time = (text: string | null): Date | null => (text === null ? null : new Date(text))
const read = (stored: Stored): Message => ({
  ...stored,
  createdAt: new Date(stored.createdAt),
  editedAt: time(stored.editedAt),
  deletedAt: time(stored.deletedAt),
})

export const createdFrame = (message: Message): string => frameOf('message.created', message, message)
export const alteredFrame = (message: Message): string =>
  frameOf(message.deletedAt === null ? 'message.updated' : 'message.deleted', message, message)
