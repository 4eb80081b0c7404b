import { join } from 'node:path'
import type { Deps } from '@larder-dev/larder/kernel'
import type { MediaOptions } from '../../options.ts'
import { createLocalStorage, type LocalStorage } from './local.ts'
import { createS3Storage } from './s3.ts'
import { createScratch, type Scratch } from './scratch.ts'
import type { SignedUrls } from './signed-urls.ts'
import type { Storage } from './storage.ts'

const folderOf = ({ dataFolder }: Deps<'dataFolder'>): string => join(dataFolder.path, 'media')

export const createMediaScratch = (deps: Deps<'dataFolder'>): Scratch => createScratch(join(folderOf(deps), 'scratch'))

type LocalDeps = Deps<'dataFolder'> & { readonly scratch: Scratch; readonly signedUrls: SignedUrls }

/** Undefined if files are stored in S3. `auto` is S3 if a bucket is set, otherwise a folder in LARDER_DATA. */
export const createMediaFolder = (deps: LocalDeps, { driver = 'auto', s3 }: MediaOptions): LocalStorage | undefined =>
  driver === 's3' || (driver === 'auto' && s3.bucket !== '')
    ? undefined
    : createLocalStorage({ folder: folderOf(deps), scratch: deps.scratch, sign: deps.signedUrls })

type StorageDeps = Deps<'log' | 'clock'> & {
  readonly localStorage: LocalStorage | undefined
  readonly scratch: Scratch
}

export const createStorage = ({ localStorage, scratch, log, clock }: StorageDeps, { s3 }: MediaOptions): Storage =>
  localStorage ?? createS3Storage({ log, clock }, s3, scratch)
