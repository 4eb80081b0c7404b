/** Translates disk errors to problems. */
import { problems, storageUnavailable } from '../../problems.ts'

const DISK_FULL_CODES = ['ENOSPC', 'EDQUOT']
const UNAVAILABLE_CODES = ['EIO', 'EROFS', 'EMFILE', 'ENFILE', 'ESTALE', 'ETIMEDOUT']

/** Throws `storage_full` or `storage_unavailable` for disk errors. */
export async function withDiskErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (DISK_FULL_CODES.includes(code)) throw problems.storage_full()
    if (UNAVAILABLE_CODES.includes(code)) throw storageUnavailable()
    throw error
  }
}
