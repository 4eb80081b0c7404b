import { open } from 'node:fs/promises'

/** Reads `length` bytes from offset `from`, or fewer at the end of the file. */
export async function readRange(path: string, from: number, length: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const buffer = Buffer.alloc(length)
    const { bytesRead } = await file.read(buffer, 0, length, from)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
