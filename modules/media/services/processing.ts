/** Checks a quarantined file: acquires the lease, runs the pipeline on a snapshot, and stores exactly those bytes. */
import { type Deps, SECOND } from 'larder/kernel'
import { TYPES } from '../domain/file-types.ts'
import { rejection } from '../domain/rejections.ts'
import { isFinal } from '../domain/status.ts'
import { fileKey, quarantineKey } from '../domain/storage-keys.ts'
import { problems } from '../problems.ts'
import type { ItemRepository, ItemRow } from './item-repository.ts'
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
export interface ProcessingServices {
  readonly items: ItemRepository
  readonly leases: ProcessingLeases
  readonly results: ProcessingResults
  readonly storage: Storage
  readonly scratch: Scratch
  readonly pipeline: Pipeline
}

/** A file that is replaced this often during its check is rejected. */
const MAX_SNAPSHOTS = 3
const POLL_INTERVAL_MS = 0.1 * SECOND

export function createProcessing({ log }: Deps<'log'>, services: ProcessingServices): Processing {
  const { items, leases, results, storage, scratch, pipeline } = services

  async function run(tenantId: string, lease: ProcessingLease, timeout: AbortSignal): Promise<void> {
    const { row } = lease
    const signal = AbortSignal.any([lease.signal, timeout])
    try {
      if (!(await check(tenantId, row, signal))) {
        await results.restore(tenantId, row, 'pending')
        throw problems.not_uploaded()
      }
    } catch (error) {
      if (!signal.aborted) {
        await results.restore(tenantId, row, 'uploaded')
        throw error
      }
      log.info({ item: row.id }, 'a worker continues the processing of a file')
      await results.continueInWorker(tenantId, row)
    } finally {
      lease.release()
    }
  }

  /** Returns false if nothing was uploaded. */
  async function check(tenantId: string, row: ItemRow, signal: AbortSignal): Promise<boolean> {
    const key = quarantineKey({ tenantId, id: row.id })
    for (let snapshots = 0; snapshots < MAX_SNAPSHOTS; snapshots++) {
      const stored = await storage.stat(key)
      if (!stored) return false
      const snapshot = await storage.snapshot(key, stored, signal)
      if (!snapshot) continue
      try {
        const announced = { mimeType: row.mimeType, size: row.size, sha256: row.sha256 }
        const type = TYPES[row.mimeType] ?? { kind: 'binary', extensions: [] }
        const outcome = await pipeline({ path: snapshot.path, size: stored.size, announced, type }, signal)
        if (await conclude(tenantId, row, snapshot, outcome)) return true
      } finally {
        await snapshot.release()
      }
    }
    await results.rejected(tenantId, row, rejection('changed'))
    return true
  }

  /** Returns false if the quarantined bytes changed since the snapshot. */
  async function conclude(tenantId: string, row: ItemRow, snapshot: Snapshot, outcome: Outcome): Promise<boolean> {
    if (outcome.kind === 'held') await results.held(tenantId, row, outcome.reason)
    if (outcome.kind === 'rejected') await results.rejected(tenantId, row, outcome.rejection)
    if (outcome.kind !== 'passed') return true
    const { width = null, height = null, variants: files = [] } = outcome.image ?? {}
    try {
      const item = { tenantId, id: row.id }
      if (!(await snapshot.keep(fileKey(item), row))) return false
      for (const file of files) await storage.put(fileKey(item, file.name), file.path, file)
      const variants = files.map(({ path: _path, ...variant }) => variant)
      await results.ready(tenantId, row, { width, height, variants })
      return true
    } finally {
      await Promise.all(files.map(({ path }) => scratch.remove(path)))
    }
  }

  return {
    async process(tenantId, id, signal) {
      for (;;) {
        const row = await items.get(tenantId, id)
        if (row.status === 'expired') throw problems.upload_expired()
        if (isFinal(row.status)) return row
        const lease = await leases.acquire(tenantId, id)
        if (lease) {
          await run(tenantId, lease, signal)
          return items.get(tenantId, id)
        }
        if (row.hold !== null || signal.aborted) return row
        await new Promise(resolve => setTimeout(resolve, POLL_INTERVAL_MS))
      }
    },
  }
}
