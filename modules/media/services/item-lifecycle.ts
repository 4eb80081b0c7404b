/** The end of uploads and items: what was forgotten, deleted, or left behind by a process that died. */
import { common, type Deps } from 'larder/kernel'
import { fitsExtension, TYPES } from '../domain/file-types.ts'
import { holdDelay } from '../domain/retry-delay.ts'
import { quarantineKey } from '../domain/storage-keys.ts'
import { problems } from '../problems.ts'
import type { Item } from '../schemas.ts'
import { lockRow } from './item-repository.ts'
import { keptKeys, noticeOf } from './processing-results.ts'
import type { Scratch } from './storage/scratch.ts'
import type { Storage } from './storage/storage.ts'

/** Items of a tenant that go at a time. */
const BATCH = 200
/** Tries of an item after which it waits for its next one. */
const FEW = 3

type ClosingDeps = Deps<'database' | 'clock' | 'events' | 'jobs'>

export function createClosing({ database, clock, events, jobs }: ClosingDeps, storage: Storage, scratch: Scratch) {
  /** No upload comes any more: a forgotten one expires, and what lies in quarantine goes unless it is worked on. */
  async function close(tenantId: string, id: string): Promise<void> {
    const forgotten = await database.tenant(tenantId).transaction(async unit => {
      const row = await lockRow(unit, id)
      if (row?.status === 'processing') return false
      if (row?.status === 'pending' || row?.status === 'uploaded')
        await unit.query(`update media_items set status = 'expired', updated_at = $2 where id = $1`, [
          id,
          new Date(clock.now()),
        ])
      return true
    })
    if (forgotten) await storage.remove([quarantineKey({ tenantId, id })])
  }

  async function remove(tenantId: string, id: string): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const row = await lockRow(unit, id)
      if (!row) throw common.not_found({ what: 'media item' })
      await unit.query('delete from media_items where id = $1', [id])
      // Something may still arrive under its signed address: `close` looks again when that is over.
      const keys = [...keptKeys(tenantId, row), quarantineKey({ tenantId, id })]
      await jobs.enqueue('media.discard', { keys }, { tenantId })
      await events.publish('media.item.deleted', { payload: noticeOf(row), subject: id, tenantId })
    })
  }

  async function rename(tenantId: string, id: string, fileName: string): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const row = await lockRow(unit, id)
      if (!row) throw common.not_found({ what: 'media item' })
      const { mimeType } = row
      const expected = (TYPES[mimeType]?.extensions ?? []).map(extension => `.${extension}`).join(' or ')
      if (!fitsExtension(mimeType, fileName)) throw problems.wrong_extension({ type: mimeType, expected })
      await unit.query('update media_items set file_name = $2, updated_at = $3 where id = $1', [
        id,
        fileName,
        new Date(clock.now()),
      ])
    })
  }

  /** Deletes the objects before their rows, so that an interrupted run finds the remaining ones again. */
  async function deleteAll(tenantId: string): Promise<void> {
    const unit = database.tenant(tenantId)
    let deleted = BATCH
    while (deleted === BATCH) {
      const { rows } = await unit.query<Pick<Item, 'id' | 'variants'>>(
        `select id, variants from media_items order by id limit ${BATCH}`,
      )
      await storage.remove(rows.flatMap(row => [...keptKeys(tenantId, row), quarantineKey({ tenantId, id: row.id })]))
      await unit.query('delete from media_items where id = any ($1)', [rows.map(({ id }) => id)])
      deleted = rows.length
    }
  }

  /** Items whose claim has lapsed go to the worker. */
  async function sweep(): Promise<void> {
    const { rows } = await database
      .system('items of every tenant whose process died')
      .query<{ id: string; tenant_id: string; tries: number }>(
        `select id, tenant_id, tries from media_items
         where status = 'processing' and hold is null and (claimed_until is null or claimed_until < $1) limit 100`,
        [new Date(clock.now())],
      )
    for (const { id, tenant_id, tries } of rows) {
      // A file that takes its process down with it must not do so all day.
      const at = new Date(clock.now() + (tries > FEW ? holdDelay(tries - FEW) : 0))
      await jobs.enqueue('media.process', { mediaId: id }, { key: id, tenantId: tenant_id, at })
    }
    await scratch.sweep()
  }

  return { close, remove, rename, deleteAll, sweep }
}
export type Closing = ReturnType<typeof createClosing>
