/** The files of all workspaces, for backups. */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Registrations } from '@larder-dev/larder/kernel'
import type { MediaOptions } from '../../options.ts'
import { withDiskErrors } from './disk-errors.ts'
import type { LocalStorage } from './local.ts'
import type { Scratch } from './scratch.ts'
import type { Storage } from './storage.ts'

/** The keys of domain/storage-keys.ts. A file whose checks ended after the snapshot is no longer in quarantine. */
const QUERY = `
  select 'files/' || tenant_id || '/' || id as key, mime_type as type, true as required, null as otherwise
  from media_items where status = 'ready'
  union all
  select 'files/' || tenant_id || '/' || id || '.' || (v.variant ->> 'name'), v.variant ->> 'mimeType', true, null
  from media_items, jsonb_array_elements(variants) v (variant) where status = 'ready'
  union all
  select 'quarantine/' || tenant_id || '/' || id, mime_type, false, 'files/' || tenant_id || '/' || id
  from media_items where status in ('pending', 'uploaded', 'processing')
  order by key`

interface FilesDeps {
  readonly storage: Storage
  readonly localStorage: LocalStorage | undefined
  readonly scratch: Scratch
}

export function storedFiles(
  { storage, localStorage, scratch }: FilesDeps,
  { s3 }: MediaOptions,
): Registrations['storedFiles'] {
  const folder = localStorage?.pathOf('')
  return {
    place: folder ?? `the bucket ${s3.bucket}`,
    folder,
    query: QUERY,
    async open(key) {
      const found = await storage.stat(key)
      return found && { size: found.size, content: (await storage.read(key)) as AsyncIterable<Buffer> }
    },
    has: async key => (await storage.stat(key)) !== undefined,
    async write(key, content, file) {
      const path = await scratch.path()
      try {
        await withDiskErrors(() => pipeline(content, createWriteStream(path, { mode: 0o600 })))
        await storage.put(key, path, file)
      } catch (error) {
        await scratch.remove(path)
        throw error
      }
    },
    remove: keys => storage.remove(keys),
  }
}
