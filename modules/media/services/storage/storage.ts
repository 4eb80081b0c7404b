import type { Readable } from 'node:stream'

export interface StoredObject {
  /** Bytes. */
  readonly size: number
  /** Changes when a PUT replaces the bytes. */
  readonly etag: string
}

/** A local copy of an object that later writes don't change. */
export interface Snapshot {
  readonly path: string
  /** Copies exactly these bytes within the storage. Returns false if the source has changed. */
  keep(to: string, file: { readonly mimeType: string }): Promise<boolean>
  release(): Promise<void>
}

export interface SignedUpload {
  readonly tenantId: string
  readonly id: string
  readonly key: string
  readonly mimeType: string
  /** Bytes. */
  readonly size: number
  readonly sha256: string | null
  readonly expiresAt: Date
}
export interface SignedFile {
  readonly tenantId: string
  readonly id: string
  readonly key: string
  readonly variant: string | undefined
  readonly fileName: string
  readonly mimeType: string
  readonly expiresAt: Date
}

/** All methods throw `storage_unavailable` or `storage_full`. */
export interface Storage {
  readonly name: 'local' | 's3'
  /** The URL is limited to this length, type and, if given, SHA-256. */
  signPut(upload: SignedUpload): Promise<{ readonly url: string; readonly headers: Readonly<Record<string, string>> }>
  /** The URL serves an attachment. */
  signGet(file: SignedFile): Promise<string>
  /** Throws `storage_unavailable` for a missing object, too. */
  read(key: string): Promise<Readable>
  stat(key: string): Promise<StoredObject | undefined>
  /** Returns undefined if the object is no longer `stored`. */
  snapshot(key: string, stored: StoredObject, signal: AbortSignal): Promise<Snapshot | undefined>
  /** Moves a file from the scratch folder. */
  put(key: string, path: string, file: { readonly mimeType: string }): Promise<void>
  /** Ignores missing objects. */
  remove(keys: readonly string[]): Promise<void>
}
