/** What becomes of an item after it was processed: written by whoever still holds the claim, and by nobody else. */
import type { Deps, Unit } from 'larder/kernel'
import type { Rejection } from '../domain/rejections.ts'
import { holdDelay } from '../domain/retry-delay.ts'
import type { Hold, Status } from '../domain/status.ts'
import { fileKey, quarantineKey } from '../domain/storage-keys.ts'
import type { MediaNotice } from '../ports.ts'
import type { Item, Variant } from '../schemas.ts'
import { lockRow, type Row } from './item-repository.ts'

export interface Picture {
  readonly width: number | null
  readonly height: number | null
  readonly variants: readonly Variant[]
}

export const noticeOf = ({ id, fileName, mimeType, size }: Item): MediaNotice => ({
  mediaId: id,
  fileName,
  mimeType,
  size,
})
/** Everything that was kept of an item. */
export const keptKeys = (tenantId: string, { id, variants }: Pick<Item, 'id' | 'variants'>): string[] => [
  fileKey({ tenantId, id }),
  ...variants.map(({ name }) => fileKey({ tenantId, id }, name)),
]

export function createResults({ database, clock, events, jobs }: Deps<'database' | 'clock' | 'events' | 'jobs'>) {
  const now = () => new Date(clock.now())
  const discard = (tenantId: string, keys: string[]) => jobs.enqueue('media.discard', { keys }, { tenantId })

  /** False where the claim was lost meanwhile. */
  async function settle(tenantId: string, row: Row, write: (unit: Unit) => Promise<void>): Promise<boolean> {
    return database.tenant(tenantId).transaction(async unit => {
      const current = await lockRow(unit, row.id)
      if (!current || current.claim !== row.claim || current.status !== 'processing') return false
      await unit.query('update media_items set claim = null, claimed_until = null, updated_at = $2 where id = $1', [
        row.id,
        now(),
      ])
      await write(unit)
      return true
    })
  }

  /** Its address may be used until then: the quarantine is emptied afterwards. */
  async function emptyQuarantine(tenantId: string, { id, closesAt }: Row): Promise<void> {
    if (clock.now() >= closesAt.getTime()) await discard(tenantId, [quarantineKey({ tenantId, id })])
  }

  async function ready(tenantId: string, row: Row, { width, height, variants }: Picture): Promise<void> {
    const written = await settle(tenantId, row, async unit => {
      await unit.query(
        `update media_items set status = 'ready', width = $2, height = $3, variants = $4 where id = $1`,
        [row.id, width, height, JSON.stringify(variants)],
      )
      await events.publish('media.item.ready', { payload: noticeOf(row), subject: row.id, tenantId })
      await emptyQuarantine(tenantId, row)
    })
    if (!written) await forget(tenantId, row, variants)
  }

  /** Deleted while it was processed: what was just kept belongs to nobody. */
  async function forget(tenantId: string, { id }: Row, variants: readonly Variant[]): Promise<void> {
    const { rowCount } = await database.tenant(tenantId).query('select 1 from media_items where id = $1', [id])
    if (rowCount === 0) await discard(tenantId, keptKeys(tenantId, { id, variants: [...variants] }))
  }

  const rejected = (tenantId: string, row: Row, rejection: Rejection) =>
    settle(tenantId, row, async unit => {
      await unit.query(`update media_items set status = 'rejected', rejection = $2 where id = $1`, [
        row.id,
        JSON.stringify(rejection),
      ])
      await events.publish('media.item.rejected', {
        payload: { ...noticeOf(row), rejection },
        subject: row.id,
        tenantId,
      })
      await emptyQuarantine(tenantId, row)
    })

  const held = (tenantId: string, row: Row, reason: Hold) =>
    settle(tenantId, row, async unit => {
      await unit.query('update media_items set hold = $2 where id = $1', [row.id, reason])
      await continueLater(tenantId, row.id, holdDelay(row.tries))
    })

  /**
   * Not done, and not the file's fault: its uploader asks again. Where nobody can any more, `media.sweep` does, or, of
   * a file without bytes, nobody needs to.
   */
  const back = (tenantId: string, row: Row, found: 'pending' | 'uploaded') =>
    settle(tenantId, row, async unit => {
      const open = clock.now() < row.closesAt.getTime()
      const late: Status = found === 'pending' ? 'expired' : 'processing'
      await unit.query('update media_items set status = $2 where id = $1', [row.id, open ? found : late])
    })

  const unfinished = (tenantId: string, row: Row) =>
    settle(tenantId, row, async () => {
      await continueLater(tenantId, row.id, 0)
    })

  const continueLater = (tenantId: string, mediaId: string, delay: number) =>
    jobs.enqueue('media.process', { mediaId }, { key: mediaId, tenantId, at: new Date(clock.now() + delay) })

  return { ready, rejected, held, back, unfinished }
}
export type Results = ReturnType<typeof createResults>
