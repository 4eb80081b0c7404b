import { bytes, GIB, milliseconds, type RecipeDiagnostic, type ValidatedRecipe } from '@larder-dev/larder/kernel'
import type { MediaOptions } from '../options.ts'

/** S3's limit for one PUT and one copy. */
const MAX_FILE_BYTES = 5 * GIB

export function validate({ options }: ValidatedRecipe<MediaOptions>): readonly RecipeDiagnostic[] {
  const { maxBytes, driver, s3, scanner, urls } = options
  const faults: RecipeDiagnostic[] = []
  const add = (path: string[], message: string, hint?: string) =>
    faults.push({ path: ['modules', 'media', ...path], message, ...(hint && { hint }) })
  if (bytes(maxBytes) > MAX_FILE_BYTES || bytes(maxBytes) === 0) add(['maxBytes'], 'must be from 1B to 5GiB')
  for (const name of ['upload', 'download'] as const)
    if (milliseconds(urls[name]) < 1000 || milliseconds(urls[name]) > milliseconds('7d'))
      add(['urls', name], 'must be from 1s to 7d')
  if (driver === 's3' && s3.bucket === '') add(['driver'], 'is s3, but s3.bucket is empty', 'set S3_BUCKET')
  if (scanner.driver === 'clamd' && scanner.url === '')
    add(['scanner', 'driver'], 'is clamd, but scanner.url is empty', 'set CLAMD_URL=tcp://127.0.0.1:3310')
  return faults
}
