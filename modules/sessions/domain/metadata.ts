/** Limits of a caller's metadata object that a schema can't express. Pure. */
import { KIB, type Wording, wording } from '@larder-dev/larder/kernel'

export const MAX_BYTES = 16 * KIB
export const MAX_KEYS = 50
export const MAX_KEY_LENGTH = 64
/** The object itself counts as the first level. */
export const MAX_DEPTH = 5

export interface MetadataError {
  readonly code: string
  /** Completes a sentence that starts with the field. */
  readonly detail: Wording
}

/** The first violated limit, or undefined. Sizes are measured on the JSON text. */
export function validateMetadata(metadata: object): MetadataError | undefined {
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_BYTES)
    return { code: 'too_large', detail: wording('must be at most {limit} bytes of JSON', { limit: MAX_BYTES }) }
  return validateLevel(metadata, 1)
}

function validateLevel(value: object, level: number): MetadataError | undefined {
  if (level > MAX_DEPTH)
    return { code: 'too_deep', detail: wording('must be nested at most {limit} levels deep', { limit: MAX_DEPTH }) }
  if (!Array.isArray(value)) {
    const keys = Object.keys(value)
    if (keys.length > MAX_KEYS)
      return { code: 'too_many', detail: wording('must have at most {limit} keys in an object', { limit: MAX_KEYS }) }
    if (keys.some(key => key.length > MAX_KEY_LENGTH))
      return {
        code: 'too_long',
        detail: wording('must have keys of at most {limit} characters', { limit: MAX_KEY_LENGTH }),
      }
  }
  for (const item of Object.values(value)) {
    const error = typeof item === 'object' && item !== null ? validateLevel(item, level + 1) : undefined
    if (error) return error
  }
  return undefined
}
