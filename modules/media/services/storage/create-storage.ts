import { join } from 'node:path'
import type { Deps } from 'larder/kernel'
import type { MediaOptions } from '../../options.ts'
import { createLocalStorage, type LocalStorage } from './local.ts'
import { createS3Storage } from './s3.ts'
import { createScratch, type Scratch } from './scratch.ts'
import type { Addresses } from './signed-urls.ts'
import type { Storage } from './storage.ts'

export interface Storages {
  readonly storage: Storage
  /** Where the storage is a folder of this machine. */
  readonly local: LocalStorage | undefined
  readonly scratch: Scratch
}

/** `auto` is S3 where it has a bucket, else a folder in LARDER_DATA. */
export function pickStorage(
  deps: Deps<'log' | 'clock' | 'dataFolder'>,
  { driver = 'auto', s3 }: MediaOptions,
  sign: Addresses,
): Storages {
  const folder = join(deps.dataFolder.path, 'media')
  const scratch = createScratch(join(folder, 'scratch'))
  if (driver === 's3' || (driver === 'auto' && s3.bucket !== ''))
    return { storage: createS3Storage(deps, s3, scratch), local: undefined, scratch }
  const local = createLocalStorage({ folder, scratch, sign })
  return { storage: local, local, scratch }
}
