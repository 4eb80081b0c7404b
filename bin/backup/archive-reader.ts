/** Reads an archive from its beginning to its end. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { errors } from './errors.ts'
import { BLOCK, paddingOf, readHeader, type TarEntry } from './tar.ts'

const CHUNK_BYTES = 256 * 1024

export interface ReadEntry extends TarEntry {
  /** Its bytes. What isn't read is skipped. */
  readonly content: AsyncIterable<Buffer>
  /** The hash of everything before the entry. */
  readonly digestBefore: string
}

/** @throws OperatorError `backup_truncated` or `backup_damaged`; the error of the file system for a file that can't be read. */
export async function* readArchive(
  file: string,
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<ReadEntry> {
  const source = createReadStream(file, { highWaterMark: CHUNK_BYTES })
  const unzipped = source.pipe(createGunzip({ chunkSize: CHUNK_BYTES }))
  let failed: unknown
  // The reader gets it from its next read.
  unzipped.on('error', () => {})
  source.on('error', error => {
    failed = error
    unzipped.destroy(error)
  })
  source.on('data', chunk => onRead(chunk.length))
  const bytes = createByteReader(unzipped)
  const hash = createHash('sha256')
  const take = async (size: number) => {
    const block = await bytes.take(size)
    hash.update(block)
    return block
  }
  try {
    for (;;) {
      const digestBefore = hash.copy().digest('hex')
      const entry = headerIn(await take(BLOCK), file)
      if (!entry) return await bytes.rest()
      let left = entry.size
      async function* content(): AsyncGenerator<Buffer> {
        while (left > 0) {
          // The reader of an entry gets this error, not the loop below.
          const chunk = await bytes.some(left).catch(error => {
            throw failed ?? problemOf(error, file)
          })
          left -= chunk.length
          hash.update(chunk)
          yield chunk
        }
      }
      yield { ...entry, digestBefore, content: content() }
      for await (const _ of content());
      await take(paddingOf(entry.size).length)
    }
  } catch (error) {
    throw failed ?? problemOf(error, file)
  } finally {
    source.destroy()
    unzipped.destroy()
  }
}

function headerIn(block: Buffer, file: string): TarEntry | undefined {
  try {
    return readHeader(block)
  } catch (error) {
    throw errors.backup_damaged({ file }, { cause: error })
  }
}

class EndError extends Error {}

function problemOf(error: unknown, file: string): unknown {
  const { code = '' } = error as { code?: string }
  if (error instanceof EndError || code === 'Z_BUF_ERROR') return errors.backup_truncated({ file }, { cause: error })
  if (code.startsWith('Z_')) return errors.backup_damaged({ file }, { cause: error })
  return error
}

function createByteReader(stream: AsyncIterable<Buffer>) {
  const chunks = stream[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  /** At least one byte, at most `max`. */
  async function some(max: number): Promise<Buffer> {
    while (rest.length === 0) {
      const { value, done } = await chunks.next()
      if (done) throw new EndError('the file ends early')
      rest = value
    }
    const part = rest.subarray(0, max)
    rest = rest.subarray(part.length)
    return part
  }
  return {
    some,
    /** Reads on to the end, where gzip has a checksum of its last part. */
    async rest(): Promise<void> {
      while (!(await chunks.next()).done);
    },
    async take(size: number): Promise<Buffer> {
      const parts: Buffer[] = []
      for (let left = size; left > 0; ) {
        const part = await some(left)
        parts.push(part)
        left -= part.length
      }
      return Buffer.concat(parts, size)
    },
  }
}

/** The whole content of a small entry. */
export async function contentOf({ content }: ReadEntry): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of content) parts.push(part)
  return Buffer.concat(parts)
}
