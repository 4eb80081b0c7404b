/** Uploads: announced by an intent, reserved against the quota, received into quarantine. */
import { bytes, type Deps, formatSize, GIB, MINUTE, milliseconds, newId, together } from '@larder-dev/larder/kernel'
import { fitsExtension, formatName, listExtensions, typeOfUpload } from '../domain/file-types.ts'
import { quarantineKey } from '../domain/storage-keys.ts'
import type { MediaOptions } from '../options.ts'
import { problems } from '../problems.ts'
import { type ItemRow, itemTable } from '../records/item.ts'
import type { UploadIntent, UploadUrl } from '../records/upload.ts'
import type { Storage } from './storage/storage.ts'

const STORAGE_ENTITLEMENT = 'media.storage_gb'
/** About the size of an item's row and its index entries. */
const ITEM_ROW_BYTES = 512
/** An upload that starts before its URL expires can take this much longer. */
export const UPLOAD_GRACE_MS = 15 * MINUTE

export interface NewUpload extends UploadIntent {
  readonly userId: string
}
export interface ReservedUpload {
  readonly tenantId: string
  readonly id: string
  readonly mimeType: string
  readonly expiresAt: Date
  readonly key: string
}
export interface ReceivedUpload {
  readonly id: string
  readonly mimeType: string
  /** By default the one that was reserved. */
  readonly folder?: string
  /** In the scratch folder. */
  readonly path: string
  /** Bytes. */
  readonly size: number
}
export interface Uploads {
  /** Bytes of one file. */
  readonly maxBytes: number
  /**
   * Creates a pending item, whose bytes count against the quota. Throws `type_not_allowed`, `wrong_extension`,
   * `file_too_large` or `entitlement_exceeded`.
   */
  reserve(tenantId: string, upload: NewUpload): Promise<ReservedUpload>
  /** Reserves an upload and signs its URL. */
  createIntent(tenantId: string, upload: NewUpload): Promise<UploadUrl>
  /** Throws `not_found`, `upload_expired` or `already_processed`. */
  assertOpen(tenantId: string, id: string): Promise<ItemRow>
  /** Moves a complete upload from the scratch folder to quarantine. Throws what `assertOpen` throws. */
  receive(tenantId: string, upload: ReceivedUpload): Promise<void>
  /** Deletes a pending item after a failed upload, which releases its bytes. */
  abandon(tenantId: string, id: string): Promise<void>
}

type UploadDeps = Deps<'database' | 'clock' | 'jobs', 'entitlements'> & { readonly storage: Storage }

export function createUploads(deps: UploadDeps, options: MediaOptions): Uploads {
  const { database, clock, jobs, entitlements, storage } = deps
  const maxBytes = bytes(options.maxBytes)
  const lifetime = milliseconds(options.urls.upload)

  /** Returns the canonical media type. */
  function checkType(fileName: string, declaredType: string): string {
    const mimeType = typeOfUpload(declaredType, fileName)
    const allowed: readonly string[] = options.allow
    if (!allowed.includes(mimeType))
      throw problems.type_not_allowed({ allowed: allowed.map(formatName).join(', ') }, { allowed })
    if (!fitsExtension(mimeType, fileName))
      throw problems.wrong_extension({ type: mimeType, expected: listExtensions(mimeType) })
    return mimeType
  }

  const reserve: Uploads['reserve'] = async (tenantId, upload) => {
    const { fileName, folder = '', size, sha256 = null, userId } = upload
    const mimeType = checkType(fileName, upload.mimeType)
    if (size > maxBytes) throw problems.file_too_large({ limit: formatSize(maxBytes) })
    const now = clock.now()
    const id = newId('med', now)
    const expiresAt = new Date(now + lifetime)
    const closesAt = new Date(expiresAt.getTime() + UPLOAD_GRACE_MS)
    await database.tenant(tenantId).transaction(async unit => {
      await together({
        storage: entitlements?.require(tenantId, STORAGE_ENTITLEMENT, size / GIB),
        rowStorage: entitlements?.requireRowStorage(tenantId, ITEM_ROW_BYTES),
      })
      const times = { closesAt, createdAt: new Date(now), updatedAt: new Date(now) }
      const item = { tenantId, id, fileName, folder, mimeType, size, sha256, createdBy: userId, ...times }
      const inserted = unit.defer([itemTable.insertStep({ ...item, status: 'pending' })])
      const enqueued = jobs.enqueue('media.close', { mediaId: id }, { at: closesAt, key: id, tenantId })
      await Promise.all([inserted, enqueued])
    })
    return { tenantId, id, mimeType, expiresAt, key: quarantineKey({ tenantId, id }) }
  }

  const assertOpen: Uploads['assertOpen'] = async (tenantId, id) => {
    const row = await itemTable.get(database.tenant(tenantId), { id })
    if (row.status === 'expired' || clock.now() >= row.closesAt.getTime()) throw problems.upload_expired()
    if (row.status !== 'pending' && row.status !== 'uploaded') throw problems.already_processed()
    return row
  }

  return {
    maxBytes,
    reserve,
    assertOpen,

    async createIntent(tenantId, upload) {
      const reserved = await reserve(tenantId, upload)
      const { size, sha256 = null } = upload
      const { url, headers } = await storage.signPut({ ...reserved, size, sha256 })
      const expiresAt = reserved.expiresAt.toISOString()
      return { mediaId: reserved.id, url, method: 'PUT', headers: { ...headers }, expiresAt }
    },

    async receive(tenantId, { id, mimeType, folder, path, size }) {
      // Outside a transaction, because storing can take long. A concurrent upload can finish first.
      await storage.put(quarantineKey({ tenantId, id }), path, { mimeType })
      const { rowCount } = await database.tenant(tenantId).query(
        `update media_items set status = 'uploaded', size = $2, updated_at = $3, folder = coalesce($4, folder)
         where id = $1 and status in ('pending', 'uploaded') and closes_at > $3`,
        [id, size, new Date(clock.now()), folder ?? null],
      )
      if (rowCount === 0) await assertOpen(tenantId, id)
    },

    async abandon(tenantId, id) {
      await database.tenant(tenantId).query(...itemTable.deleteStep({ id, status: 'pending' }))
    },
  }
}
