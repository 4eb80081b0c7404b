/** Images that everyone may see, at addresses that don't expire: `/media/<id>/<variant>`. */
import type { Readable } from 'node:stream'
import { common, type Deps, isSuspendedSql } from '@larder-dev/larder/kernel'
import { fileKey } from '../domain/storage-keys.ts'
import { problems } from '../problems.ts'
import { type Item, type ItemRow, itemTable, toItem, type Variant } from '../records/item.ts'
import type { Storage } from './storage/storage.ts'

export interface PublicImage {
  readonly variant: Variant
  open(): Promise<Readable>
}
export interface PublicImages {
  /** Throws `not_found`, `not_ready` or `not_publishable`. */
  publish(tenantId: string, id: string): Promise<Item>
  /** Throws `not_found`. */
  unpublish(tenantId: string, id: string): Promise<Item>
  /** A variant of a public image of any tenant. Throws `not_found` for all others. */
  find(id: string, variant: string): Promise<PublicImage>
}

/** Variants are encoded by this server from checked pixels. Original files are never public. */
function assertPublishable({ status, variants }: ItemRow): void {
  if (status !== 'ready') throw problems.not_ready({ status })
  if (variants.length === 0) throw problems.not_publishable()
}

type PublicImagesDeps = Deps<'database' | 'systemDatabase' | 'clock'> & { readonly storage: Storage }

export function createPublicImages({ database, systemDatabase, clock, storage }: PublicImagesDeps): PublicImages {
  const setPublic = (tenantId: string, id: string, isPublic: boolean): Promise<Item> =>
    database.tenant(tenantId).transaction(async unit => {
      const row = await itemTable.get(unit, { id }, { lock: true })
      if (isPublic) assertPublishable(row)
      if (row.isPublic === isPublic) return toItem(row)
      const patch = { isPublic, updatedAt: new Date(clock.now()) }
      await unit.defer([itemTable.updateStep({ id }, patch)])
      return toItem({ ...row, ...patch })
    })

  return {
    publish: (tenantId, id) => setPublic(tenantId, id, true),
    unpublish: (tenantId, id) => setPublic(tenantId, id, false),
    async find(id, name) {
      const { rows } = await systemDatabase
        .acrossTenants('a public image is found by its id, before its tenant is known')
        .query<{ tenantId: string; variants: readonly Variant[]; suspended: boolean }>(
          `select tenant_id as "tenantId", variants, ${isSuspendedSql('media_items.tenant_id')} as suspended
           from media_items where id = $1 and is_public and status = 'ready'`,
          [id],
        )
      const variant = rows[0]?.variants.find(each => each.name === name)
      if (!rows[0] || !variant) throw common.not_found({ what: 'image' })
      const { tenantId, suspended } = rows[0]
      if (suspended) throw common.tenant_suspended()
      return { variant, open: () => storage.read(fileKey({ tenantId, id }, name)) }
    },
  }
}
