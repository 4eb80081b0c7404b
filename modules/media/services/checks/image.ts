/** Checks the dimensions of images and creates their variants. */
import { rm } from 'node:fs/promises'
import { type Rejection, rejection } from '../../domain/rejections.ts'
import type { MediaOptions } from '../../options.ts'
import type { Variant } from '../../routes/item-schemas.ts'
import type { Scratch } from '../storage/scratch.ts'
import type { Candidate } from './check.ts'

export interface VariantFile extends Variant {
  /** Path in the scratch folder. */
  readonly path: string
}
export interface CheckedImage {
  /** Pixels after EXIF rotation. */
  readonly width: number
  readonly height: number
  readonly variants: readonly VariantFile[]
}

/** Seconds for one variant. */
const VARIANT_TIMEOUT = 60
export const VARIANT_TYPE = { mimeType: 'image/webp', extension: 'webp' }

export type ImageCheck = (file: Candidate, signal: AbortSignal) => Promise<CheckedImage | Rejection>

export function createImageCheck({ images }: MediaOptions, scratch: Scratch): ImageCheck {
  const { maxPixels, variants } = images
  return async ({ path }, signal) => {
    const open = await opener(path, maxPixels)
    const files: VariantFile[] = []
    try {
      // Reads the header only, so that a huge image is rejected before it is decoded.
      const { width, height, autoOrient } = await open().metadata()
      if (width * height > maxPixels) return rejection('image_too_large')
      for (const [name, box] of Object.entries(variants)) {
        signal.throwIfAborted()
        const target = await scratch.path()
        files.push({ name, path: target, mimeType: VARIANT_TYPE.mimeType, width: 0, height: 0, size: 0 })
        const fitted = open()
          .autoOrient()
          .resize({ ...box, fit: 'inside', withoutEnlargement: true })
        const info = await fitted.webp({ quality: 80 }).timeout({ seconds: VARIANT_TIMEOUT }).toFile(target)
        const { width, height, size } = info
        files.push({ ...(files.pop() as VariantFile), width, height, size })
      }
      if (files.length === 0) await open().timeout({ seconds: VARIANT_TIMEOUT }).stats()
      return { ...autoOrient, variants: files }
    } catch (error) {
      await Promise.all(files.map(variant => rm(variant.path, { force: true })))
      signal.throwIfAborted()
      if (isSystemError(error)) throw error
      return rejection(/pixel limit/i.test(String(error)) ? 'image_too_large' : 'image_unreadable')
    }
  }
}

async function opener(path: string, limitInputPixels: number) {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  return () => sharp(path, { limitInputPixels, failOn: 'error', sequentialRead: true })
}

/** libvips throws plain errors for invalid files. Errors of the disk are system errors. */
const isSystemError = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).syscall !== undefined || /no space left|write error/i.test(String(error))
