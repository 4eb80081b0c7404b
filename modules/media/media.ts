/** The services of media, made once. */
import type { Deps } from 'larder/kernel'
import type { MediaOptions } from './options.ts'
import { createPipeline } from './pipeline.ts'
import { pickScanner } from './scanner/pick.ts'
import { createClaims } from './services/claims.ts'
import { createClosing } from './services/closing.ts'
import { createDownloads } from './services/downloads.ts'
import { createProcessing } from './services/processing.ts'
import { createResults } from './services/results.ts'
import { createRows } from './services/rows.ts'
import { createUploads } from './services/uploads.ts'
import { createAddresses } from './storage/addresses.ts'
import { pickStorage } from './storage/pick.ts'

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
