/** Images: how large they may be, and smaller ones made of them. */
import { rm } from 'node:fs/promises'
import { type Rejection, rejection } from '../../domain/rejections.ts'
import type { MediaOptions } from '../../options.ts'
import type { Variant } from '../../schemas.ts'
import type { Scratch } from '../storage/scratch.ts'
import type { Candidate } from './check.ts'

export interface MadeVariant extends Variant {
  /** In the scratch folder. */
  readonly path: string
}
export interface SeenImage {
  /** Pixels, as it is shown: turned as its EXIF says. */
  readonly width: number
  readonly height: number
  readonly variants: readonly MadeVariant[]
}

/** Seconds of one variant. */
const PATIENCE = 60
export const VARIANT_TYPE = { mimeType: 'image/webp', extension: 'webp' }

export type LookAtImage = (file: Candidate, signal: AbortSignal) => Promise<SeenImage | Rejection>

export function createImages({ images }: MediaOptions, scratch: Scratch): LookAtImage {
  const { maxPixels, variants } = images
  return async ({ path }, signal) => {
    const open = await opener(path, maxPixels)
    const made: MadeVariant[] = []
    try {
      // Its header alone: a picture of 50,000 by 50,000 is refused before a pixel of it stands in memory.
      const { width, height, autoOrient } = await open().metadata()
      if (width * height > maxPixels) return rejection('image_too_large')
      for (const [name, box] of Object.entries(variants)) {
        signal.throwIfAborted()
        const target = await scratch.path()
        made.push({ name, path: target, mimeType: VARIANT_TYPE.mimeType, width: 0, height: 0, size: 0 })
        const fitted = open()
          .autoOrient()
          .resize({ ...box, fit: 'inside', withoutEnlargement: true })
        const info = await fitted.webp({ quality: 80 }).timeout({ seconds: PATIENCE }).toFile(target)
        const { width, height, size } = info
        made.push({ ...(made.pop() as MadeVariant), width, height, size })
      }
      if (made.length === 0) await open().timeout({ seconds: PATIENCE }).stats()
      return { ...autoOrient, variants: made }
    } catch (error) {
      await Promise.all(made.map(variant => rm(variant.path, { force: true })))
      signal.throwIfAborted()
      if (isOurs(error)) throw error
      return rejection(/pixel limit/i.test(String(error)) ? 'image_too_large' : 'image_unreadable')
    }
  }
}

async function opener(path: string, limitInputPixels: number) {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  return () => sharp(path, { limitInputPixels, failOn: 'error', sequentialRead: true })
}

/** libvips says bare sentences of the file; what the system says of the disk is ours. */
const isOurs = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).syscall !== undefined || /no space left|write error/i.test(String(error))
