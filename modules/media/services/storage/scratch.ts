/** A folder for temporary files. */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY } from '@larder-dev/larder/kernel'

export interface Scratch {
  /** Returns an unused path. */
  path(): Promise<string>
  remove(path: string): Promise<void>
  /** Deletes files older than one day, which a crashed process left. */
  sweep(): Promise<void>
}

export function createScratch(folder: string): Scratch {
  const remove = (path: string) => rm(path, { force: true })
  return {
    remove,
    async path() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return join(folder, randomUUID())
    },
    async sweep() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      for (const name of await readdir(folder)) {
        const path = join(folder, name)
        const found = await stat(path).catch(() => undefined)
        if (found && Date.now() - found.mtimeMs > DAY) await remove(path)
      }
    },
  }
}
