import { type Deps, milliseconds } from '@larder-dev/larder/kernel'
import { variantName } from '../domain/content-disposition.ts'
import { fileKey } from '../domain/storage-keys.ts'
import type { MediaOptions } from '../options.ts'
import { problems } from '../problems.ts'
import type { Item } from '../records/item.ts'
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

type DownloadedItem = Pick<Item, 'id' | 'status' | 'fileName' | 'mimeType' | 'variants'>

/** Name and type of the downloaded file. Throws `not_ready` or `unknown_variant`. */
export function downloadOf(row: DownloadedItem, variant: string | undefined): { fileName: string; mimeType: string } {
  if (row.status !== 'ready') throw problems.not_ready({ status: row.status })
  if (variant === undefined) return { fileName: row.fileName, mimeType: row.mimeType }
  if (!row.variants.some(({ name }) => name === variant)) throw problems.unknown_variant()
  const { mimeType, extension } = VARIANT_TYPE
  return { fileName: variantName(row.fileName, variant, extension), mimeType }
}

type DownloadDeps = Deps<'clock'> & { readonly storage: Storage; readonly items: ItemRepository }

export function createDownloads({ clock, storage, items }: DownloadDeps, { urls }: MediaOptions): Downloads {
  const lifetime = milliseconds(urls.download)

  async function sign(tenantId: string, item: DownloadedItem, variant: string | undefined) {
    const download = downloadOf(item, variant)
    const expiresAt = new Date(clock.now() + lifetime)
    const file = { tenantId, id: item.id }
    const url = await storage.signGet({ ...file, variant, key: fileKey(file, variant), expiresAt, ...download })
    return { url, expiresAt: expiresAt.toISOString() }
  }

  return {
    url: async (tenantId, id, variant) => sign(tenantId, await items.get(tenantId, id), variant),
    async withThumbnail(tenantId, item) {
      if (item.status !== 'ready' || !item.variants.some(({ name }) => name === THUMBNAIL)) return item
      return { ...item, thumbnailUrl: (await sign(tenantId, item, THUMBNAIL)).url }
    },
  }
}
