import type { Deps } from '@larder-dev/larder/kernel'
import type { MediaOptions } from '../options.ts'
import { createDownloads, type Downloads } from './downloads.ts'
import { createItemLifecycle, type ItemLifecycle } from './item-lifecycle.ts'
import { createItemRepository, type ItemRepository } from './item-repository.ts'
import { createPipeline } from './pipeline.ts'
import { createProcessing, type Processing } from './processing.ts'
import { createProcessingLeases } from './processing-lease.ts'
import { createProcessingResults } from './processing-results.ts'
import { createPublicImages, type PublicImages } from './public-images.ts'
import { createScanner } from './scanner/create-scanner.ts'
import { createStorage } from './storage/create-storage.ts'
import type { LocalStorage } from './storage/local.ts'
import type { Scratch } from './storage/scratch.ts'
import { createSignedUrls, type SignedUrls } from './storage/signed-urls.ts'
import type { Storage } from './storage/storage.ts'
import { createUploads, type Uploads } from './uploads.ts'

/** The services of media, for its own routes, pages and jobs. Other modules use the ports in ports.ts. */
export interface Media {
  readonly downloads: Downloads
  readonly items: ItemRepository
  readonly lifecycle: ItemLifecycle
  /** Undefined if files are stored in S3. */
  readonly localStorage: LocalStorage | undefined
  readonly processing: Processing
  readonly publicImages: PublicImages
  readonly scratch: Scratch
  readonly signedUrls: SignedUrls
  readonly storage: Storage
  readonly uploads: Uploads
}

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    /** Internal to the module media. */
    media: Media
  }
}

type MediaDeps = Deps<
  'database' | 'systemDatabase' | 'models' | 'clock' | 'events' | 'jobs' | 'product' | 'secrets' | 'dataFolder' | 'log',
  'entitlements' | 'virusScanner'
>

export function createMedia(deps: MediaDeps, options: MediaOptions): Media {
  const signedUrls = createSignedUrls(deps)
  const { storage, localStorage, scratch } = createStorage(deps, options, signedUrls)
  const scanner = deps.virusScanner ?? createScanner(options)
  const items = createItemRepository(deps)
  const processing = createProcessing(deps, {
    items,
    leases: createProcessingLeases(deps),
    results: createProcessingResults(deps),
    storage,
    scratch,
    pipeline: createPipeline(options, { scanner, scratch }),
  })
  return {
    downloads: createDownloads(deps, options, storage, items),
    items,
    lifecycle: createItemLifecycle(deps, storage, scratch),
    localStorage,
    processing,
    publicImages: createPublicImages(deps, storage),
    scratch,
    signedUrls,
    storage,
    uploads: createUploads(deps, options, storage),
  }
}
