/** Public interfaces of the streams module. Records use snake_case, as on the wire. */
import type { PageOf, PayloadsOf, Ports } from '@larder-dev/larder/kernel'
import type { Playback } from './domain/media-edge.ts'
import type { ClaimMessage, RoomMessage } from './domain/messages.ts'
import type { LiveStatus, Visibility } from './domain/values.ts'
import type { events } from './events.ts'
import type { Layout, Source } from './records/source.ts'

type Sessions = Ports['sessions']
export type Session = Awaited<ReturnType<Sessions['get']>>
export type NewSession = Parameters<Sessions['create']>[1]
export type CreatedSession = Awaited<ReturnType<Sessions['create']>>

/** What a stream adds to its session. */
export interface StreamDetails {
  readonly title: string | null
  readonly description: string | null
  readonly visibility: Visibility
  readonly tags: readonly string[]
  readonly hide_viewer_count: boolean
  readonly live_status: LiveStatus
  /** Start of the broadcast. Interruptions within the reconnect window do not reset it. */
  readonly live_at: string | null
  readonly sources: readonly Source[]
  readonly layout: Layout
  readonly viewer_count: number
}
export interface Stream extends Session, StreamDetails {
  readonly media_path: string
  readonly playback: Playback
}
export interface NewStream extends Omit<NewSession, 'mode'> {
  readonly title?: string
  readonly description?: string
  readonly visibility?: Visibility
  readonly tags?: readonly string[]
  readonly hide_viewer_count?: boolean
}
export interface CreatedStream extends CreatedSession {
  readonly visibility: Visibility
  readonly title: string | null
  readonly media_path: string
}
/** The public part of a stream. */
export interface PublicStream {
  readonly id: string
  readonly title: string | null
  readonly description: string | null
  readonly tags: readonly string[]
  readonly stream_profile: Session['stream_profile']
  readonly live_status: LiveStatus
  /** Null if the owner hides it. */
  readonly viewer_count: number | null
  readonly live_at: string | null
  readonly created_at: string
  readonly playback: Playback
}
export interface StreamQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly status?: Session['status']
  readonly customer?: string
  readonly code?: string
}

export interface Streams {
  create(tenantId: string, input: NewStream): Promise<CreatedStream>
  /** Throws `not_found`, also for a session of another mode. */
  get(tenantId: string, id: string): Promise<Stream>
  /** Newest first. */
  list(tenantId: string, query: StreamQuery): Promise<PageOf<Stream>>
  /** Unfinished public streams of every tenant, newest first. */
  directory(query: { limit?: number; cursor?: string }): Promise<PageOf<PublicStream>>
  /** A stream of the directory; null for any other. */
  getPublic(id: string): Promise<PublicStream | null>
}

export type StreamChanged = { readonly tenantId: string; readonly sessionId: string } & (
  | { readonly change: 'source'; readonly source: Source | { readonly source_id: string; readonly removed: true } }
  | { readonly change: 'layout'; readonly layout: Layout }
  | { readonly change: 'live'; readonly live_status: LiveStatus; readonly live_at: string | null }
  | { readonly change: 'token_revoked'; readonly tokenId: string }
)

/** A message of the topics `streams.stream` and `streams.public`. */
export type StreamChangeMessage =
  | { readonly change: 'status'; readonly status: Session['status'] }
  | { readonly change: 'live'; readonly live_status: LiveStatus; readonly live_at: string | null }
  | { readonly change: 'source'; readonly source: Source | { readonly source_id: string; readonly removed: true } }
  | { readonly change: 'layout'; readonly layout: Layout }

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    streams: Streams
  }
  interface Events extends PayloadsOf<typeof events> {}
  interface Jobs {
    /** Sets a stream to idle at the end of the reconnect window. `lost_at` identifies the interruption. */
    'streams.go_idle': { tenant_id: string; session_id: string; lost_at: string }
    /** Closes all connections of a stream at the media edge. */
    'streams.kick': { session_id: string }
    /** Closes the connections at the media edge whose token is no longer valid. */
    'streams.close_revoked': { tenant_id: string; session_id: string }
    /** Closes what a token opened, at the time when it expires. */
    'streams.expire_token': { tenant_id: string; session_id: string; token_id: string }
    /** Compares the live status of all streams with the media edge. */
    'streams.compare_edge': Record<string, never>
    /** Removes the peers of dead processes. */
    'streams.sweep': Record<string, never>
  }
  interface Channels {
    /** Published after the change has been committed. */
    'streams.changed': StreamChanged
    /** Messages between the processes that hold peers of the same session. */
    'streams.rooms': RoomMessage | ClaimMessage
  }
}
