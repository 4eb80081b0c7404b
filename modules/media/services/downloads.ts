/** Signed addresses of what is ready. */
import { type Deps, milliseconds } from 'larder/kernel'
import { variantName } from '../domain/content-disposition.ts'
import { fileKey } from '../domain/storage-keys.ts'
import type { MediaOptions } from '../options.ts'
import { problems } from '../problems.ts'
import { VARIANT_TYPE } from './checks/image.ts'
import type { Row, Rows } from './item-repository.ts'
import type { Storage } from './storage/storage.ts'

/** Name and type of what is downloaded. Throws `not_ready`, `unknown_variant`. */
export function downloadOf(row: Row, variant: string | undefined): { fileName: string; mimeType: string } {
  if (row.status !== 'ready') throw problems.not_ready({ status: row.status })
  if (variant === undefined) return { fileName: row.fileName, mimeType: row.mimeType }
  if (!row.variants.some(({ name }) => name === variant)) throw problems.unknown_variant()
  const { mimeType, extension } = VARIANT_TYPE
  return { fileName: variantName(row.fileName, variant, extension), mimeType }
}

export function createDownloads({ clock }: Deps<'clock'>, { urls }: MediaOptions, storage: Storage, rows: Rows) {
  const lifetime = milliseconds(urls.download)
  return {
    async url(tenantId: string, id: string, variant?: string): Promise<{ url: string; expiresAt: string }> {
      const named = downloadOf(await rows.get(tenantId, id), variant)
      const expiresAt = new Date(clock.now() + lifetime)
      const url = await storage.signGet({
        tenantId,
        id,
        variant,
        key: fileKey({ tenantId, id }, variant),
        expiresAt,
        ...named,
      })
      return { url, expiresAt: expiresAt.toISOString() }
    },
  }
}
export type Downloads = ReturnType<typeof createDownloads>
