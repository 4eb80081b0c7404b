import { type Deps, listOf, listQuery, OneOf, route, Type } from '@larder-dev/larder/kernel'
import { Folder, MimeType } from '../domain/fields.ts'
import { FOLDER_PATTERN } from '../domain/folders.ts'
import { STATUSES } from '../domain/status.ts'
import { problems } from '../problems.ts'
import { DownloadUrl, Item, ItemPatch, Folder as ListedFolder, toItem } from '../records/item.ts'
import type { MediaServices } from '../services.ts'
import { createTranslatedItem } from './translated-item.ts'

type RouteDeps = Deps<'theme' | 'product'> & Pick<MediaServices, 'items' | 'lifecycle' | 'downloads'>

export function itemRoutes(deps: RouteDeps) {
  const { items, lifecycle, downloads } = deps
  const translated = createTranslatedItem(deps)
  const list = route({
    method: 'get',
    path: '/media',
    operationId: 'listMediaItems',
    summary: 'Lists files of every status, newest first by default.',
    allow: 'media.item.read',
    query: listQuery({
      sort: Type.Optional(OneOf(['createdAt', '-createdAt'])),
      q: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Part of the file name' })),
      'filter[id][in]': Type.Optional(
        Type.String({ minLength: 1, maxLength: 8_000, description: 'IDs, separated by commas' }),
      ),
      thumbnails: Type.Optional(Type.Boolean({ description: 'Whether files have `thumbnailUrl`' })),
    }),
    filters: {
      status: OneOf(STATUSES),
      mimeType: { ...MimeType, description: 'A type, or all of a kind: `image/*`' },
      folder: {
        ...Folder,
        pattern: `^/$|${FOLDER_PATTERN}`,
        description: 'The files of a folder, without its subfolders. `/` for the top level',
      },
      within: { ...Folder, description: 'The files of a folder and of its subfolders' },
    },
    replies: { 200: listOf(Item) },
    async handle({ tenantId, request, query: { thumbnails, ...query }, filters }) {
      const page = await items.list(tenantId, {
        ...query,
        ...filters,
        ids: query['filter[id][in]']?.split(','),
        oldestFirst: query.sort === 'createdAt',
        folder: filters.folder === '/' ? '' : filters.folder,
        search: query.q,
      })
      const data = page.data.map(item => translated(request, item))
      if (!thumbnails) return { ...page, data }
      return { ...page, data: await Promise.all(data.map(item => downloads.withThumbnail(tenantId, item))) }
    },
  })

  const get = route({
    method: 'get',
    path: '/media/:id',
    operationId: 'getMediaItem',
    summary: 'Returns a file with its status.',
    allow: 'media.item.read',
    replies: { 200: Item },
    handle: async ({ tenantId, params, request }) => translated(request, toItem(await items.get(tenantId, params.id))),
  })

  const update = route({
    method: 'patch',
    path: '/media/:id',
    operationId: 'updateMediaItem',
    summary: 'Renames a file or moves it to another folder.',
    allow: 'media.item.update',
    body: ItemPatch,
    replies: { 200: Item },
    problems: [problems.wrong_extension],
    handle: async ({ tenantId, params, body, request }) =>
      translated(request, await lifecycle.update(tenantId, params.id, body)),
  })

  const remove = route({
    method: 'delete',
    path: '/media/:id',
    operationId: 'deleteMediaItem',
    summary: 'Deletes a file and its variants.',
    allow: 'media.item.delete',
    replies: { 204: null },
    handle: ({ tenantId, params }) => lifecycle.remove(tenantId, params.id),
  })

  const download = route({
    method: 'get',
    path: '/media/:id/download-url',
    operationId: 'getDownloadUrl',
    summary: 'Returns a signed download URL that expires after a few minutes.',
    allow: 'media.item.read',
    query: Type.Object({ variant: Type.Optional(Type.String({ maxLength: 32, examples: ['thumbnail'] })) }),
    replies: { 200: DownloadUrl },
    problems: [problems.not_ready, problems.unknown_variant],
    handle: ({ tenantId, params, query }) => downloads.url(tenantId, params.id, query.variant),
  })

  const folders = route({
    method: 'get',
    path: '/media/folders',
    operationId: 'listMediaFolders',
    summary: 'Lists the folders directly in a folder, by name. A folder exists while a file is in it.',
    allow: 'media.item.read',
    query: Type.Object({
      parent: Type.Optional({ ...Folder, description: 'The top level by default' }),
    }),
    replies: { 200: Type.Object({ data: Type.Array(ListedFolder) }) },
    handle: async ({ tenantId, query }) => ({ data: await items.folders(tenantId, query.parent ?? '') }),
  })

  return [list, folders, get, update, remove, download]
}
