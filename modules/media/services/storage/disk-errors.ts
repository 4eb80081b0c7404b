/** What the disk says, as callers may see it. */
import { problems, storageUnavailable } from '../../problems.ts'

const FULL = ['ENOSPC', 'EDQUOT']
const AWAY = ['EIO', 'EROFS', 'EMFILE', 'ENFILE', 'ESTALE', 'ETIMEDOUT']

/** Throws problem `storage_full` or `storage_unavailable` where that is what happened. */
export async function fromDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (FULL.includes(code)) throw problems.storage_full()
    if (AWAY.includes(code)) throw storageUnavailable()
    throw error
  }
}
