/** Caches serialized bulk responses: most callers differ in nothing that the flags read. */

import { createHash } from 'node:crypto'
import { etag, MIB } from '@larder-dev/larder/kernel'

export interface SerializedResponse {
  readonly body: string
  readonly etag: string
}
/** Characters of all cached keys and bodies. */
const MAX_CACHE_SIZE = 16 * MIB
/** Characters. A longer key holds attributes that no other caller is likely to share. */
const MAX_KEY_LENGTH = 2_000
/** Keys that were requested once. Responses are cached from the second request on. */
const MAX_KEYS_SEEN_ONCE = 2_000

export interface ResponseCache {
  get(key: string, serialize: () => string): SerializedResponse
}

/** @param maxSize characters; the oldest responses are evicted first. */
export function createResponseCache(maxSize = MAX_CACHE_SIZE): ResponseCache {
  const responses = new Map<string, SerializedResponse>()
  const seenOnce = new Set<string>()
  let size = 0

  /** Keeps a burst of unique requests from evicting the responses that many callers share. */
  function isWorthCaching(key: string): boolean {
    if (key.length > MAX_KEY_LENGTH) return false
    if (seenOnce.delete(key)) return true
    const [oldest] = seenOnce
    if (seenOnce.size >= MAX_KEYS_SEEN_ONCE && oldest !== undefined) seenOnce.delete(oldest)
    seenOnce.add(key)
    return false
  }

  function store(key: string, response: SerializedResponse): void {
    const sizeOf = (key: string, { body }: SerializedResponse) => key.length + body.length
    if (sizeOf(key, response) > maxSize) return
    responses.set(key, response)
    size += sizeOf(key, response)
    for (const [oldestKey, oldest] of responses) {
      if (size <= maxSize) return
      responses.delete(oldestKey)
      size -= sizeOf(oldestKey, oldest)
    }
  }

  return {
    get(key, serialize) {
      const cached = responses.get(key)
      if (cached) return cached
      const response = serializedResponse(serialize())
      if (isWorthCaching(key)) store(key, response)
      return response
    },
  }
}

/** The tag is a hash of the body, so that every process gives the same one. */
export function serializedResponse(body: string): SerializedResponse {
  return { body, etag: etag(createHash('sha256').update(body).digest('base64url').slice(0, 22)) }
}
