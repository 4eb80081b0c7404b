import { bytes, type Deps, KIB, MIB, page, says } from 'larder/kernel'
import type { Status } from './core/states.ts'
import { KNOWN_TYPES, TYPES } from './core/types.ts'
import type { MediaOptions } from './options.ts'
import type { Item } from './schemas.ts'

const PAGE = 50
const QUIET = { 'cache-control': 'no-store' }

const STANDING: Readonly<Record<Status, string>> = says({
  pending: 'Waiting for upload',
  uploaded: 'Waiting for checks',
  processing: 'Checking',
  ready: 'Ready',
  rejected: 'Rejected',
  expired: 'Upload expired',
})

/** `1536` → `1.5 KiB`. */
export function sizeInWords(size: number): string {
  if (size < KIB) return `${size} B`
  const [unit, word] = size < MIB ? [KIB, 'KiB'] : [MIB, 'MiB']
  return `${(size / unit).toFixed(1).replace(/\.0$/, '')} ${word}`
}

const line = ({ id, fileName, size, status, rejection, createdAt }: Item) => ({
  id,
  fileName,
  createdAt,
  size: sizeInWords(size),
  rejected: status === 'rejected',
  standing: rejection?.detail ?? STANDING[status],
  ...(status === 'ready' && { download: `/files/${id}/download` }),
})

export function filePages({ media }: Deps<'media'>, { allow, maxBytes }: MediaOptions) {
  const taken = KNOWN_TYPES.filter(type => (allow as readonly string[]).includes(type))
  const accept = taken.flatMap(type => (TYPES[type]?.extensions ?? []).map(extension => `.${extension}`)).join(',')

  const files = page({
    name: 'media.files',
    path: '/files',
    title: 'Files',
    allow: 'media.item.read',
    async load({ tenantId, caller, query }) {
      const { data, nextCursor } = await media.rows.list(tenantId, { limit: PAGE, cursor: query.cursor })
      return {
        headers: QUIET,
        data: {
          files: data.map(line),
          next: nextCursor && `/files?cursor=${encodeURIComponent(nextCursor)}`,
          accept,
          largest: sizeInWords(bytes(maxBytes)),
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
      const { id, fileName } = await media.rows.get(tenantId, String(params.id))
      return { data: { id, fileName }, headers: QUIET }
    },
    async post({ tenantId, params }) {
      await media.closing.remove(tenantId, String(params.id))
      return { redirect: '/files' }
    },
  })

  const download = page({
    name: 'media.download',
    path: '/files/:id/download',
    title: 'Download',
    allow: 'media.item.read',
    async load({ tenantId, params, query }) {
      const { url } = await media.downloads.url(tenantId, String(params.id), query.variant)
      return { redirect: url, headers: QUIET }
    },
  })

  return [files, remove, download]
}
