/** Checks a quarantined file: acquires the lease, runs the pipeline on a snapshot, and stores exactly those bytes. */
import { type Deps, SECOND } from '@larder-dev/larder/kernel'
import { TYPES } from '../domain/file-types.ts'
import { rejection } from '../domain/rejections.ts'
import { isFinal } from '../domain/status.ts'
import { fileKey, quarantineKey } from '../domain/storage-keys.ts'
import { problems } from '../problems.ts'
import type { ItemRow } from '../records/item.ts'
import type { ItemRepository } from './item-repository.ts'
import type { Outcome, Pipeline } from './pipeline.ts'
import type { ProcessingLease, ProcessingLeases } from './processing-lease.ts'
import type { ProcessingResults } from './processing-results.ts'
import type { Scratch } from './storage/scratch.ts'
import type { Snapshot, Storage } from './storage/storage.ts'

export interface Processing {
  /**
   * Returns the processed item: final, held, or still `processing` if `signal` ended the wait. Concurrent calls process
   * an item once. Throws `not_found`, `not_uploaded`, `upload_expired` or `storage_unavailable`.
   */
  process(tenantId: string, id: string, signal: AbortSignal): Promise<ItemRow>
}
type ProcessingDeps = Deps<'log'> & {
  readonly items: ItemRepository
  readonly processingLeases: ProcessingLeases
  readonly processingResults: ProcessingResults
  readonly storage: Storage
  readonly scratch: Scratch
  readonly pipeline: Pipeline
}

/** `item` is undefined if the lease was lost. */
interface Checked {
  readonly item: ItemRow | undefined
}

/** A file that is replaced this often during its check is rejected. */
const MAX_SNAPSHOTS = 3
const POLL_INTERVAL_MS = 0.1 * SECOND

export function createProcessing(deps: ProcessingDeps): Processing {
  const { log, items, processingLeases: leases, processingResults: results, storage, scratch, pipeline } = deps

  /** Returns the item, or undefined if another process has its lease. */
  async function run(tenantId: string, lease: ProcessingLease, timeout: AbortSignal): Promise<ItemRow | undefined> {
    const { row } = lease
    const signal = AbortSignal.any([lease.signal, timeout])
    try {
      const checked = await check(tenantId, row, signal)
      if (checked) return checked.item
      await results.restore(tenantId, row, 'pending')
      throw problems.not_uploaded()
    } catch (error) {
      if (!signal.aborted) {
        await results.restore(tenantId, row, 'uploaded')
        throw error
      }
      log.info({ item: row.id }, 'a worker continues the processing of a file')
      return await results.continueInWorker(tenantId, row)
    } finally {
      lease.release()
    }
  }

  /** Returns undefined if nothing was uploaded. */
  async function check(tenantId: string, row: ItemRow, signal: AbortSignal): Promise<Checked | undefined> {
    const key = quarantineKey({ tenantId, id: row.id })
    for (let snapshots = 0; snapshots < MAX_SNAPSHOTS; snapshots++) {
      const stored = await storage.stat(key)
      if (!stored) return undefined
      const snapshot = await storage.snapshot(key, stored, signal)
      if (!snapshot) continue
      try {
        const announced = { mimeType: row.mimeType, size: row.size, sha256: row.sha256 }
        const type = TYPES[row.mimeType] ?? { kind: 'binary', extensions: [] }
        const outcome = await pipeline({ path: snapshot.path, size: stored.size, announced, type }, signal)
        const checked = await conclude(tenantId, row, snapshot, outcome)
        if (checked) return checked
      } finally {
        await snapshot.release()
      }
    }
    return { item: await results.rejected(tenantId, row, rejection('changed')) }
  }

  /** Returns undefined if the quarantined bytes changed since the snapshot. */
  async function conclude(
    tenantId: string,
    row: ItemRow,
    snapshot: Snapshot,
    outcome: Outcome,
  ): Promise<Checked | undefined> {
    if (outcome.kind === 'held') return { item: await results.held(tenantId, row, outcome.reason) }
    if (outcome.kind === 'rejected') return { item: await results.rejected(tenantId, row, outcome.rejection) }
    const { width = null, height = null, animated = false, variants: files = [] } = outcome.image ?? {}
    try {
      const item = { tenantId, id: row.id }
      if (!(await snapshot.keep(fileKey(item), row))) return undefined
      for (const file of files) await storage.put(fileKey(item, file.name), file.path, file)
      const variants = files.map(({ path: _path, ...variant }) => variant)
      return { item: await results.ready(tenantId, row, { width, height, animated, variants }) }
    } finally {
      await Promise.all(files.map(({ path }) => scratch.remove(path)))
    }
  }

  return {
    async process(tenantId, id, signal) {
      for (;;) {
        const lease = await leases.acquire(tenantId, id)
        if (lease) return (await run(tenantId, lease, signal)) ?? items.get(tenantId, id)
        const row = await items.get(tenantId, id)
        if (row.status === 'expired') throw problems.upload_expired()
        if (isFinal(row.status)) return row
        if (row.hold !== null || signal.aborted) return row
        await new Promise(resolve => setTimeout(resolve, POLL_INTERVAL_MS))
      }
    },
  }
}
