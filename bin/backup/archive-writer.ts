/** Writes an archive: tar, compressed with gzip in parts that are compressed at the same time. */
import { createHash } from 'node:crypto'
import { constants, type FileHandle, open, rename, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { BLOCK, headerOf, paddingOf, type TarEntry } from './tar.ts'

const compress = promisify(gzip)

/** Bytes that are compressed as one member of gzip (RFC 1952, section 2.2). */
const MEMBER_BYTES = 2 * 1024 * 1024
/** As fast as the database sends rows, and a fifth larger than with the default. */
const LEVEL = 1
const MAX_COMPRESSING = 4

export interface ArchiveWriter {
  add(entry: TarEntry, content: Buffer | AsyncIterable<Buffer>): Promise<void>
  /** The hash of everything that was added so far. */
  digest(): string
  /** Bytes in the file so far. */
  readonly size: number
  /** Ends the archive and gives the file its name. */
  close(): Promise<void>
  /** Deletes what was written. */
  abandon(): Promise<void>
}

/**
 * The file is complete when it has its name; until then, `.part` follows it.
 * @param file must not exist.
 */
export async function createArchive(file: string, at: Date): Promise<ArchiveWriter> {
  const part = `${file}.part`
  const handle = await open(part, constants.O_CREAT | constants.O_TRUNC | constants.O_WRONLY, 0o600)
  const hash = createHash('sha256')
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let size = 0
  const members: Promise<Buffer>[] = []

  async function writeFirst(): Promise<void> {
    const member = await members.shift()
    if (!member) return
    await writeAll(handle, member)
    size += member.length
  }
  async function flush(): Promise<void> {
    if (waitingBytes === 0) return
    const member = compress(Buffer.concat(waiting, waitingBytes), { level: LEVEL })
    // It is awaited later, and an error before would be unhandled.
    member.catch(() => undefined)
    members.push(member)
    waiting = []
    waitingBytes = 0
    if (members.length >= MAX_COMPRESSING) await writeFirst()
  }
  async function write(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return
    hash.update(bytes)
    waiting.push(bytes)
    waitingBytes += bytes.length
    if (waitingBytes >= MEMBER_BYTES) await flush()
  }

  return {
    async add(entry, content) {
      await write(headerOf(entry, at))
      let written = 0
      for await (const chunk of Buffer.isBuffer(content) ? [content] : content) {
        written += chunk.length
        if (written > entry.size) break
        await write(chunk)
      }
      if (written !== entry.size) throw new Error(`${entry.name} has changed its size while it was read`)
      await write(paddingOf(entry.size))
    },
    digest: () => hash.copy().digest('hex'),
    get size() {
      return size
    },
    async close() {
      await write(Buffer.alloc(2 * BLOCK))
      await flush()
      while (members.length > 0) await writeFirst()
      await handle.sync()
      await handle.close()
      await rename(part, file)
    },
    async abandon() {
      await Promise.allSettled(members)
      await handle.close().catch(() => undefined)
      await rm(part, { force: true })
    },
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten
}
