/** Limits of a caller's metadata object that a schema can't express. Pure. */
import { KIB } from '@larder-dev/larder/kernel'

export const MAX_BYTES = 16 * KIB
export const MAX_KEYS = 50
export const MAX_KEY_LENGTH = 64
/** The object itself counts as the first level. */
export const MAX_DEPTH = 5

export interface MetadataError {
  readonly code: string
  /** Completes a sentence that starts with the field. */
  readonly detail: string
}

/** The first violated limit, or undefined. Sizes are measured on the JSON text. */
export function validateMetadata(metadata: object): MetadataError | undefined {
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_BYTES)
    return { code: 'too_large', detail: `must be at most ${MAX_BYTES} bytes of JSON` }
  return validateLevel(metadata, 1)
}

function validateLevel(value: object, level: number): MetadataError | undefined {
  if (level > MAX_DEPTH) return { code: 'too_deep', detail: `must be nested at most ${MAX_DEPTH} levels deep` }
  if (!Array.isArray(value)) {
    const keys = Object.keys(value)
    if (keys.length > MAX_KEYS) return { code: 'too_many', detail: `must have at most ${MAX_KEYS} keys in an object` }
    if (keys.some(key => key.length > MAX_KEY_LENGTH))
      return { code: 'too_long', detail: `must have keys of at most ${MAX_KEY_LENGTH} characters` }
  }
  for (const item of Object.values(value)) {
    const error = typeof item === 'object' && item !== null ? validateLevel(item, level + 1) : undefined
    if (error) return error
  }
  return undefined
}
