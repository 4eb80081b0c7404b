/** From quarantine to its readers: claims an item, runs the pipeline over a snapshot, keeps exactly those bytes. */
import { type Deps, SECOND } from 'larder/kernel'
import { TYPES } from '../domain/file-types.ts'
import { rejection } from '../domain/rejections.ts'
import { isOver } from '../domain/status.ts'
import { fileKey, quarantineKey } from '../domain/storage-keys.ts'
import { problems } from '../problems.ts'
import type { MadeVariant } from './checks/image.ts'
import type { Row, Rows } from './item-repository.ts'
import type { Outcome, Pipeline } from './pipeline.ts'
import type { Claim, Claims } from './processing-lease.ts'
import type { Results } from './processing-results.ts'
import type { Scratch } from './storage/scratch.ts'
import type { Snapshot, Storage } from './storage/storage.ts'

export interface ProcessingParts {
  readonly rows: Rows
  readonly claims: Claims
  readonly results: Results
  readonly storage: Storage
  readonly scratch: Scratch
  readonly pipeline: Pipeline
}

/** Of how often the bytes may be replaced while they are checked, before that counts as a trick. */
const TRIES = 3
const LOOK_AGAIN = 0.1 * SECOND

export function createProcessing({ log }: Deps<'log'>, parts: ProcessingParts) {
  const { rows, claims, results, storage, scratch, pipeline } = parts

  /**
   * The item as it is afterwards: over, held, or still `processing` where `signal` ended the wait. However many ask at
   * once, one does it. Throws `not_found`, `not_uploaded`, `upload_expired`, `storage_unavailable`.
   */
  async function process(tenantId: string, id: string, signal: AbortSignal): Promise<Row> {
    for (;;) {
      const row = await rows.get(tenantId, id)
      if (row.status === 'expired') throw problems.upload_expired()
      if (isOver(row.status)) return row
      const claim = await claims.take(tenantId, id)
      if (claim) {
        await run(tenantId, claim, signal)
        return rows.get(tenantId, id)
      }
      if (row.hold !== null || signal.aborted) return row
      await new Promise(resolve => setTimeout(resolve, LOOK_AGAIN))
    }
  }

  async function run(tenantId: string, claim: Claim, patience: AbortSignal): Promise<void> {
    const { row } = claim
    const signal = AbortSignal.any([claim.signal, patience])
    try {
      if (!(await attempt(tenantId, row, signal))) {
        await results.back(tenantId, row, 'pending')
        throw problems.not_uploaded()
      }
    } catch (error) {
      if (!signal.aborted) {
        await results.back(tenantId, row, 'uploaded')
        throw error
      }
      log.info({ item: row.id }, 'a file is checked further in the worker')
      await results.unfinished(tenantId, row)
    } finally {
      claim.release()
    }
  }

  /** False where there are no bytes. */
  async function attempt(tenantId: string, row: Row, signal: AbortSignal): Promise<boolean> {
    const key = quarantineKey({ tenantId, id: row.id })
    for (let tries = 0; tries < TRIES; tries++) {
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

  /** False where the bytes in quarantine are no longer those that were checked. */
  async function conclude(tenantId: string, row: Row, snapshot: Snapshot, outcome: Outcome): Promise<boolean> {
    if (outcome.kind === 'held') await results.held(tenantId, row, outcome.reason)
    if (outcome.kind === 'rejected') await results.rejected(tenantId, row, outcome.rejection)
    if (outcome.kind !== 'passed') return true
    const { width = null, height = null, variants: made = [] } = outcome.image ?? {}
    try {
      const item = { tenantId, id: row.id }
      if (!(await snapshot.keep(fileKey(item), row))) return false
      for (const variant of made) await storage.put(fileKey(item, variant.name), variant.path, variant)
      const variants = made.map(({ path: _, ...variant }) => variant)
      await results.ready(tenantId, row, { width, height, variants })
      return true
    } finally {
      await Promise.all(made.map(({ path }: MadeVariant) => scratch.remove(path)))
    }
  }

  return { process }
}
export type Processing = ReturnType<typeof createProcessing>
