/** What media gives, tells and does later: types alone. */
import type { Rejection } from './domain/rejections.ts'
import type { Media } from './services/media.ts'

export interface MediaReference {
  readonly id: string
  readonly fileName: string
  readonly mimeType: string
  /** Bytes. */
  readonly size: number
}

export interface MediaItems {
  /**
   * Those items of the tenant, in the order of the ids. Throws 422 `unknown_media` that names the ids that are not
   * there or not ready.
   */
  ready(tenantId: string, ids: readonly string[]): Promise<readonly MediaReference[]>
}

export type ScanVerdict =
  | { readonly verdict: 'clean' }
  | { readonly verdict: 'infected'; readonly signature: string }
  /** The file is held, and scanned again later. */
  | { readonly verdict: 'not_scanned'; readonly reason: 'too_large' | 'unavailable' }

/** Wanted: a module of the recipe may give its own in place of clamd. */
export interface VirusScanner {
  /** Looks at a file of this machine. Rejects only when aborted. */
  scan(file: { readonly path: string; readonly size: number }, signal: AbortSignal): Promise<ScanVerdict>
}

export interface MediaNotice {
  mediaId: string
  fileName: string
  mimeType: string
  /** Bytes. */
  size: number
}

declare module 'larder/kernel' {
  interface Ports {
    mediaItems: MediaItems
    virusScanner: VirusScanner
    /** The services behind media's own routes. */
    media: Media
  }
  interface Events {
    'media.item.ready': MediaNotice
    'media.item.rejected': MediaNotice & { rejection: Rejection }
    'media.item.deleted': MediaNotice
  }
  interface Jobs {
    /** An upload that was not finished while its caller waited, or that is held. */
    'media.process': { mediaId: string }
    /** The time of an upload is over: what was forgotten expires, and its quarantine is emptied. */
    'media.close': { mediaId: string }
    /** Takes objects out of the storage. */
    'media.discard': { keys: string[] }
    /** Takes up what a process left that died. */
    'media.sweep': Record<string, never>
  }
}
