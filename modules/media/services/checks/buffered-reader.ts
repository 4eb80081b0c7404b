/** Buffers reads for yauzl, which reads a few bytes at a time. */
import { type FileHandle, open } from 'node:fs/promises'
import { MIB } from '@larder-dev/larder/kernel'

/** About the size of a central directory with 10,000 entries. */
const BUFFER_BYTES = MIB

export interface ByteSource {
  /** Returns the number of bytes read, which is smaller at the end of the file. */
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<number>
}
export interface BufferedReader extends ByteSource {
  close(): Promise<void>
}

export async function openBufferedReader(path: string): Promise<BufferedReader> {
  const file = await open(path)
  let from = 0
  let buffered: Buffer = Buffer.alloc(0)
  return {
    async read(buffer, offset, length, position) {
      if (position < from || position + length > from + buffered.length) {
        buffered = await readAt(file, position, Math.max(length, BUFFER_BYTES))
        from = position
      }
      return buffered.copy(buffer, offset, position - from, position - from + length)
    },
    close: () => file.close(),
  }
}

export const sourceOfBuffer = (bytes: Buffer): ByteSource => ({
  read: async (buffer, offset, length, position) => bytes.copy(buffer, offset, position, position + length),
})

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, position)
  return bytes.subarray(0, bytesRead)
}
