/** Saved replies of a tenant: texts that support members insert into their answers. */
import type { IncomingHttpHeaders } from 'node:http'
import {
  common,
  type Deps,
  decodeCursor,
  etag,
  isUniqueViolation,
  newId,
  type PageOf,
  pageLimit,
  requireMatch,
  toPage,
  type Unit,
} from 'larder/kernel'
import { problems } from '../problems.ts'
import type { NewSavedReply, SavedReply, SavedReplyPatch } from '../records/saved-reply.ts'

const MAX_REPLIES = 1_000
const COLUMNS = `id, title, body, shortcut, version, created_by as "createdBy", created_at as "createdAt",
  updated_at as "updatedAt"`

interface ReplyQuery {
  readonly limit?: number
  readonly cursor?: string | undefined
  readonly words?: string | undefined
}

export interface SavedReplyService {
  /** Ordered by title. */
  list(tenantId: string, query: ReplyQuery): Promise<PageOf<SavedReply>>
  /** Throws `not_found`. */
  get(tenantId: string, id: string): Promise<SavedReply>
  /** Throws `shortcut_taken`, `too_many_saved_replies`. */
  create(tenantId: string, reply: NewSavedReply, userId: string): Promise<SavedReply>
  /** Throws `not_found`, `shortcut_taken`, `precondition_failed`. */
  update(tenantId: string, id: string, patch: SavedReplyPatch, headers: IncomingHttpHeaders): Promise<SavedReply>
  /** Throws `not_found`, `precondition_failed`. */
  remove(tenantId: string, id: string, headers: IncomingHttpHeaders): Promise<void>
}

export function createSavedReplies({
  database,
  clock,
  entitlements,
}: Deps<'database' | 'clock', 'entitlements'>): SavedReplyService {
  const now = () => new Date(clock.now())

  async function list(tenantId: string, query: ReplyQuery): Promise<PageOf<SavedReply>> {
    const limit = pageLimit(query)
    const [title = null, id = null] = decodeCursor(query.cursor, 2) ?? []
    if ((title !== null && typeof title !== 'string') || (id !== null && typeof id !== 'string'))
      throw common.invalid_cursor()
    const { rows } = await database.tenant(tenantId).query<SavedReply>(
      `select ${COLUMNS} from messaging_saved_replies
       where ($1 = '' or strpos(lower(title || ' ' || coalesce(shortcut, '') || ' ' || body), lower($1)) > 0)
         and ($2::text is null or (title collate "C", id) > ($2, $3))
       order by title collate "C", id limit ${limit + 1}`,
      [query.words?.trim() ?? '', title, id],
    )
    return toPage(rows, limit, row => [row.title, row.id])
  }

  async function get(tenantId: string, id: string): Promise<SavedReply> {
    const { rows } = await database
      .tenant(tenantId)
      .query<SavedReply>(`select ${COLUMNS} from messaging_saved_replies where id = $1`, [id])
    return requireReply(rows)
  }

  async function create(tenantId: string, reply: NewSavedReply, userId: string): Promise<SavedReply> {
    const { title, body, shortcut = null } = reply
    await entitlements?.requireRowStorage(tenantId, Buffer.byteLength(body))
    return database.tenant(tenantId).transaction(async unit => {
      const [, counted] = await unit.batch([
        [`select pg_advisory_xact_lock(hashtext('messaging.saved_replies'), hashtext($1))`, [tenantId]],
        ['select count(*)::integer as count from messaging_saved_replies'],
      ])
      if (Number(counted?.rows[0]?.count) >= MAX_REPLIES) throw problems.too_many_saved_replies({ limit: MAX_REPLIES })
      const { rows } = await unit
        .query<SavedReply>(
          `insert into messaging_saved_replies (tenant_id, id, title, body, shortcut, created_by, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $7) returning ${COLUMNS}`,
          [tenantId, newId('srp', clock.now()), title, body, shortcut, userId, now()],
        )
        .catch(rethrowTaken)
      return requireReply(rows)
    })
  }

  async function update(
    tenantId: string,
    id: string,
    patch: SavedReplyPatch,
    headers: IncomingHttpHeaders,
  ): Promise<SavedReply> {
    await entitlements?.requireRowStorage(tenantId, Buffer.byteLength(patch.body ?? ''))
    return database.tenant(tenantId).transaction(async unit => {
      const before = await lock(unit, id, headers)
      const { title = before.title, body = before.body, shortcut = before.shortcut } = patch
      if (title === before.title && body === before.body && shortcut === before.shortcut) return before
      const { rows } = await unit
        .query<SavedReply>(
          `update messaging_saved_replies set title = $2, body = $3, shortcut = $4, version = version + 1, updated_at = $5
           where id = $1 returning ${COLUMNS}`,
          [id, title, body, shortcut, now()],
        )
        .catch(rethrowTaken)
      return requireReply(rows)
    })
  }

  async function remove(tenantId: string, id: string, headers: IncomingHttpHeaders): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      await lock(unit, id, headers)
      await unit.query('delete from messaging_saved_replies where id = $1', [id])
    })
  }

  async function lock(unit: Unit, id: string, headers: IncomingHttpHeaders): Promise<SavedReply> {
    const { rows } = await unit.query<SavedReply>(
      `select ${COLUMNS} from messaging_saved_replies where id = $1 for update`,
      [id],
    )
    const reply = requireReply(rows)
    requireMatch(headers, etag(reply.version))
    return reply
  }

  return { list, get, create, update, remove }
}

function requireReply(rows: readonly SavedReply[]): SavedReply {
  if (!rows[0]) throw common.not_found({ what: 'saved reply' })
  return rows[0]
}

function rethrowTaken(error: unknown): never {
  if (isUniqueViolation(error)) throw problems.shortcut_taken()
  throw error
}
