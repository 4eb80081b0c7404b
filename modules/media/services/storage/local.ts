/**
 * Files in a folder of this machine. A name never changes its bytes: what is written anew is a new file under the old
 * name, so a hard link is a snapshot that costs nothing.
 */

import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { link, mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { storageUnavailable } from '../../problems.ts'
import { withDiskErrors } from './disk-errors.ts'
import type { Scratch } from './scratch.ts'
import type { SignedFile, SignedUpload, Snapshot, Storage, StoredObject } from './storage.ts'

export interface LocalStorage extends Storage {
  readonly name: 'local'
  /** Path of the object with this key. */
  pathOf(key: string): string
}

export interface LocalStorageOptions {
  /** Absolute. */
  readonly folder: string
  readonly scratch: Scratch
  readonly sign: {
    put(upload: SignedUpload): string
    get(file: SignedFile): string
  }
}

export function createLocalStorage({ folder, scratch, sign }: LocalStorageOptions): LocalStorage {
  const pathOf = (key: string) => join(folder, key)
  const prepare = async (key: string) => {
    const path = pathOf(key)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return path
  }

  async function statPath(path: string): Promise<StoredObject | undefined> {
    try {
      const { size, ino, mtimeNs } = await stat(path, { bigint: true })
      return { size: Number(size), etag: `${ino.toString(36)}-${mtimeNs.toString(36)}-${size.toString(36)}` }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  async function snapshot(key: string, stored: StoredObject): Promise<Snapshot | undefined> {
    const path = await scratch.path()
    try {
      await link(pathOf(key), path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
    if ((await statPath(path))?.etag !== stored.etag) {
      await scratch.remove(path)
      return undefined
    }
    const keep = async (to: string) => {
      const copy = await scratch.path()
      await link(path, copy)
      await rename(copy, await prepare(to))
      // Renaming one hard link over another of the same file removes neither.
      await scratch.remove(copy)
      return true
    }
    return { path, keep: to => withDiskErrors(() => keep(to)), release: () => scratch.remove(path) }
  }

  async function read(key: string): Promise<Readable> {
    const stream = createReadStream(pathOf(key))
    await once(stream, 'open').catch(error => {
      throw error.code === 'ENOENT' ? storageUnavailable() : error
    })
    return stream
  }

  return {
    name: 'local',
    pathOf,
    read: key => withDiskErrors(() => read(key)),
    signPut: async upload => ({ url: sign.put(upload), headers: { 'content-type': upload.mimeType } }),
    signGet: async file => sign.get(file),
    stat: key => withDiskErrors(() => statPath(pathOf(key))),
    snapshot: (key, stored) => withDiskErrors(() => snapshot(key, stored)),
    put: (key, path) => withDiskErrors(async () => rename(path, await prepare(key))),
    remove: keys =>
      withDiskErrors(async () => {
        await Promise.all(keys.map(key => rm(pathOf(key), { force: true })))
      }),
  }
}
