/** Where bytes are kept. Types only. */

export interface Stored {
  /** Bytes. */
  readonly size: number
  /** Another one as soon as another PUT has replaced the bytes. */
  readonly etag: string
}

/** Bytes as they were at one moment, on this machine, whatever is written over them meanwhile. */
export interface Snapshot {
  readonly path: string
  /** Copies exactly these bytes, inside the storage; false where the source holds others by now. */
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

/** Throws problem `storage_unavailable` or `storage_full`; keys are the server's own words. */
export interface Storage {
  readonly name: 'local' | 's3'
  /** Bound to length, type and, where it is given, SHA-256. */
  signPut(upload: SignedUpload): Promise<{ readonly url: string; readonly headers: Readonly<Record<string, string>> }>
  /** Answers with an attachment. */
  signGet(file: SignedFile): Promise<string>
  stat(key: string): Promise<Stored | undefined>
  /** Undefined where the key no longer holds what `stored` says. */
  snapshot(key: string, stored: Stored, signal: AbortSignal): Promise<Snapshot | undefined>
  /** Takes over a file of the scratch folder. */
  put(key: string, path: string, file: { readonly mimeType: string }): Promise<void>
  /** What is not there is no error. */
  remove(keys: readonly string[]): Promise<void>
}
