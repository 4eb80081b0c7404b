/** Writes the result of processing an item. Only the process with the lease can write it. */
import type { Deps, Unit } from 'larder/kernel'
import type { Rejection } from '../domain/rejections.ts'
import { retryDelay } from '../domain/retry-delay.ts'
import type { Hold, Status } from '../domain/status.ts'
import { fileKey, quarantineKey } from '../domain/storage-keys.ts'
import type { MediaReference } from '../ports.ts'
import type { Item, Variant } from '../records/item.ts'
import { type ItemRow, lockItem } from './item-repository.ts'

export interface ImageResult {
  readonly width: number | null
  readonly height: number | null
  readonly variants: readonly Variant[]
}
/** All methods return the item as they have stored it, or undefined if the lease was lost. */
export interface ProcessingResults {
  ready(tenantId: string, row: ItemRow, image: ImageResult): Promise<ItemRow | undefined>
  rejected(tenantId: string, row: ItemRow, rejection: Rejection): Promise<ItemRow | undefined>
  /** The item is scanned again after a delay. */
  held(tenantId: string, row: ItemRow, reason: Hold): Promise<ItemRow | undefined>
  /**
   * Processing failed for a reason outside the file: restores `previous`, so that the uploader can retry. After the URL
   * expired, `media.sweep` retries an uploaded item, and a pending one expires.
   */
  restore(tenantId: string, row: ItemRow, previous: 'pending' | 'uploaded'): Promise<ItemRow | undefined>
  /** Processing took longer than the request: a job continues it. */
  continueInWorker(tenantId: string, row: ItemRow): Promise<ItemRow | undefined>
}

export const toMediaEvent = ({ id, fileName, mimeType, size }: MediaReference) => ({
  mediaId: id,
  fileName,
  mimeType,
  size,
})
/** Storage keys of the file and its variants. */
export const storedKeys = (tenantId: string, { id, variants }: Pick<Item, 'id' | 'variants'>): string[] => [
  fileKey({ tenantId, id }),
  ...variants.map(({ name }) => fileKey({ tenantId, id }, name)),
]

export function createProcessingResults({
  database,
  clock,
  events,
  jobs,
}: Deps<'database' | 'clock' | 'events' | 'jobs'>): ProcessingResults {
  const discard = (tenantId: string, keys: string[]) => jobs.enqueue('media.discard', { keys }, { tenantId })
  const enqueue = (tenantId: string, mediaId: string, delay: number) =>
    jobs.enqueue('media.process', { mediaId }, { key: mediaId, tenantId, at: new Date(clock.now() + delay) })

  /** Ends the lease. `write` returns what it changes. */
  async function settle(
    tenantId: string,
    row: ItemRow,
    write: (unit: Unit) => Promise<Partial<ItemRow>>,
  ): Promise<ItemRow | undefined> {
    return database.tenant(tenantId).transaction(async unit => {
      const current = await lockItem(unit, row.id)
      if (!current || current.claim !== row.claim || current.status !== 'processing') return undefined
      const updatedAt = new Date(clock.now())
      await unit.defer([
        [
          'update media_items set claim = null, claimed_until = null, updated_at = $2 where id = $1',
          [row.id, updatedAt],
        ],
      ])
      return { ...current, claim: null, updatedAt, ...(await write(unit)) }
    })
  }

  /** While its URL is valid, the uploader can write to quarantine again; `media.close` deletes that later. */
  async function emptyQuarantine(tenantId: string, { id, closesAt }: ItemRow): Promise<void> {
    if (clock.now() >= closesAt.getTime()) await discard(tenantId, [quarantineKey({ tenantId, id })])
  }

  /** If the item was deleted during processing, its new objects have no owner. */
  async function discardOrphans(tenantId: string, { id }: ItemRow, variants: readonly Variant[]): Promise<void> {
    const { rowCount } = await database.tenant(tenantId).query('select 1 from media_items where id = $1', [id])
    if (rowCount === 0) await discard(tenantId, storedKeys(tenantId, { id, variants: [...variants] }))
  }

  return {
    async ready(tenantId, row, { width, height, variants }) {
      const written = await settle(tenantId, row, async unit => {
        await unit.defer([
          [
            `update media_items set status = 'ready', width = $2, height = $3, variants = $4 where id = $1`,
            [row.id, width, height, JSON.stringify(variants)],
          ],
        ])
        await events.publish('media.item.ready', { payload: toMediaEvent(row), subject: row.id, tenantId })
        await emptyQuarantine(tenantId, row)
        return { status: 'ready', width, height, variants: [...variants] }
      })
      if (!written) await discardOrphans(tenantId, row, variants)
      return written
    },

    async rejected(tenantId, row, rejection) {
      return settle(tenantId, row, async unit => {
        await unit.defer([
          [
            `update media_items set status = 'rejected', rejection = $2 where id = $1`,
            [row.id, JSON.stringify(rejection)],
          ],
        ])
        const payload = { ...toMediaEvent(row), rejection }
        await events.publish('media.item.rejected', { payload, subject: row.id, tenantId })
        await emptyQuarantine(tenantId, row)
        return { status: 'rejected', rejection }
      })
    },

    async held(tenantId, row, reason) {
      return settle(tenantId, row, async unit => {
        await unit.defer([['update media_items set hold = $2 where id = $1', [row.id, reason]]])
        await enqueue(tenantId, row.id, retryDelay(row.tries))
        return { hold: { reason } }
      })
    },

    async restore(tenantId, row, previous) {
      return settle(tenantId, row, async unit => {
        const isOpen = clock.now() < row.closesAt.getTime()
        const afterExpiry: Status = previous === 'pending' ? 'expired' : 'processing'
        const status = isOpen ? previous : afterExpiry
        await unit.defer([['update media_items set status = $2 where id = $1', [row.id, status]]])
        return { status }
      })
    },

    async continueInWorker(tenantId, row) {
      return settle(tenantId, row, async () => {
        await enqueue(tenantId, row.id, 0)
        return {}
      })
    },
  }
}
