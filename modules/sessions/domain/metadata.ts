/** Bounds of a caller's own object, past what a schema can say. Pure. */

import { KIB } from 'larder/kernel'
export const MAX_BYTES = 16 * KIB
export const MAX_KEYS = 50
export const MAX_KEY_LENGTH = 64
/** The object itself is the first level. */
export const MAX_DEPTH = 5

export interface Flaw {
  readonly code: string
  /** The end of a sentence that begins with the field. */
  readonly detail: string
}

/** What is wrong with it; undefined where nothing is. Sizes are those of its JSON. */
export function metadataFlaw(metadata: object): Flaw | undefined {
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_BYTES)
    return { code: 'too_large', detail: `must be at most ${MAX_BYTES} bytes of JSON` }
  return flawWithin(metadata, 1)
}

function flawWithin(value: object, level: number): Flaw | undefined {
  if (level > MAX_DEPTH) return { code: 'too_deep', detail: `must be nested at most ${MAX_DEPTH} levels deep` }
  if (!Array.isArray(value)) {
    const keys = Object.keys(value)
    if (keys.length > MAX_KEYS) return { code: 'too_many', detail: `must have at most ${MAX_KEYS} keys in an object` }
    if (keys.some(key => key.length > MAX_KEY_LENGTH))
      return { code: 'too_long', detail: `must have keys of at most ${MAX_KEY_LENGTH} characters` }
  }
  for (const item of Object.values(value)) {
    const flaw = typeof item === 'object' && item !== null ? flawWithin(item, level + 1) : undefined
    if (flaw) return flaw
  }
  return undefined
}
