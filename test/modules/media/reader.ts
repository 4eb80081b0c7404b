/** A module that references files by id. */
import { defineModule, listOf, route, Type } from '../../../kernel/index.ts'

const Reference = Type.Object({
  id: Type.String(),
  fileName: Type.String(),
  mimeType: Type.String(),
  size: Type.Integer(),
})

export default defineModule({
  name: 'reader',
  needs: ['mediaItems'],
  permissions: { 'reader.file.read': 'Read files' },
  routes: ({ mediaItems }) => [
    route({
      method: 'post',
      path: '/reader',
      allow: 'reader.file.read',
      body: Type.Object({ ids: Type.Array(Type.String()) }),
      replies: { 200: listOf(Reference) },
      problems: ['unknown_media'],
      handle: async ({ tenantId, body }) => ({
        data: [...(await mediaItems.ready(tenantId, body.ids))],
        nextCursor: null,
      }),
    }),
  ],
})
