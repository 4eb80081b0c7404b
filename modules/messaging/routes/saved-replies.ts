import { common, listOf, listQuery, replyWithEtag, route, Type } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { NewSavedReply, SavedReply, SavedReplyPatch } from '../records/saved-reply.ts'
import type { MessagingServices } from '../services.ts'

const replyWith = replyWithEtag((saved: SavedReply) => saved.version)

export function savedReplyRoutes({ savedReplies }: Pick<MessagingServices, 'savedReplies'>) {
  const list = route({
    method: 'get',
    path: '/messaging/saved-replies',
    operationId: 'listSavedReplies',
    summary: 'Lists the saved replies of the workspace by title.',
    allow: 'support.inbox.read',
    query: listQuery({
      q: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'Part of the title, the shortcut or the text' }),
      ),
    }),
    replies: { 200: listOf(SavedReply) },
    handle: ({ tenantId, query }) => savedReplies.list(tenantId, { ...query, words: query.q }),
  })

  const create = route({
    method: 'post',
    path: '/messaging/saved-replies',
    operationId: 'createSavedReply',
    summary: 'Creates a saved reply for all support members of the workspace.',
    allow: 'support.reply.create',
    body: NewSavedReply,
    replies: { 201: SavedReply },
    problems: ['entitlement_exceeded', problems.shortcut_taken, problems.too_many_saved_replies],
    async handle({ tenantId, caller, body }) {
      const saved = await savedReplies.create(tenantId, body, caller.userId)
      return replyWith(201, saved, { location: `/v1/messaging/saved-replies/${saved.id}` })
    },
  })

  const get = route({
    method: 'get',
    path: '/messaging/saved-replies/:id',
    operationId: 'getSavedReply',
    summary: 'Returns a saved reply.',
    allow: 'support.inbox.read',
    replies: { 200: SavedReply },
    handle: async ({ tenantId, params }) => replyWith(200, await savedReplies.get(tenantId, params.id)),
  })

  const update = route({
    method: 'patch',
    path: '/messaging/saved-replies/:id',
    operationId: 'updateSavedReply',
    summary: 'Changes a saved reply. Supports If-Match.',
    allow: 'support.reply.update',
    body: SavedReplyPatch,
    replies: { 200: SavedReply },
    problems: ['entitlement_exceeded', problems.shortcut_taken, common.precondition_failed],
    handle: async ({ tenantId, params, body, request }) =>
      replyWith(200, await savedReplies.update(tenantId, params.id, body, request.headers)),
  })

  const remove = route({
    method: 'delete',
    path: '/messaging/saved-replies/:id',
    operationId: 'deleteSavedReply',
    summary: 'Deletes a saved reply. Supports If-Match.',
    allow: 'support.reply.delete',
    replies: { 204: null },
    problems: [common.precondition_failed],
    handle: ({ tenantId, params, request }) => savedReplies.remove(tenantId, params.id, request.headers),
  })

  return [list, create, get, update, remove]
}
