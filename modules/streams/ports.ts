/** What streams gives and tells: types alone. Its wire format, and so its records, is snake_case. */

import type { PageOf, Ports, SocketPeer, SocketSession } from 'larder/kernel'

type Sessions = Ports['sessions']
/** A session, as the module that keeps them tells it. */
export type Session = Awaited<ReturnType<Sessions['get']>>
export type NewSession = Parameters<Sessions['create']>[1]
export type CreatedSession = Awaited<ReturnType<Sessions['create']>>
export type SessionNotice = Awaited<ReturnType<Sessions['nextEventPayload']>>

export type Visibility = 'private' | 'public'
export type LiveStatus = 'idle' | 'live' | 'reconnecting'
export type Role = 'publisher' | 'viewer'
export type SourceKind = 'screen' | 'window' | 'camera' | 'microphone' | 'game' | 'external'
export type LayoutKind = 'single' | 'horizontal' | 'vertical' | 'grid' | 'focus'

/** Times are RFC 3339 UTC. */
export interface Source {
  readonly source_id: string
  readonly kind: SourceKind
  readonly label: string | null
  readonly width: number | null
  readonly height: number | null
  readonly fps: number | null
  readonly url: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  readonly created_at: string
  readonly updated_at: string
}
export interface NewSource {
  readonly source_id?: string
  readonly kind: SourceKind
  readonly label?: string
  readonly width?: number
  readonly height?: number
  readonly fps?: number
  readonly url?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}
