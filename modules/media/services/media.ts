/** The services of media, made once. */
import type { Deps } from 'larder/kernel'
import type { MediaOptions } from '../options.ts'
import { createDownloads } from './downloads.ts'
import { createClosing } from './item-lifecycle.ts'
import { createRows } from './item-repository.ts'
import { createPipeline } from './pipeline.ts'
import { createProcessing } from './processing.ts'
import { createClaims } from './processing-lease.ts'
import { createResults } from './processing-results.ts'
import { pickScanner } from './scanner/create-scanner.ts'
import { pickStorage } from './storage/create-storage.ts'
import { createAddresses } from './storage/signed-urls.ts'
import { createUploads } from './uploads.ts'

export const NEEDS = ['database', 'clock', 'events', 'jobs', 'product', 'secrets', 'dataFolder', 'log'] as const
export const WANTS = ['entitlements', 'virusScanner'] as const
type MediaDeps = Deps<(typeof NEEDS)[number], (typeof WANTS)[number]>

export function createMedia(deps: MediaDeps, options: MediaOptions) {
  const addresses = createAddresses(deps)
  const { storage, local, scratch } = pickStorage(deps, options, addresses)
  const scanner = deps.virusScanner ?? pickScanner(options)
  const rows = createRows(deps)
  const uploads = createUploads(deps, options, storage)
  const downloads = createDownloads(deps, options, storage, rows)
  const closing = createClosing(deps, storage, scratch)
  const parts = { rows, claims: createClaims(deps), results: createResults(deps), storage, scratch }
  const processing = createProcessing(deps, { ...parts, pipeline: createPipeline(options, { scanner, scratch }) })
  return { addresses, storage, local, scratch, rows, uploads, downloads, closing, processing }
}
export type Media = ReturnType<typeof createMedia>
