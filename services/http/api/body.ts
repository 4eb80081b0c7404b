/** Reads a request's body into memory, under a limit. */

import type { IncomingMessage } from 'node:http'
import {
  common,
  composedText,
  defineReasons,
  formatSize,
  isUtf8,
  KIB,
  MIB,
  mediaTypeOf,
  type Problem,
  SECOND,
  withHeaders,
} from '@larder-dev/larder/kernel/internal'
import { http, malformedRequest } from '../problems.ts'

export const MAX_BODY_BYTES = MIB
/** The limit of public routes. */
export const MAX_PUBLIC_BODY_BYTES = 16 * KIB
/** Bytes past the limit are discarded up to here, so that the client can read the response. */
const MAX_DISCARDED_BYTES = 16 * MIB
/** A slow client would hold a connection and memory. */
const BODY_TIMEOUT_MS = 10 * SECOND

/** True when the head of the request announces a body. */
export function hasBody(req: IncomingMessage): boolean {
  const length = req.headers['content-length']
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/**
 * Reads a JSON body; empty without one. Rejects with `unsupported_media_type` for another type or a content encoding, and
 * with `body_too_large` as soon as the body exceeds the limit in bytes, announced or not.
 */
export function readJsonBody(req: IncomingMessage, limit: number): Promise<Buffer> {
  if (!hasBody(req)) return Promise.resolve(EMPTY)
  if (!isType(req, JSON_BODY)) return Promise.reject(common.unsupported_media_type({ expected: JSON_BODY }))
  if (!isUtf8(req.headers['content-type'])) return Promise.reject(notUtf8(JSON_BODY))
  return readBytes(req, limit)
}
const EMPTY = Buffer.alloc(0)
const JSON_BODY = 'application/json'
const FORM = 'application/x-www-form-urlencoded'

const isType = (req: IncomingMessage, type: string): boolean => mediaTypeOf(req.headers['content-type']) === type
const notUtf8 = (type: string): Problem => common.unsupported_media_type({ expected: `${type} in UTF-8` })

/** Reads the fields of an HTML form. The last value of a repeated name wins. */
export async function readForm(req: IncomingMessage, limit: number): Promise<Record<string, string>> {
  if (!isForm(req)) throw common.unsupported_media_type({ expected: FORM })
  return formFields(await readFormBytes(req, limit))
}

/** Rejects like `readBytes`, and with `unsupported_media_type` for another charset. */
export const readFormBytes = (req: IncomingMessage, limit: number): Promise<Buffer> =>
  isUtf8(req.headers['content-type']) ? readBytes(req, limit) : Promise.reject(notUtf8(FORM))

export const isForm = (req: IncomingMessage): boolean => isType(req, FORM)

const MAX_FORM_FIELDS = 1000

/** In NFC, as JSON. Throws `malformed` for too many fields, before they are parsed. */
export function formFields(bytes: Buffer): Record<string, string> {
  const text = bytes.toString('utf8')
  if (text.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS)
    throw malformedRequest.too_many_fields({ limit: MAX_FORM_FIELDS })
  return Object.fromEntries([...new URLSearchParams(text)].map(([name, value]) => [name, composedText(value)]))
}

const encodings = defineReasons(common.unsupported_media_type, {
  not_encoded: 'Send the body as is, without Content-Encoding.',
})

/** Rejects like `readJsonBody`. */
export function readBytes(req: IncomingMessage, limit: number): Promise<Buffer> {
  const encoding = req.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') return Promise.reject(encodings.not_encoded())
  if (Number(req.headers['content-length'] ?? 0) > limit) {
    discard(req)
    return Promise.reject(common.body_too_large({ limit: formatSize(limit) }))
  }
  return new Promise((resolve, reject) => {
    // Most bodies arrive together with the headers, and are available at the end of this tick.
    process.nextTick(() => {
      const hasArrived = req.complete || req.readableLength === Number(req.headers['content-length'])
      if (!hasArrived) return collect(req, limit, resolve, reject)
      const bytes = (req.read() as Buffer | null) ?? EMPTY
      // Lets the request end.
      req.resume()
      if (bytes.length > limit) reject(common.body_too_large({ limit: formatSize(limit) }))
      else resolve(bytes)
    })
  })
}

function collect(
  req: IncomingMessage,
  limit: number,
  resolve: (bytes: Buffer) => void,
  reject: (error: Problem) => void,
): void {
  const chunks: Buffer[] = []
  let size = 0
  const late = setTimeout(() => {
    settle(() => reject(tooSlow()))
  }, BODY_TIMEOUT_MS)
  const settle = (run: () => void) => {
    clearTimeout(late)
    req.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone)
    run()
  }
  const onData = (chunk: Buffer) => {
    size += chunk.length
    chunks.push(chunk)
    if (size <= limit) return
    settle(() => reject(common.body_too_large({ limit: formatSize(limit) })))
    discard(req)
  }
  const onEnd = () => settle(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
  const onGone = () => settle(() => reject(malformedRequest.body_incomplete()))
  req.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone)
}

const tooSlow = () => withHeaders(http.body_too_slow({ seconds: BODY_TIMEOUT_MS / SECOND }), { connection: 'close' })

export function discard(req: IncomingMessage): void {
  let size = 0
  req.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_DISCARDED_BYTES) req.destroy()
  })
  req.on('error', () => undefined)
}
