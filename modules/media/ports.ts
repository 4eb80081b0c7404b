/** Ports, events and jobs of media. Types only. */
import type { PayloadsOf } from '@larder-dev/larder/kernel'
import type { events } from './events.ts'

export interface MediaReference {
  readonly id: string
  readonly fileName: string
  readonly mimeType: string
  /** Bytes. */
  readonly size: number
}

export interface MediaItems {
  /**
   * Returns the items of the tenant in the order of `ids`. Throws 422 `unknown_media` with the ids that don't exist or
   * aren't ready.
   * @param uploadedBy ID of the user whose files count: customers of a product of people use those of their own.
   */
  ready(tenantId: string, ids: readonly string[], uploadedBy?: string): Promise<readonly MediaReference[]>
  /** Signs an address at which the file can be downloaded for a few minutes. Throws `not_found` and `not_ready`. */
  downloadUrl(tenantId: string, id: string): Promise<{ readonly url: string; readonly expiresAt: string }>
}

export type ScanVerdict =
  | { readonly verdict: 'clean' }
  | { readonly verdict: 'infected'; readonly signature: string }
  /** The file is held and scanned again later. */
  | { readonly verdict: 'not_scanned'; readonly reason: 'too_large' | 'unavailable' }

/** Optional: another module can provide a scanner in place of clamd. */
export interface VirusScanner {
  /** Scans a local file. Rejects only when aborted. */
  scan(file: { readonly path: string; readonly size: number }, signal: AbortSignal): Promise<ScanVerdict>
}

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    mediaItems: MediaItems
    virusScanner: VirusScanner
  }
  interface Events extends PayloadsOf<typeof events> {}
  interface Jobs {
    /** Processes an upload that took longer than its request or that is held. */
    'media.process': { mediaId: string }
    /** Expires an unprocessed upload after its URL expired, and deletes its quarantined bytes. */
    'media.close': { mediaId: string }
    /** Deletes objects from storage. */
    'media.discard': { keys: string[] }
    /** Restarts the processing of items whose process died. */
    'media.sweep': Record<string, never>
  }
}