export interface Slot {
  readonly source_id: string
  readonly order: number
}
export interface Layout {
  readonly kind: LayoutKind
  readonly slots: readonly Slot[]
  readonly focus_source_id: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  /** 0 until somebody sets one. */
  readonly version: number
}
export interface NewLayout {
  readonly kind: LayoutKind
  readonly slots?: readonly Slot[]
  readonly focus_source_id?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** What a stream has beside its session. */
export interface StreamDetails {
  readonly title: string | null
  readonly description: string | null
  readonly visibility: Visibility
  readonly tags: readonly string[]
  readonly hide_viewer_count: boolean
  readonly live_status: LiveStatus
  /** Since when it is live without a break longer than the reconnect window. */
  readonly live_at: string | null
  readonly sources: readonly Source[]
  readonly layout: Layout
  readonly viewer_count: number
}
export interface Playback {
  readonly whep_url: string
  readonly hls_url: string
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
/** What the directory shows, and nothing else. */
export interface PublicStream {
  readonly id: string
  readonly title: string | null
  readonly description: string | null
  readonly tags: readonly string[]
  readonly stream_profile: Session['stream_profile']
  readonly live_status: LiveStatus
  /** Null where its owner hides it. */
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
  /** Throws `not_found`, for a session of another mode too. */
  get(tenantId: string, id: string): Promise<Stream>
  /** Newest first. */
  list(tenantId: string, query: StreamQuery): Promise<PageOf<Stream>>
  /** Public streams of every tenant that are created or accepted; newest first. */
  directory(query: { limit?: number; cursor?: string }): Promise<PageOf<PublicStream>>
  /** One of the directory; null for what does not stand in it. */
  publicOne(id: string): Promise<PublicStream | null>
}

export interface StreamSources {
  list(tenantId: string, id: string): Promise<Source[]>
  /** `added` is false where a source of this id was replaced. Throws `not_found`, `invalid_state`, `too_many_sources`. */
  put(tenantId: string, id: string, source: NewSource): Promise<{ source: Source; added: boolean }>
  /** Its slot in the layout goes with it. Throws `not_found`, `invalid_state`. */
  remove(tenantId: string, id: string, sourceId: string): Promise<void>
  layout(tenantId: string, id: string): Promise<Layout>
  /** `check` sees the layout that stands, under a lock, and may throw. Throws `not_found`, `invalid_state`. */
  setLayout(tenantId: string, id: string, layout: NewLayout, check: (current: Layout) => void): Promise<Layout>
}

export interface StreamToken {
  readonly id: string
  readonly stream_id: string
  readonly role: Role
  readonly label: string | null
  readonly expires_at: string | null
  readonly max_uses: number | null
  readonly uses: number
  readonly created_at: string
}
export interface NewStreamToken {
  readonly role: Role
  /** Seconds. */
  readonly ttl_seconds?: number
  readonly max_uses?: number
  readonly label?: string
}
/** What a token opens, and for whom. */
export interface Pass {
  readonly session: Session
  /** `join` is the session's own token: its holder chooses a role. */
  readonly kind: 'join' | Role
  readonly tokenId: string | null
}
export interface StreamTokens {
  /** `token` is told this once. Throws `not_found`, `invalid_state`. */
  create(tenantId: string, id: string, input: NewStreamToken): Promise<StreamToken & { readonly token: string }>
  list(tenantId: string, id: string, query: { limit?: number; cursor?: string }): Promise<PageOf<StreamToken>>
  /** Sockets that it opened close. Throws `not_found`. */
  revoke(tenantId: string, id: string, tokenId: string): Promise<void>
  /** Who brings this token; undefined for an unknown or expired one. The session may be over. */
  passOf(token: string): Promise<Pass | undefined>
  exists(tenantId: string, tokenId: string): Promise<boolean>
  /** Counts one use; false where that was one too many, or the token is gone. */
  spend(pass: Pass): Promise<boolean>
}

/** A media server that takes and plays streams. */
export interface MediaEdge {
  readonly provider: string
  readonly enabled: boolean
  /** `live/ses_…`. */
  pathOf(streamId: string): string
  /** The stream of a path; undefined for a foreign one. */
  streamOf(path: string): string | undefined
  whipUrl(streamId: string): string
  playback(streamId: string): Playback
  /** Whether a hook brought the secret that the recipe names. */
  trusts(secret: string | undefined): boolean
  /** Ends what is still published or played there; says how many. Throws where the edge does not answer. */
  kick(streamId: string, signal: AbortSignal): Promise<number>
}

/** What the edge asks before it lets somebody publish or play. */
export interface EdgeQuestion {
  readonly action: string
  readonly path: string
  readonly protocol?: string
  /** Of the connection, the edge's own. */
  readonly id?: string
  readonly token?: string
  readonly password?: string
  readonly query?: string
}
export interface EdgeGate {
  allows(question: EdgeQuestion): Promise<boolean>
  /** Drops what it remembers. */
  stop(): void
}

/** The rooms of the realtime socket that this process holds. */
export interface StreamRooms {
  open(peer: SocketPeer): SocketSession
  /** Leaves every place for another process to take up. */
  stop(): Promise<void>
}

/** Message on the bus channel `streams.changed`, after the change was committed. */
export type StreamChanged = { readonly tenantId: string; readonly sessionId: string } & (
  | { readonly change: 'source'; readonly source: Source | { readonly source_id: string; readonly removed: true } }
  | { readonly change: 'layout'; readonly layout: Layout }
  | { readonly change: 'live'; readonly live_status: LiveStatus; readonly live_at: string | null }
  | { readonly change: 'token_revoked'; readonly tokenId: string }
)

declare module 'larder/kernel' {
  interface Ports {
    streams: Streams
    streamSources: StreamSources
    streamTokens: StreamTokens
    mediaEdge: MediaEdge
    /** The module's own. */
    edgeGate: EdgeGate
    /** The module's own. */
    streamRooms: StreamRooms
  }
  interface Events {
    'streams.stream.live': SessionNotice
    'streams.stream.idle': SessionNotice
    'streams.stream.sources_updated': SessionNotice
    'streams.stream.layout_updated': SessionNotice
  }
  interface Jobs {
    /** The reconnect window is over: the stream is idle, unless it came back. `lost_at` says which loss is meant. */
    'streams.go_idle': { tenant_id: string; session_id: string; lost_at: string }
    'streams.kick': { session_id: string }
    /** Gives up the places that dead processes held. */
    'streams.sweep': Record<string, never>
  }
}
