/** Uploads: announced, reserved against the quota, received. */
import { bytes, common, type Deps, GIB, MINUTE, milliseconds, newId, type Unit } from 'larder/kernel'
import { quarantineKey } from '../core/keys.ts'
import { canonicalType, fitsExtension, formatName, TYPES } from '../core/types.ts'
import type { MediaOptions } from '../options.ts'
import { problems } from '../problems.ts'
import type { Intent, UploadUrl } from '../schemas.ts'
import type { Storage } from '../storage/storage.ts'
import { insertRow, lockRow, type Row } from './rows.ts'

export const STORAGE = 'media.storage_gb'
/** An upload that began in time may end this much later. */
export const GRACE = 15 * MINUTE

export interface Announced extends Intent {
  /** Who uploads: a user's id. */
  readonly by: string
}

export function createUploads(
  { database, clock, jobs, entitlements }: Deps<'database' | 'clock' | 'jobs', 'entitlements'>,
  options: MediaOptions,
  storage: Storage,
) {
  const limit = bytes(options.maxBytes)
  const lifetime = milliseconds(options.urls.upload)

  /** The type under its usual name. Throws `type_not_allowed`, `wrong_extension`. */
  function check({ fileName, mimeType: said }: { fileName: string; mimeType: string }): string {
    const mimeType = canonicalType(said)
    const allowed: readonly string[] = options.allow
    if (!allowed.includes(mimeType))
      throw problems.type_not_allowed({ allowed: allowed.map(formatName).join(', ') }, { allowed })
    if (!fitsExtension(mimeType, fileName)) {
      const expected = (TYPES[mimeType]?.extensions ?? []).map(extension => `.${extension}`).join(' or ')
      throw problems.wrong_extension({ type: mimeType, expected })
    }
    return mimeType
  }

  /** A pending item; its bytes count from now on. Throws what `check` does, `file_too_large`, `entitlement_exceeded`. */
  async function reserve(tenantId: string, { fileName, mimeType: said, size, sha256, by }: Announced) {
    const mimeType = check({ fileName, mimeType: said })
    if (size > limit) throw problems.file_too_large({ limit })
    const now = clock.now()
    const id = newId('med', now)
    const expiresAt = new Date(now + lifetime)
    const closesAt = new Date(expiresAt.getTime() + GRACE)
    await database.tenant(tenantId).transaction(async unit => {
      await entitlements?.require(tenantId, STORAGE, size / GIB)
      const row = { id, fileName, mimeType, size, sha256: sha256 ?? null, closesAt, createdBy: by }
      await insertRow(unit, tenantId, row, new Date(now))
      await jobs.enqueue('media.close', { mediaId: id }, { at: closesAt, key: id, tenantId })
    })
    return { tenantId, id, mimeType, expiresAt, key: quarantineKey({ tenantId, id }) }
  }

  async function intend(tenantId: string, announced: Announced): Promise<UploadUrl> {
    const upload = await reserve(tenantId, announced)
    const { size, sha256 = null } = announced
    const { url, headers } = await storage.signPut({ ...upload, size, sha256 })
    return {
      mediaId: upload.id,
      url,
      method: 'PUT',
      headers: { ...headers },
      expiresAt: upload.expiresAt.toISOString(),
    }
  }

  async function openRow(unit: Unit, id: string): Promise<Row> {
    const row = await lockRow(unit, id)
    if (!row) throw common.not_found({ what: 'media item' })
    if (row.status === 'expired' || clock.now() >= row.closesAt.getTime()) throw problems.upload_expired()
    if (row.status !== 'pending' && row.status !== 'uploaded') throw problems.already_processed()
    return row
  }

  /** Throws where this item takes no bytes, or none any more. */
  const mustBeOpen = (tenantId: string, id: string): Promise<Row> =>
    database.tenant(tenantId).transaction(unit => openRow(unit, id))

  /** Takes over a whole upload from the scratch folder, of which `size` bytes came. Throws what `mustBeOpen` does. */
  async function arrive(tenantId: string, id: string, path: string, size: number): Promise<void> {
    const { mimeType } = await mustBeOpen(tenantId, id)
    // First the bytes, which may take their time: whoever was quicker meanwhile has its own.
    await storage.put(quarantineKey({ tenantId, id }), path, { mimeType })
    await database.tenant(tenantId).transaction(async unit => {
      await openRow(unit, id)
      await unit.query(`update media_items set status = 'uploaded', size = $2, updated_at = $3 where id = $1`, [
        id,
        size,
        new Date(clock.now()),
      ])
    })
  }

  /** What was reserved for an upload that failed is free at once. */
  async function abandon(tenantId: string, id: string): Promise<void> {
    await database.tenant(tenantId).query(`delete from media_items where id = $1 and status = 'pending'`, [id])
  }

  return { limit, check, reserve, intend, mustBeOpen, arrive, abandon }
}
export type Uploads = ReturnType<typeof createUploads>
