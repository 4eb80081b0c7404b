import { type Deps, listOf, listQuery, OneOf, route, Type } from 'larder/kernel'
import { STATUSES } from '../domain/status.ts'
import { problems } from '../problems.ts'
import { DownloadUrl, Item, MimeType, Rename } from '../schemas.ts'

export function itemRoutes({ media }: Deps<'media'>) {
  const { rows, closing, downloads } = media

  const list = route({
    method: 'get',
    path: '/media',
    summary: 'Files, newest first unless sort says otherwise, whatever became of them.',
    allow: 'media.item.read',
    query: listQuery({
      sort: Type.Optional(OneOf(['createdAt', '-createdAt'])),
      'filter[status]': Type.Optional(OneOf(STATUSES)),
      'filter[mimeType]': Type.Optional(MimeType),
    }),
    replies: { 200: listOf(Item) },
    handle: ({ tenantId, query }) =>
      rows.list(tenantId, {
        ...query,
        oldestFirst: query.sort === 'createdAt',
        status: query['filter[status]'],
        mimeType: query['filter[mimeType]'],
      }),
  })

  const get = route({
    method: 'get',
    path: '/media/:id',
    summary: 'A file: what it is and how far it has come.',
    allow: 'media.item.read',
    replies: { 200: Item },
    handle: ({ tenantId, params }) => rows.get(tenantId, params.id),
  })

  const rename = route({
    method: 'patch',
    path: '/media/:id',
    summary: 'Gives a file another name.',
    allow: 'media.item.update',
    body: Rename,
    replies: { 200: Item },
    problems: [problems.wrong_extension],
    async handle({ tenantId, params, body }) {
      await closing.rename(tenantId, params.id, body.fileName)
      return rows.get(tenantId, params.id)
    },
  })

  const remove = route({
    method: 'delete',
    path: '/media/:id',
    summary: 'Deletes a file with its variants.',
    allow: 'media.item.delete',
    replies: { 204: null },
    handle: ({ tenantId, params }) => closing.remove(tenantId, params.id),
  })

  const download = route({
    method: 'get',
    path: '/media/:id/download-url',
    summary: 'An address that works for a few minutes, for whoever has it.',
    allow: 'media.item.read',
    query: Type.Object({ variant: Type.Optional(Type.String({ maxLength: 32, examples: ['thumbnail'] })) }),
    replies: { 200: DownloadUrl },
    problems: [problems.not_ready, problems.unknown_variant],
    handle: ({ tenantId, params, query }) => downloads.url(tenantId, params.id, query.variant),
  })

  return [list, get, rename, remove, download]
}
