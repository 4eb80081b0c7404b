/** Public interfaces of the sessions module. Records use snake_case, as on the wire. */
import type { PageOf, PayloadsOf, Step } from '@larder-dev/larder/kernel'
import type { SessionStatus } from './domain/lifecycle.ts'
import type { RecommendedSettings, SessionMode } from './domain/profiles.ts'
import type { events } from './events.ts'
import type { NewSession, StoredSession, sessionSchemas } from './records.ts'

/** A session at the time of the call. Times are RFC 3339 UTC. */
export interface Session extends Readonly<StoredSession> {
  readonly viewer_protocols: readonly string[]
  readonly recommended_settings: RecommendedSettings
}
export type { NewSession }
export interface CreatedSession extends Session {
  /** `jt_…`. Returned only here: the database stores its SHA-256. */
  readonly join_token: string
  /** Seconds from creation. */
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

export type SessionEventPayload = PayloadsOf<typeof events>['sessions.session.created']

/** Sessions of every mode. Results apply due expiries and ends, even if the sweeper has not stored them yet. */
export interface Sessions {
  /** What modules whose records extend those of sessions have in their replies and bodies. */
  readonly schemas: typeof sessionSchemas
  /**
   * Stores the session, its event and the statements that `also` returns in one batch. Throws `validation_failed` for
   * rules that no schema expresses: the maximum TTL of the mode, the shape of `metadata`, a literal private address in
   * `webhook_url`.
   */
  create(tenantId: string, input: NewSession, also?: (session: Session) => readonly Step[]): Promise<CreatedSession>
  /** Throws `not_found`, also for a session of another tenant. */
  get(tenantId: string, id: string): Promise<Session>
  /** Newest first. */
  list(tenantId: string, filter: SessionFilter): Promise<PageOf<Session>>
  /**
   * Sessions of every tenant, without unknown ids, in no particular order. Callers must not return them to other tenants
   * unless they are public.
   */
  getManyAcrossTenants(ids: readonly string[]): Promise<Session[]>
  /** Returns sessions of every status. Throws `invalid_join_token`. */
  getByJoinToken(token: string): Promise<Session>
  /** SHA-256 of the current join token, to recognize it among stored ones; undefined for an unknown session. */
  joinTokenHash(tenantId: string, id: string): Promise<Buffer | undefined>
  /** Increments `sequence` in the surrounding unit and returns the payload for an event about the session. */
  nextEventPayload(tenantId: string, id: string): Promise<SessionEventPayload>
}
/** An entry of `RTCConfiguration.iceServers`. */
export interface IceServer {
  readonly urls: readonly string[]
  readonly username?: string
  readonly credential?: string
}
export interface IceServers {
  /** Credentials of this peer. `ice_expires_at` is RFC 3339, or null if they never expire. */
  forPeer(peerId: string): { readonly ice_servers: readonly IceServer[]; readonly ice_expires_at: string | null }
}

export type SessionChanged =
  | {
      readonly tenantId: string
      readonly sessionId: string
      readonly change: 'accepted' | 'ended' | 'expired' | 'token_rotated'
    }
  /** The tenant was deleted with all its sessions. */
  | { readonly tenantId: string; readonly change: 'removed' }

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    sessions: Sessions
    iceServers: IceServers
  }
  interface Events extends PayloadsOf<typeof events> {}
  interface Jobs {
    /** Stores and publishes expiries and ends that are due. */
    'sessions.sweep': Record<string, never>
  }
  interface Channels {
    /** Published after the change has been committed. */
    'sessions.changed': SessionChanged
  }
}
