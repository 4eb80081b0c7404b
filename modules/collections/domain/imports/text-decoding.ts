/** Decodes the bytes of an imported file as text. */

import { TextDecoder } from 'node:util'
import { charsetOf, KIB } from '@larder-dev/larder/kernel'
import { mediaTypes, problems } from '../../problems.ts'

/** Bytes that are enough to recognize an encoding. */
const SAMPLE_BYTES = 4 * KIB

/**
 * A byte order mark decides, then `charset` of the content type. A file with neither is UTF-8, or UTF-16 if every other
 * byte of its beginning is zero. Throws `unsupported_media_type` and `import_encoding_invalid`.
 */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  contentType: string,
): AsyncGenerator<string, void, undefined> {
  let decoder: TextDecoder | undefined
  let sample = Buffer.alloc(0)
  const decode = (bytes: Uint8Array | undefined): string => {
    decoder ??= createDecoder(sample, charsetOf(contentType))
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
    } catch {
      throw problems.import_encoding_invalid({ encoding: decoder.encoding.toUpperCase() })
    }
  }
  for await (const chunk of chunks) {
    if (decoder) yield decode(chunk)
    else {
      sample = Buffer.concat([sample, chunk])
      if (sample.length >= SAMPLE_BYTES) yield decode(sample)
    }
  }
  yield (decoder ? '' : decode(sample)) + decode(undefined)
}

function createDecoder(sample: Buffer, charset: string | undefined): TextDecoder {
  const label = markedEncoding(sample) ?? charset ?? guessedEncoding(sample)
  try {
    return new TextDecoder(label, { fatal: true })
  } catch {
    throw mediaTypes.charset()
  }
}

function markedEncoding([first, second, third]: Buffer): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

/** Western text in UTF-16 has a zero in every other byte. */
function guessedEncoding(sample: Buffer): string {
  const [even, odd] = [0, 1].map(start => {
    let zeros = 0
    for (let at = start; at < sample.length; at += 2) if (sample[at] === 0) zeros++
    return zeros / (sample.length / 2)
  }) as [number, number]
  if (odd > 0.5 && even < 0.1) return 'utf-16le'
  return even > 0.5 && odd < 0.1 ? 'utf-16be' : 'utf-8'
}
