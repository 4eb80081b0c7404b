import { bytes, defineTexts, formatSize, page, together } from '@larder-dev/larder/kernel'
import { KNOWN_TYPES, TYPES } from '../domain/file-types.ts'
import { filesPath } from '../domain/files-path.ts'
import { folderTrail, isFolder, tidyFolder } from '../domain/folders.ts'
import type { Status } from '../domain/status.ts'
import type { MediaOptions } from '../options.ts'
import type { Item } from '../records/item.ts'
import type { MediaServices } from '../services.ts'

const PAGE_SIZE = 50
const MAX_WORDS_LENGTH = 100
const NO_STORE = { 'cache-control': 'no-store' }

const STATUS_TEXTS: Readonly<Record<Status, string>> = defineTexts({
  pending: 'Waiting for upload',
  uploaded: 'Waiting for checks',
  processing: 'Checking',
  ready: 'Ready',
  rejected: 'Rejected',
  expired: 'Upload expired',
})

const toListEntry = ({ id, fileName, folder, size, status, rejection, createdAt, mimeType, variants }: Item) => ({
  id,
  fileName,
  createdAt: createdAt.toISOString(),
  folder: folder !== '' && { name: folder, url: filesPath(folder) },
  size: formatSize(size),
  rejected: status === 'rejected',
  busy: status === 'uploaded' || status === 'processing',
  standing: rejection?.detail ?? STATUS_TEXTS[status],
  extension: /\.([^.]{1,4})$/.exec(fileName)?.[1]?.toUpperCase() ?? '',
  ...(status === 'ready' && links(id, mimeType, variants)),
})

/** An image is shown as its largest variant. Browsers show only PDF files themselves. */
function links(id: string, mimeType: string, variants: Item['variants']) {
  const download = `/files/${id}/download`
  const bySize = variants.toSorted((a, b) => a.width - b.width)
  const [smallest, largest] = [bySize[0], bySize.at(-1)]
  if (smallest && largest)
    return {
      download,
      kind: 'image',
      preview: `${download}?variant=${largest.name}`,
      thumbnail: `${download}?variant=${smallest.name}`,
    }
  return mimeType === 'application/pdf' ? { download, kind: 'pdf', preview: download } : { download }
}

type PageDeps = Pick<MediaServices, 'items' | 'lifecycle' | 'downloads'>

export function filePages({ items, lifecycle, downloads }: PageDeps, { allow, maxBytes }: MediaOptions) {
  const allowed = KNOWN_TYPES.filter(type => (allow as readonly string[]).includes(type))
  const accept = allowed.flatMap(type => (TYPES[type]?.extensions ?? []).map(extension => `.${extension}`)).join(',')

  const files = page({
    name: 'media.files',
    path: '/files',
    title: 'Files',
    allow: 'media.item.read',
    async load({ tenantId, caller, query }) {
      const words = query.q?.trim().slice(0, MAX_WORDS_LENGTH) ?? ''
      const folder = folderOf(query.folder)
      const searched = words === '' ? { folder } : { within: folder, search: words }
      const {
        found: { data, nextCursor },
        folders,
      } = await together({
        found: items.list(tenantId, { limit: PAGE_SIZE, cursor: query.cursor, ...searched }),
        folders: words === '' && query.cursor === undefined ? items.folders(tenantId, folder) : [],
      })
      return {
        headers: NO_STORE,
        data: {
          files: data.map(toListEntry),
          next: nextCursor && filesPath(folder, { ...(words !== '' && { q: words }), cursor: nextCursor }),
          words,
          folder,
          trail: folderTrail(folder).map(each => ({ ...each, url: filesPath(each.path) })),
          folders: folders.map(each => ({ ...each, isOne: each.files === 1, url: filesPath(each.path) })),
          here: filesPath(folder),
          searches: words !== '' || folder !== '' || data.length > 0 || folders.length > 0,
          accept,
          largest: formatSize(bytes(maxBytes)),
          maxBytes: bytes(maxBytes),
          mayUpload: caller.can('media.item.create'),
          mayDelete: caller.can('media.item.delete'),
        },
      }
    },
  })

  const remove = page({
    name: 'media.delete',
    path: '/files/:id/delete',
    title: 'Delete file',
    allow: 'media.item.delete',
    async load({ tenantId, params }) {
      const { id, fileName, folder } = await items.get(tenantId, String(params.id))
      return { data: { id, fileName, here: filesPath(folder) }, headers: NO_STORE }
    },
    async post({ tenantId, params }) {
      const { id, folder } = await items.get(tenantId, String(params.id))
      await lifecycle.remove(tenantId, id)
      return { redirect: filesPath(folder) }
    },
  })

  const download = page({
    name: 'media.download',
    path: '/files/:id/download',
    title: 'Download',
    allow: 'media.item.read',
    async load({ tenantId, params, query }) {
      const { url } = await downloads.url(tenantId, String(params.id), query.variant)
      return { redirect: url, headers: NO_STORE }
    },
  })

  return [files, remove, download]
}

/** The top level for an address that names no folder. */
function folderOf(text = ''): string {
  const folder = tidyFolder(text)
  return isFolder(folder) ? folder : ''
}
