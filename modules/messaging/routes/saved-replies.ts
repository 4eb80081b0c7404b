/** Saved replies of a workspace: texts that support members insert into their answers. */
import { type Deps, lockStep, Type, tableRoutes } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { NewSavedReply, SavedReplyPatch, savedReplyTable } from '../records/saved-reply.ts'

const MAX_REPLIES = 1_000
const CONTAINS = `$1 = '' or strpos(larder_folded(title || ' ' || coalesce(shortcut, '') || ' ' || body), larder_folded($1)) > 0`

export const savedReplyRoutes = (deps: Deps<'database' | 'clock', 'entitlements'>) => {
  const requireStorage = async (tenantId: string, body = '') =>
    deps.entitlements?.requireRowStorage(tenantId, Buffer.byteLength(body))

  return tableRoutes(savedReplyTable, deps, {
    path: '/messaging/saved-replies',
    plural: 'SavedReplies',
    conflicts: { messaging_saved_replies_shortcut: problems.shortcut_taken },
    list: {
      allow: 'support.inbox.read',
      summary: 'Lists the saved replies of the workspace by title.',
      query: {
        q: Type.Optional(
          Type.String({ minLength: 1, maxLength: 100, description: 'Part of the title, the shortcut or the text' }),
        ),
      },
      page: ({ q = '' }) => ({ sortBy: 'title', ascending: true, and: [[CONTAINS, [q.trim()]]] }),
    },
    create: {
      allow: 'support.reply.create',
      summary: 'Creates a saved reply for all support members of the workspace.',
      problems: ['entitlement_exceeded', problems.too_many_saved_replies],
      prefix: 'srp',
      body: NewSavedReply,
      async values({ unit, tenantId, caller, now, body }) {
        await requireStorage(tenantId, body.body)
        const { counted } = await unit.all({
          lock: lockStep('messaging.saved_replies', tenantId),
          counted: ['select count(*)::integer as count from messaging_saved_replies'],
        })
        if (Number(counted.rows[0]?.count) >= MAX_REPLIES) throw problems.too_many_saved_replies({ limit: MAX_REPLIES })
        return { ...body, tenantId, createdBy: caller.userId, createdAt: now, updatedAt: now }
      },
    },
    get: { allow: 'support.inbox.read', summary: 'Returns a saved reply.' },
    update: {
      allow: 'support.reply.update',
      summary: 'Changes a saved reply. Supports If-Match.',
      problems: ['entitlement_exceeded'],
      body: SavedReplyPatch,
      async values({ tenantId, now, body }) {
        await requireStorage(tenantId, body.body)
        return { ...body, updatedAt: now }
      },
    },
    delete: { allow: 'support.reply.delete', summary: 'Deletes a saved reply. Supports If-Match.' },
  })
}
