/** Compression with Brotli and gzip, negotiated by Accept-Encoding (RFC 9110, 12.5.3). See docs/decisions/0021-compression.md. */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { KIB } from '@larder-dev/larder/kernel'

export type Encoding = 'br' | 'gzip'

/** Shorter bodies fit into one packet anyway. */
export const MIN_COMPRESSED_BYTES = KIB

const compressWithBrotli = promisify(brotliCompress)
const compressWithGzip = promisify(gzip)
/** The level for a body that is compressed once. Higher levels save 1 % and take ten times as long. */
const FIXED_LEVEL = 9
/** The level for a body that is compressed for one response. */
const DYNAMIC_LEVEL = 4

const compress = (bytes: Buffer, encoding: Encoding, level: number): Promise<Buffer> =>
  encoding === 'gzip'
    ? compressWithGzip(bytes, { level })
    : compressWithBrotli(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: level,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      })

export const compressOnce = (bytes: Buffer, encoding: Encoding): Promise<Buffer> =>
  compress(bytes, encoding, DYNAMIC_LEVEL)

/** A body that many clients get. Compressed at the first request for an encoding, and kept. */
export interface FixedBody {
  readonly bytes: Buffer
  readonly isCompressible: boolean
  /** A Buffer once it is compressed. */
  encoded(encoding: Encoding): Buffer | Promise<Buffer>
}

const TEXT_TYPES = /^(text\/|application\/json\b|image\/svg\+xml\b)/

export function createFixedBody(bytes: Buffer, type: string): FixedBody {
  const kept = new Map<Encoding, Buffer | Promise<Buffer>>()
  return {
    bytes,
    isCompressible: bytes.length >= MIN_COMPRESSED_BYTES && TEXT_TYPES.test(type),
    encoded(encoding) {
      const found = kept.get(encoding)
      if (found) return found
      const compressing = compress(bytes, encoding, FIXED_LEVEL)
      kept.set(encoding, compressing)
      compressing.then(
        compressed => kept.set(encoding, compressed),
        () => kept.delete(encoding),
      )
      return compressing
    },
  }
}

const CODING = /^([\w*-]+)(?:\s*;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i
/** Browsers send few different headers. */
const MAX_CACHED_HEADERS = 100
const negotiated = new Map<string, Encoding | undefined>()

/** The encoding with the highest weight, Brotli before gzip; undefined for none. */
export function preferredEncoding(header: string | undefined): Encoding | undefined {
  if (header === undefined) return undefined
  if (negotiated.has(header)) return negotiated.get(header)
  const encoding = negotiate(header)
  if (negotiated.size >= MAX_CACHED_HEADERS) negotiated.clear()
  negotiated.set(header, encoding)
  return encoding
}

function negotiate(header: string): Encoding | undefined {
  const weights = new Map<string, number>()
  for (const part of header.split(',')) {
    const [, name, weight = '1'] = CODING.exec(part.trim()) ?? []
    if (name !== undefined) weights.set(name.toLowerCase(), Number(weight))
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const [br, gzip] = [weightOf('br'), weightOf('gzip')]
  const best = Math.max(br, gzip)
  if (best === 0 || (weights.get('identity') ?? 0) > best) return undefined
  return br === best ? 'br' : 'gzip'
}
