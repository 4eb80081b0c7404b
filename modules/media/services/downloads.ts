import { type Deps, milliseconds } from '@larder-dev/larder/kernel'
import { variantName } from '../domain/content-disposition.ts'
import { fileKey } from '../domain/storage-keys.ts'
import type { MediaOptions } from '../options.ts'
import { problems } from '../problems.ts'
import type { Item, ItemRow } from '../records/item.ts'
import { VARIANT_TYPE } from './checks/image.ts'
import type { ItemRepository } from './item-repository.ts'
import type { Storage } from './storage/storage.ts'

export interface Downloads {
  /** Signs a download URL. Throws `not_found`, `not_ready` or `unknown_variant`. */
  url(tenantId: string, id: string, variant?: string): Promise<{ url: string; expiresAt: string }>
  /** The item with the signed address of its thumbnail, if it has one. */
  withThumbnail(tenantId: string, item: Item): Promise<Item>
}

/** The variant for lists. */
const THUMBNAIL = 'thumbnail'

/** Name and type of the downloaded file. Throws `not_ready` or `unknown_variant`. */
export function downloadOf(row: ItemRow, variant: string | undefined): { fileName: string; mimeType: string } {
  if (row.status !== 'ready') throw problems.not_ready({ status: row.status })
  if (variant === undefined) return { fileName: row.fileName, mimeType: row.mimeType }
  if (!row.variants.some(({ name }) => name === variant)) throw problems.unknown_variant()
  const { mimeType, extension } = VARIANT_TYPE
  return { fileName: variantName(row.fileName, variant, extension), mimeType }
}

type DownloadDeps = Deps<'clock'> & { readonly storage: Storage; readonly items: ItemRepository }

export function createDownloads({ clock, storage, items }: DownloadDeps, { urls }: MediaOptions): Downloads {
  const lifetime = milliseconds(urls.download)
  return {
    async url(tenantId, id, variant) {
      const download = downloadOf(await items.get(tenantId, id), variant)
      const expiresAt = new Date(clock.now() + lifetime)
      const key = fileKey({ tenantId, id }, variant)
      const url = await storage.signGet({ tenantId, id, variant, key, expiresAt, ...download })
      return { url, expiresAt: expiresAt.toISOString() }
    },
    async withThumbnail(tenantId, item) {
      const { id, fileName, status, variants } = item
      if (status !== 'ready' || !variants.some(({ name }) => name === THUMBNAIL)) return item
      const expiresAt = new Date(clock.now() + lifetime)
      const { mimeType, extension } = VARIANT_TYPE
      const thumbnailUrl = await storage.signGet({
        ...{ tenantId, id, variant: THUMBNAIL, key: fileKey({ tenantId, id }, THUMBNAIL), expiresAt, mimeType },
        fileName: variantName(fileName, THUMBNAIL, extension),
      })
      return { ...item, thumbnailUrl }
    },
  }
}
