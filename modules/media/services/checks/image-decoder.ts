/**
 * A process that decodes one untrusted image and writes its variants. Imports little of the product, so that it starts
 * fast and small.
 */
import type { Metadata } from 'sharp'
import { lowerPriorityOfAllThreads } from './process-priority.ts'

export interface DecodeTask {
  readonly path: string
  readonly maxPixels: number
  /** Decoders keep a progressive image in memory as a whole. */
  readonly maxProgressivePixels: number
  readonly maxMemoryBytes: number
  readonly variants: readonly { readonly target: string; readonly width: number; readonly height: number }[]
}
interface Dimensions {
  readonly width: number
  readonly height: number
}
export type DecodeResult =
  | {
      readonly kind: 'decoded'
      readonly image: Dimensions
      readonly animated: boolean
      readonly variants: (Dimensions & { size: number })[]
    }
  | { readonly kind: 'rejected'; readonly code: 'image_too_large' | 'image_unreadable' }
  | { readonly kind: 'failed'; readonly message: string }

/** Formats whose pages are frames. Those of TIFF and AVIF are images. */
const ANIMATIONS: readonly (string | undefined)[] = ['gif', 'webp']
/** Seconds for one variant. */
const VARIANT_TIMEOUT = 60
const MEMORY_CHECK_INTERVAL_MS = 20

process.once('message', (task: DecodeTask) => {
  // sharp decodes in threads that exist by now.
  lowerPriorityOfAllThreads()
  limitMemory(task.maxMemoryBytes)
  decode(task).then(finish, error => finish(resultOf(error)))
})
process.once('disconnect', () => process.exit(0))

function finish(result: DecodeResult): void {
  process.send?.(result, () => process.exit(0))
}

/** V8's limits don't count the memory of the decoder. */
function limitMemory(bytes: number): void {
  setInterval(() => {
    if (process.memoryUsage.rss() > bytes) finish({ kind: 'rejected', code: 'image_too_large' })
  }, MEMORY_CHECK_INTERVAL_MS)
}

async function decode({ path, maxPixels, maxProgressivePixels, variants }: DecodeTask): Promise<DecodeResult> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  const open = () => sharp(path, { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true })
  // Reads the header only, so that a huge image is rejected before it is decoded.
  const { width, height, autoOrient, isProgressive, format, pages = 1 }: Metadata = await open().metadata()
  const limit = isProgressive ? Math.min(maxPixels, maxProgressivePixels) : maxPixels
  if (width * height > limit) return { kind: 'rejected', code: 'image_too_large' }
  const written: (Dimensions & { size: number })[] = []
  for (const { target, ...box } of variants) {
    const fitted = open()
      .autoOrient()
      .resize({ ...box, fit: 'inside', withoutEnlargement: true })
    const info = await fitted.webp({ quality: 80 }).timeout({ seconds: VARIANT_TIMEOUT }).toFile(target)
    written.push({ width: info.width, height: info.height, size: info.size })
  }
  if (variants.length === 0) await open().timeout({ seconds: VARIANT_TIMEOUT }).stats()
  return { kind: 'decoded', image: autoOrient, animated: ANIMATIONS.includes(format) && pages > 1, variants: written }
}

/** libvips throws plain errors for invalid files. Errors of the disk are system errors. */
function resultOf(error: unknown): DecodeResult {
  const message = String(error)
  if ((error as NodeJS.ErrnoException).syscall !== undefined || /no space left|write error/i.test(message))
    return { kind: 'failed', message }
  return { kind: 'rejected', code: /pixel limit/i.test(message) ? 'image_too_large' : 'image_unreadable' }
}
