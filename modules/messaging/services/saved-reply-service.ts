/** Saved replies of a tenant: texts that support members insert into their answers. */
import type { IncomingHttpHeaders } from 'node:http'
import {
  batchByName,
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
} from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { type NewSavedReply, type SavedReply, type SavedReplyPatch, savedReplyTable } from '../records/saved-reply.ts'

const MAX_REPLIES = 1_000

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
    const rows = await savedReplyTable.query(
      database.tenant(tenantId),
      `select ${savedReplyTable.columns()} from messaging_saved_replies
       where ($1 = '' or strpos(lower(title || ' ' || coalesce(shortcut, '') || ' ' || body), lower($1)) > 0)
         and ($2::text is null or (title collate "C", id) > ($2, $3))
       order by title collate "C", id limit ${limit + 1}`,
      [query.words?.trim() ?? '', title, id],
    )
    return toPage(rows, limit, row => [row.title, row.id])
  }

  const get: SavedReplyService['get'] = (tenantId, id) => savedReplyTable.get(database.tenant(tenantId), { id })

  async function create(tenantId: string, reply: NewSavedReply, userId: string): Promise<SavedReply> {
    const { title, body, shortcut = null } = reply
    await entitlements?.requireRowStorage(tenantId, Buffer.byteLength(body))
    return database.tenant(tenantId).transaction(async unit => {
      const { counted } = await batchByName(unit, {
        lock: [`select pg_advisory_xact_lock(hashtext('messaging.saved_replies'), hashtext($1))`, [tenantId]],
        counted: ['select count(*)::integer as count from messaging_saved_replies'],
      })
      if (Number(counted.rows[0]?.count) >= MAX_REPLIES) throw problems.too_many_saved_replies({ limit: MAX_REPLIES })
      const id = newId('srp', clock.now())
      const values = { id, tenantId, title, body, shortcut, createdBy: userId, createdAt: now(), updatedAt: now() }
      return savedReplyTable.insert(unit, values).catch(rethrowTaken)
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
      const changed = { title, body, shortcut, updatedAt: now() }
      return savedReplyTable.update(unit, { id }, changed).catch(rethrowTaken)
    })
  }

  async function remove(tenantId: string, id: string, headers: IncomingHttpHeaders): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      await lock(unit, id, headers)
      await savedReplyTable.delete(unit, { id })
    })
  }

  async function lock(unit: Unit, id: string, headers: IncomingHttpHeaders): Promise<SavedReply> {
    const reply = await savedReplyTable.get(unit, { id }, { lock: true })
    requireMatch(headers, etag(reply.version))
    return reply
  }

  return { list, get, create, update, remove }
}

function rethrowTaken(error: unknown): never {
  if (isUniqueViolation(error)) throw problems.shortcut_taken()
  throw error
}
