/** What sessions gives and tells: types alone. Its wire format, and so its records, is snake_case. */

import type { PageOf, Step } from 'larder/kernel'
export type SessionMode = 'screenshare' | 'stream'
export type StreamProfile = 'balanced' | 'crisp' | 'low_latency' | 'gaming'
export type SessionStatus = 'created' | 'accepted' | 'ended' | 'expired'
export type EndReason = 'owner' | 'max_duration'

export interface RecommendedSettings {
  readonly target_fps: number
  readonly bitrate_kbps: number
  readonly audio_enabled: boolean
  readonly latency_profile: string
  readonly capture_profile: string
  readonly recommended_use: string
}

/** A session as the clock sees it now. Times are RFC 3339 UTC. */
export interface Session {
  readonly id: string
  readonly code: string
  readonly mode: SessionMode
  readonly stream_profile: StreamProfile
  readonly audio_enabled: boolean
  readonly purpose: string | null
  readonly customer: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  readonly status: SessionStatus
  readonly viewer_protocols: readonly string[]
  readonly recommended_settings: RecommendedSettings
  /** The tenant. */
  readonly workspace_id: string
  readonly created_at: string
  readonly expires_at: string
  readonly accepted_at: string | null
  readonly ended_at: string | null
  readonly end_reason: EndReason | null
  readonly webhook_url: string | null
  /** Types that the address wants to hear of: `session.created`, … */
  readonly webhook_events: readonly string[]
  /** How many things were told of this session so far. */
  readonly sequence: number
}

export interface NewSession {
  readonly mode: SessionMode
  readonly stream_profile?: StreamProfile
  readonly audio_enabled?: boolean
  readonly purpose?: string
  readonly customer?: string
  /** 1 to 86400, for a stream to 604800. */
  readonly ttl_seconds?: number
  readonly webhook_url?: string
  readonly webhook_events?: readonly string[]
  readonly metadata?: Readonly<Record<string, unknown>>
}
export interface CreatedSession extends Session {
  /** `jt_…`, told this once: the database keeps its SHA-256. */
  readonly join_token: string
  /** Seconds. */
  readonly expires_in: number
}
export interface SessionFilter {
  readonly limit?: number
  readonly cursor?: string
  readonly status?: SessionStatus
  readonly mode?: SessionMode
  readonly customer?: string
  readonly code?: string
}

/**
 * The fields of a webhook's body that a session brings, and where it goes. Events of other modules about a session
 * carry the same; `webhook` itself is never sent.
 */
export interface SessionNotice {
  session_id: string
  code: string
  status: SessionStatus
  mode: SessionMode
  stream_profile: StreamProfile
  audio_enabled: boolean
  customer: string | null
  purpose: string | null
  metadata: Record<string, unknown>
  end_reason: EndReason | null
  /** From 1, without gaps, one a session. */
  sequence: number
  webhook: { url: string; events: string[] } | null
}

/** Sessions of every mode. All look at the clock: a session that should have expired is expired in every answer. */
export interface Sessions {
  /**
   * In one flight, its event and what `also` adds included. Throws `validation_failed` for what no schema can know:
   * the lifetime of its mode, the shape of `metadata`, a literal private address in `webhook_url`.
   */
  create(tenantId: string, input: NewSession, also?: (session: Session) => readonly Step[]): Promise<CreatedSession>
  /** Throws `not_found`, for another tenant's session too. */
  get(tenantId: string, id: string): Promise<Session>
  /** Newest first. */
  list(tenantId: string, filter: SessionFilter): Promise<PageOf<Session>>
  /** Those of the ids that this tenant has, in no order. */
  many(tenantId: string, ids: readonly string[]): Promise<Session[]>
  /** The same of any tenant, for what is public. */
  across(ids: readonly string[]): Promise<Session[]>
  /** Whatever its status. Throws `invalid_join_token`. */
  byJoinToken(token: string): Promise<Session>
  /** Throws `not_found`, `invalid_state`. Twice gives the same answer and one event. */
  accept(tenantId: string, id: string): Promise<Session>
  /** The token is the credential. Throws `invalid_join_token`, `token_session_mismatch`, `invalid_state`. */
  acceptByToken(id: string, token: string): Promise<Session>
  /** Throws `not_found`, `invalid_state`. Twice gives the same answer and one event. */
  end(tenantId: string, id: string): Promise<Session>
  /** The old token opens nothing from here on. Throws `not_found`, `invalid_state`. */
  rotateToken(tenantId: string, id: string): Promise<CreatedToken>
  /** Counts one more thing told of this session, in the surrounding unit: the payload of the event that tells it. */
  nextNotice(tenantId: string, id: string): Promise<SessionNotice>
}
export interface CreatedToken {
  readonly id: string
  readonly join_token: string
}

/** An entry of `RTCConfiguration.iceServers`. */
export interface IceServer {
  readonly urls: readonly string[]
  readonly username?: string
  readonly credential?: string
}
export interface IceServers {
  /** Credentials that TURN takes from this peer until `expiresAt`, RFC 3339; null where they never expire. */
  of(peerId: string): { readonly ice_servers: readonly IceServer[]; readonly ice_expires_at: string | null }
}

/** Message on the bus channel `sessions.changed`, after the change was committed. */
export type SessionChanged =
  | {
      readonly tenantId: string
      readonly sessionId: string
      readonly change: 'accepted' | 'ended' | 'expired' | 'token_rotated'
    }
  /** The workspace is gone with all of its sessions. */
  | { readonly tenantId: string; readonly change: 'removed' }

declare module 'larder/kernel' {
  interface Ports {
    sessions: Sessions
    iceServers: IceServers
  }
  interface Events {
    'sessions.session.created': SessionNotice
    'sessions.session.accepted': SessionNotice
    'sessions.session.ended': SessionNotice
    'sessions.session.expired': SessionNotice
    'sessions.session.token_rotated': { session_id: string }
  }
  interface Jobs {
    /** Writes down what the clock has ended, and tells it. */
    'sessions.sweep': Record<string, never>
  }
}
