import { join } from 'node:path'
import type { Deps } from '@larder-dev/larder/kernel'
import type { MediaOptions } from '../../options.ts'
import { createLocalStorage, type LocalStorage } from './local.ts'
import { createS3Storage } from './s3.ts'
import { createScratch, type Scratch } from './scratch.ts'
import type { SignedUrls } from './signed-urls.ts'
import type { Storage } from './storage.ts'

export interface Storages {
  readonly storage: Storage
  /** Undefined if files are stored in S3. */
  readonly localStorage: LocalStorage | undefined
  readonly scratch: Scratch
}

/** `auto` is S3 if a bucket is set, otherwise a folder in LARDER_DATA. */
export function createStorage(
  deps: Deps<'log' | 'clock' | 'dataFolder'>,
  { driver = 'auto', s3 }: MediaOptions,
  sign: SignedUrls,
): Storages {
  const folder = join(deps.dataFolder.path, 'media')
  const scratch = createScratch(join(folder, 'scratch'))
  if (driver === 's3' || (driver === 'auto' && s3.bucket !== ''))
    return { storage: createS3Storage(deps, s3, scratch), localStorage: undefined, scratch }
  const localStorage = createLocalStorage({ folder, scratch, sign })
  return { storage: localStorage, localStorage, scratch }
}
