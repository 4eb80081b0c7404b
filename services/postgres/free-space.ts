/** Free disk space of a folder. */
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { MIB } from '@larder-dev/larder/kernel'

/** Rejects if fewer than `minBytes` are left for this user on the file system of `folder`. */
export async function assertFreeSpace(folder: string, minBytes: number): Promise<void> {
  const free = await freeBytes(folder)
  if (free >= minBytes) return
  const [left, wanted] = [free, minBytes].map(bytes => Math.floor(bytes / MIB))
  throw new Error(`${folder} has ${left} MiB of disk space left, fewer than ${wanted} MiB (MIN_FREE_DISK_MB)`)
}

/** Bytes that are left for this user. Before the folder is created, those of its parent. */
export async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (error) {
    const parent = dirname(folder)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error
    return freeBytes(parent)
  }
}
