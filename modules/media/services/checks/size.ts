import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { MIB } from '@larder-dev/larder/kernel'
import { rejection } from '../../domain/rejections.ts'
import type { Check } from './check.ts'

/** Checks the size and, if declared, the SHA-256. */
export const checkSize: Check = async ({ path, size, announced }, signal) => {
  if (size !== announced.size) return rejection('size_mismatch')
  if (announced.sha256 === null) return undefined
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: MIB }), hash, { signal })
  return hash.digest('hex') === announced.sha256 ? undefined : rejection('digest_mismatch')
}
