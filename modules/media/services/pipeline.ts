/** The checks of a quarantined file, in their order. */
import type { Rejection } from '../domain/rejections.ts'
import { rejection } from '../domain/rejections.ts'
import type { Hold } from '../domain/status.ts'
import type { MediaOptions } from '../options.ts'
import type { VirusScanner } from '../ports.ts'
import type { Candidate, Check } from './checks/check.ts'
import { type CheckedImage, createImageCheck } from './checks/image.ts'
import { checkSize } from './checks/size.ts'
import { checkType } from './checks/type.ts'
import { checkZip } from './checks/zip.ts'
import type { Scratch } from './storage/scratch.ts'

export type Outcome =
  | { readonly kind: 'passed'; readonly image: CheckedImage | undefined }
  | { readonly kind: 'held'; readonly reason: Hold }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }

const checkArchive: Check = async (file, signal) => (file.type.kind === 'zip' ? checkZip(file, signal) : undefined)
/** Run before the scanner, which is the slowest check. */
const FILE_CHECKS: readonly Check[] = [checkSize, checkType, checkArchive]

export type Pipeline = (file: Candidate, signal: AbortSignal) => Promise<Outcome>

/** Rejects when aborted, and on errors of the system. */
type PipelineDeps = { readonly scanner: VirusScanner; readonly scratch: Scratch }

export function createPipeline({ scanner, scratch }: PipelineDeps, options: MediaOptions): Pipeline {
  const checkImage = createImageCheck(options, scratch)
  return async (file, signal) => {
    for (const check of FILE_CHECKS) {
      signal.throwIfAborted()
      const found = await check(file, signal)
      if (found) return { kind: 'rejected', rejection: found }
    }
    const scanned = await scanner.scan(file, signal)
    if (scanned.verdict === 'infected')
      return { kind: 'rejected', rejection: rejection('infected', `It is known as ${scanned.signature}.`) }
    if (scanned.verdict === 'not_scanned')
      return { kind: 'held', reason: scanned.reason === 'too_large' ? 'not_scanned' : 'scanner_unavailable' }
    if (file.type.kind !== 'image') return { kind: 'passed', image: undefined }
    const image = await checkImage(file, signal)
    return 'code' in image ? { kind: 'rejected', rejection: image } : { kind: 'passed', image }
  }
}
