/** Checks the dimensions of images and creates their variants, in a process with limited memory. */
import { fork } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { MIB } from '@larder-dev/larder/kernel'
import { type Rejection, rejection } from '../../domain/rejections.ts'
import type { MediaOptions } from '../../options.ts'
import type { Variant } from '../../records/item.ts'
import type { Scratch } from '../storage/scratch.ts'
import type { Candidate } from './check.ts'
import type { DecodeResult, DecodeTask } from './image-decoder.ts'
import { lowerPriority } from './process-priority.ts'

export interface VariantFile extends Variant {
  /** Path in the scratch folder. */
  readonly path: string
}
export interface CheckedImage {
  /** Pixels after EXIF rotation. */
  readonly width: number
  readonly height: number
  /** Whether it has several frames. */
  readonly animated: boolean
  readonly variants: readonly VariantFile[]
}

/** Decoders keep about 6 bytes for each pixel of a progressive JPEG. */
const MAX_PROGRESSIVE_PIXELS = 25_000_000
const DEFAULT_LIMITS = { maxMemoryBytes: 512 * MIB }
const DECODER = fileURLToPath(new URL('./image-decoder.js', import.meta.url))
/** Signals of a decoder that an invalid file crashed. */
const CRASHES: readonly (NodeJS.Signals | null)[] = ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE']
export const VARIANT_TYPE = { mimeType: 'image/webp', extension: 'webp' }

export type ImageCheck = (file: Candidate, signal: AbortSignal) => Promise<CheckedImage | Rejection>

export function createImageCheck({ images }: MediaOptions, scratch: Scratch, limits = DEFAULT_LIMITS): ImageCheck {
  const boxes = Object.entries(images.variants)
  return async ({ path }, signal) => {
    const targets = await Promise.all(boxes.map(() => scratch.path()))
    let isComplete = false
    try {
      const variants = boxes.map(([, box], at) => ({ ...box, target: targets[at] as string }))
      const task: DecodeTask = {
        path,
        maxPixels: images.maxPixels,
        maxProgressivePixels: MAX_PROGRESSIVE_PIXELS,
        ...limits,
        variants,
      }
      const result = await inTurn(signal, () => decode(task, signal))
      signal.throwIfAborted()
      if (result.kind === 'failed') throw new Error(result.message)
      if (result.kind === 'rejected') return rejection(result.code)
      isComplete = true
      const files = result.variants.map((variant, at) => ({
        name: boxes[at]?.[0] as string,
        path: targets[at] as string,
        mimeType: VARIANT_TYPE.mimeType,
        ...variant,
      }))
      return { ...result.image, animated: result.animated || (await isAnimatedPng(path)), variants: files }
    } finally {
      if (!isComplete) await Promise.all(targets.map(target => rm(target, { force: true })))
    }
  }
}

/** The decoder reads the first frame of an animated PNG only, and doesn't know of others. */
async function isAnimatedPng(path: string): Promise<boolean> {
  const { fileTypeFromFile } = await import('file-type')
  return (await fileTypeFromFile(path))?.mime === 'image/apng'
}

let lastTurn: Promise<unknown> = Promise.resolve()

/** Decodes one image at a time in this process, whatever the number of products in it. */
async function inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const turn = lastTurn.then(() => {
    signal.throwIfAborted()
    return work()
  })
  lastTurn = turn.catch(() => {})
  let abort: (() => void) | undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
  })
  try {
    return await Promise.race([turn, aborted])
  } finally {
    if (abort) signal.removeEventListener('abort', abort)
  }
}

/** The decoder gets no environment variables, which can contain secrets. */
function decode(task: DecodeTask, signal: AbortSignal): Promise<DecodeResult> {
  return new Promise((resolve, reject) => {
    const child = fork(DECODER, { env: {}, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    // The decoder repeats this for the threads that it has by then.
    if (child.pid !== undefined) lowerPriority(child.pid)
    const kill = () => void child.kill('SIGKILL')
    signal.addEventListener('abort', kill, { once: true })
    let result: DecodeResult | undefined
    child.once('message', message => {
      result = message as DecodeResult
    })
    child.once('error', reject)
    child.once('close', (code, exitSignal) => {
      signal.removeEventListener('abort', kill)
      if (result) resolve(result)
      else if (CRASHES.includes(exitSignal)) resolve({ kind: 'rejected', code: 'image_unreadable' })
      else reject(new Error(`the image decoder ended with ${exitSignal ?? code}`))
    })
    child.send(task, error => error && kill())
  })
}
