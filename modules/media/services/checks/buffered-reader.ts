/** Reads a file for yauzl in large pieces: it asks for a few bytes at a time, ten thousand times. */

import { type FileHandle, open } from 'node:fs/promises'
import { MIB } from 'larder/kernel'

/** A central directory of 10,000 entries is about as large. */
const WINDOW = MIB

export interface Window {
  /** Fills `buffer`; fewer bytes where the file ends. */
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<number>
  close(): Promise<void>
}

export async function openWindow(path: string): Promise<Window> {
  const file = await open(path)
  let from = 0
  let held: Buffer = Buffer.alloc(0)
  return {
    async read(buffer, offset, length, position) {
      if (position < from || position + length > from + held.length) {
        held = await readAt(file, position, Math.max(length, WINDOW))
        from = position
      }
      return held.copy(buffer, offset, position - from, position - from + length)
    },
    close: () => file.close(),
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, position)
  return bytes.subarray(0, bytesRead)
}
