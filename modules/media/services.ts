/** Private services of media. */
import type { ServicesOf } from '@larder-dev/larder/kernel'
import { createDownloads } from './services/downloads.ts'
import { createItemLifecycle } from './services/item-lifecycle.ts'
import { createItemRepository } from './services/item-repository.ts'
import { createPipeline } from './services/pipeline.ts'
import { createProcessing } from './services/processing.ts'
import { createProcessingLeases } from './services/processing-lease.ts'
import { createProcessingResults } from './services/processing-results.ts'
import { createPublicImages } from './services/public-images.ts'
import { createScanner } from './services/scanner/create-scanner.ts'
import { createMediaFolder, createMediaScratch, createStorage } from './services/storage/create-storage.ts'
import { createSignedUrls } from './services/storage/signed-urls.ts'
import { createUploads } from './services/uploads.ts'

export const services = {
  downloads: createDownloads,
  items: createItemRepository,
  lifecycle: createItemLifecycle,
  localStorage: createMediaFolder,
  pipeline: createPipeline,
  processing: createProcessing,
  processingLeases: createProcessingLeases,
  processingResults: createProcessingResults,
  publicImages: createPublicImages,
  scanner: createScanner,
  scratch: createMediaScratch,
  signedUrls: createSignedUrls,
  storage: createStorage,
  uploads: createUploads,
}
export type MediaServices = ServicesOf<typeof services>
