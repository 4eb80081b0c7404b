/** Parts of a file. */
import { open } from 'node:fs/promises'

/** `length` bytes from `from` on; fewer where the file ends. */
export async function readPart(path: string, from: number, length: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const buffer = Buffer.alloc(length)
    const { bytesRead } = await file.read(buffer, 0, length, from)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
