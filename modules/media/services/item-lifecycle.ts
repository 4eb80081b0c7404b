/** Expiry, deletion and recovery of items. */
import { type Deps, IS_BACKED_UP_SQL, MINUTE, statementTime, type Unit } from '@larder-dev/larder/kernel'
import { fitsExtension, listExtensions } from '../domain/file-types.ts'
import { retryDelay } from '../domain/retry-delay.ts'
import { quarantineKey } from '../domain/storage-keys.ts'
import { problems } from '../problems.ts'
import { type Item, itemTable, toItem } from '../records/item.ts'
import { storedKeys, toMediaEvent } from './processing-results.ts'
import type { Scratch } from './storage/scratch.ts'
import type { Storage } from './storage/storage.ts'

const DELETE_BATCH_SIZE = 200
const SWEEP_BATCH_SIZE = 100
const AFTER_BACKUP_MS = MINUTE
/** Attempts without a delay. A file that crashes its process must not do so continuously. */
const IMMEDIATE_ATTEMPTS = 3

export interface ItemChange {
  readonly fileName?: string
  readonly folder?: string
}
export interface ItemLifecycle {
  /** Expires an unprocessed upload after its URL expired. Deletes quarantined bytes unless they are being processed. */
  close(tenantId: string, id: string): Promise<void>
  /** Deletes objects that no row names, once no backup runs whose snapshot may have such a row. */
  discard(tenantId: string, keys: readonly string[]): Promise<void>
  /** Throws `not_found`. */
  remove(tenantId: string, id: string): Promise<void>
  /** Throws `not_found` or `wrong_extension`. */
  update(tenantId: string, id: string, change: ItemChange): Promise<Item>
  /** Deletes all items of a tenant with their bytes. Repeatable. */
  deleteAll(tenantId: string): Promise<void>
  /** Enqueues items whose processing lease expired, and deletes old scratch files. */
  sweep(): Promise<void>
}

type LifecycleDeps = Deps<'database' | 'systemDatabase' | 'clock' | 'events' | 'jobs'> & {
  readonly storage: Storage
  readonly scratch: Scratch
}

export function createItemLifecycle(deps: LifecycleDeps): ItemLifecycle {
  const { database, systemDatabase, clock, events, jobs, storage, scratch } = deps
  const now = () => new Date(clock.now())
  const discard: ItemLifecycle['discard'] = async (tenantId, keys) => {
    if (!(await isBackedUp(database.tenant(tenantId)))) return storage.remove(keys)
    const at = new Date(clock.now() + AFTER_BACKUP_MS)
    await jobs.enqueue('media.discard', { keys: [...keys] }, { tenantId, at })
  }
  return {
    discard,

    async close(tenantId, id) {
      const isUnused = await database.tenant(tenantId).transaction(async unit => {
        const row = await itemTable.find(unit, { id }, { lock: true })
        if (row?.status === 'processing') return false
        if (row?.status === 'pending' || row?.status === 'uploaded')
          await itemTable.update(unit, { id }, { status: 'expired', updatedAt: now() })
        return true
      })
      if (isUnused) await discard(tenantId, [quarantineKey({ tenantId, id })])
    },

    async remove(tenantId, id) {
      await database.tenant(tenantId).transaction(async unit => {
        const row = await itemTable.get(unit, { id }, { lock: true })
        await unit.defer([itemTable.deleteStep({ id })])
        // The signed URL can still receive bytes; `close` deletes those after it expires.
        const keys = [...storedKeys(tenantId, row), quarantineKey({ tenantId, id })]
        await jobs.enqueue('media.discard', { keys }, { tenantId })
        await events.publish('media.item.deleted', { payload: toMediaEvent(row), subject: id, tenantId })
      })
    },

    async update(tenantId, id, change) {
      return database.tenant(tenantId).transaction(async unit => {
        const row = await itemTable.get(unit, { id }, { lock: true })
        const { mimeType } = row
        const { fileName = row.fileName } = change
        if (!fitsExtension(mimeType, fileName))
          throw problems.wrong_extension({ type: mimeType, expected: listExtensions(mimeType) })
        return toItem(await itemTable.update(unit, { id }, { ...change, updatedAt: now() }))
      })
    },

    async deleteAll(tenantId) {
      let deleted = DELETE_BATCH_SIZE
      while (deleted === DELETE_BATCH_SIZE)
        deleted = await database.tenant(tenantId).transaction(async unit => {
          // Until the end of the transaction, no backup begins.
          if (await isBackedUp(unit)) throw new Error('a backup runs: files are deleted after it')
          const { rows } = await unit.query<Pick<Item, 'id' | 'variants'>>(
            `select id, variants from media_items order by id limit ${DELETE_BATCH_SIZE}`,
          )
          // Objects before rows, so that a repeated run finds the objects that an interrupted one left.
          const keys = rows.flatMap(row => [...storedKeys(tenantId, row), quarantineKey({ tenantId, id: row.id })])
          await storage.remove(keys)
          await unit.query('delete from media_items where id = any ($1)', [rows.map(({ id }) => id)])
          return rows.length
        })
    },

    async sweep() {
      const { rows } = await systemDatabase
        .acrossTenants('items of every tenant whose process died are processed again')
        .query<{ id: string; tenantId: string; tries: number }>(
          `select id, tenant_id as "tenantId", tries from media_items
           where status = 'processing' and hold is null and (claimed_until is null or claimed_until < coalesce($1::timestamptz, statement_timestamp()))
           limit ${SWEEP_BATCH_SIZE}`,
          [statementTime(clock)],
        )
      for (const { id, tenantId, tries } of rows) {
        const isDelayed = tries > IMMEDIATE_ATTEMPTS
        const at = isDelayed ? new Date(clock.now() + retryDelay(tries - IMMEDIATE_ATTEMPTS)) : undefined
        await jobs.enqueue('media.process', { mediaId: id }, { key: id, tenantId, at })
      }
      await scratch.sweep()
    },
  }
}

async function isBackedUp(unit: Unit): Promise<boolean> {
  const { rows } = await unit.query<{ running: boolean }>(`select ${IS_BACKED_UP_SQL} as running`)
  return rows[0]?.running === true
}
