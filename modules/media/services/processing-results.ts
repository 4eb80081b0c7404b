/** Writes the result of processing an item. Only the process with the lease can write it. */
import type { Deps } from '@larder-dev/larder/kernel'
import type { Rejection } from '../domain/rejections.ts'
import { retryDelay } from '../domain/retry-delay.ts'
import type { Hold, Status } from '../domain/status.ts'
import { fileKey, quarantineKey } from '../domain/storage-keys.ts'
import type { MediaReference } from '../ports.ts'
import { type Item, type ItemRow, itemTable, type Variant } from '../records/item.ts'

export interface ImageResult {
  readonly width: number | null
  readonly height: number | null
  readonly animated: boolean
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

  /** Ends the lease. `conclude` returns what else changes. */
  async function settle(
    tenantId: string,
    row: ItemRow,
    conclude: () => Promise<Partial<ItemRow>>,
  ): Promise<ItemRow | undefined> {
    return database.tenant(tenantId).transaction(async unit => {
      const current = await itemTable.find(unit, { id: row.id }, { lock: true })
      if (!current || current.claim !== row.claim || current.status !== 'processing') return undefined
      const patch = { claim: null, updatedAt: new Date(clock.now()), ...(await conclude()) }
      await unit.defer([itemTable.updateStep({ id: row.id }, { ...patch, claimedUntil: null })])
      return { ...current, ...patch }
    })
  }

  /** While its URL is valid, the uploader can write to quarantine again; `media.close` deletes that later. */
  const emptyQuarantine = (tenantId: string, { id }: ItemRow) => discard(tenantId, [quarantineKey({ tenantId, id })])

  /** If the item was deleted during processing, its new objects have no owner. */
  async function discardOrphans(tenantId: string, { id }: ItemRow, variants: readonly Variant[]): Promise<void> {
    if (!(await itemTable.find(database.tenant(tenantId), { id })))
      await discard(tenantId, storedKeys(tenantId, { id, variants: [...variants] }))
  }

  return {
    async ready(tenantId, row, { width, height, animated, variants }) {
      const written = await settle(tenantId, row, async () => {
        await events.publish('media.item.ready', { payload: toMediaEvent(row), subject: row.id, tenantId })
        await emptyQuarantine(tenantId, row)
        return { status: 'ready', width, height, animated, variants: [...variants] }
      })
      if (!written) await discardOrphans(tenantId, row, variants)
      return written
    },

    async rejected(tenantId, row, rejection) {
      return settle(tenantId, row, async () => {
        const payload = { ...toMediaEvent(row), rejection }
        await events.publish('media.item.rejected', { payload, subject: row.id, tenantId })
        await emptyQuarantine(tenantId, row)
        return { status: 'rejected', rejection }
      })
    },

    async held(tenantId, row, reason) {
      return settle(tenantId, row, async () => {
        await enqueue(tenantId, row.id, retryDelay(row.tries))
        return { hold: reason }
      })
    },

    async restore(tenantId, row, previous) {
      return settle(tenantId, row, async () => {
        const isOpen = clock.now() < row.closesAt.getTime()
        const afterExpiry: Status = previous === 'pending' ? 'expired' : 'processing'
        return { status: isOpen ? previous : afterExpiry }
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
