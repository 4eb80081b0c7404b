/** What imports and exports have in common: both are jobs that act for the person who started them. */
import {
  common,
  type Deps,
  decodeCursor,
  inEnglish,
  type PageOf,
  Problem,
  pageLimit,
  toPage,
  withContext,
} from '@larder-dev/larder/kernel'
import type { Collection } from '../domain/declarations/collection.ts'
import { holdsStill, type JobFailure, RIGHTS_CHANGED, type StoredCaller } from '../domain/rights/stored-caller.ts'
import type { View } from '../domain/rights/view.ts'

interface FileRecord {
  readonly id: string
  readonly collection: string
  readonly caller: StoredCaller
  readonly createdBy: string
  readonly finishedAt: Date | null
}
export interface FilePage {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}
export interface FileListQuery {
  readonly collection: string
  readonly userId: string | undefined
  /** ID of the last one of the previous page. */
  readonly before: string | undefined
  readonly limit: number
}
/** Throws `not_found`, also for a record of another user. Owners of the workspace that has the rows see all of them. */
export function requireVisible<R extends FileRecord>(
  record: R | undefined,
  view: View,
  collection: Collection,
  what: string,
): R {
  const isVisible = record?.createdBy === view.caller?.userId || view.isOwner(collection)
  if (!record || record.collection !== collection.name || !isVisible) throw common.not_found({ what })
  return record
}

/** Own records; all of them for owners of the workspace that has the rows. Newest first. */
export async function listVisible<R extends FileRecord>(
  view: View,
  collection: Collection,
  query: FilePage,
  list: (tenantId: string, query: FileListQuery) => Promise<R[]>,
): Promise<PageOf<R>> {
  const limit = pageLimit(query)
  const [before] = decodeCursor(query.cursor, 1) ?? []
  const rows = await list(view.tenantId, {
    collection: collection.name,
    userId: view.isOwner(collection) ? undefined : view.caller?.userId,
    before: before === undefined ? undefined : String(before),
    limit: limit + 1,
  })
  return toPage(rows, limit, ({ id }) => [id])
}

/** Ends a job early, with the reason that its record shows. */
export class FileJobEnd extends Error {
  readonly state: 'failed' | 'canceled'
  readonly failure: JobFailure
  constructor(state: FileJobEnd['state'], failure: JobFailure) {
    super(inEnglish(failure.wording))
    this.state = state
    this.failure = failure
  }
}
/** Someone canceled the job, or another process does its work. */
export const ENDED = new Error('the import or export has ended')

/** Throws if the caller lost rights since the start: a key can expire or be deleted meanwhile. */
export async function assertSameRights(
  { callerRights }: Deps<never, 'callerRights'>,
  tenantId: string,
  { caller }: FileRecord,
): Promise<void> {
  if (callerRights && !holdsStill(await callerRights.current(tenantId, caller), caller)) throw LOST_RIGHTS
}
const LOST_RIGHTS = new FileJobEnd('canceled', RIGHTS_CHANGED)

export interface FileRunner {
  /** Does nothing for a job that has ended. */
  run(tenantId: string, id: string, signal: AbortSignal): Promise<void>
  /** Ends a job that could not be completed. */
  giveUp(tenantId: string, id: string): Promise<void>
}
interface FileJobSpec<R extends FileRecord> {
  get(tenantId: string, id: string): Promise<R | undefined>
  work(tenantId: string, record: R, signal: AbortSignal): Promise<void>
  finish(tenantId: string, id: string, state: 'failed' | 'canceled', failure: JobFailure): Promise<unknown>
  /** Why a job ends that was interrupted too often. */
  readonly interrupted: JobFailure
}

export const createFileRunner = <R extends FileRecord>(spec: FileJobSpec<R>): FileRunner => ({
  async run(tenantId, id, signal) {
    const record = await spec.get(tenantId, id)
    if (!record || record.finishedAt) return
    const { kind, principalId } = record.caller
    try {
      await withContext({ actor: { kind, id: principalId }, isBulk: true }, () => spec.work(tenantId, record, signal))
    } catch (error) {
      if (error === ENDED) return
      const end = endOf(error)
      if (!end) throw error
      await spec.finish(tenantId, id, end.state, end.failure)
    }
  },
  async giveUp(tenantId, id) {
    await spec.finish(tenantId, id, 'failed', spec.interrupted)
  },
})

function endOf(error: unknown): FileJobEnd | undefined {
  if (error instanceof FileJobEnd) return error
  return Problem.is(error) && error.status < 500
    ? new FileJobEnd('failed', { code: error.code, wording: error.wording })
    : undefined
}
