/** Maps rows of `sessions_sessions` to session records and event payloads. Pure. */
import { type EndReason, lifecycleAt, type SessionStatus } from '../domain/lifecycle.ts'
import { recommendedSettings, type SessionMode, type StreamProfile, VIEWER_PROTOCOLS } from '../domain/profiles.ts'
import type { Session, SessionEventPayload } from '../ports.ts'

export interface SessionRow {
  readonly id: string
  readonly tenant_id: string
  readonly code: string
  readonly mode: SessionMode
  readonly stream_profile: StreamProfile
  readonly audio_enabled: boolean
  readonly purpose: string | null
  readonly customer: string | null
  readonly metadata: Record<string, unknown>
  readonly webhook_url: string | null
  readonly webhook_events: string[]
  readonly status: SessionStatus
  readonly sequence: number
  readonly created_at: Date
  readonly expires_at: Date
  readonly accepted_at: Date | null
  readonly ends_at: Date | null
  readonly ended_at: Date | null
  readonly end_reason: EndReason | null
}

export const COLUMNS = `id, tenant_id, code, mode, stream_profile, audio_enabled, purpose, customer, metadata, webhook_url,
  webhook_events, status, sequence, created_at, expires_at, accepted_at, ends_at, ended_at, end_reason`

/** `now` in milliseconds since 1970. */
export function toSession(row: SessionRow, now: number): Session {
  const lifecycle = lifecycleAt(row, now)
  return {
    id: row.id,
    code: row.code,
    mode: row.mode,
    stream_profile: row.stream_profile,
    audio_enabled: row.audio_enabled,
    purpose: row.purpose,
    customer: row.customer,
    metadata: row.metadata,
    status: lifecycle.status,
    viewer_protocols: VIEWER_PROTOCOLS,
    recommended_settings: recommendedSettings(row.stream_profile, row.audio_enabled),
    workspace_id: row.tenant_id,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    accepted_at: row.accepted_at?.toISOString() ?? null,
    ended_at: lifecycle.ended_at?.toISOString() ?? null,
    end_reason: lifecycle.end_reason,
    webhook_url: row.webhook_url,
    webhook_events: row.webhook_events,
    sequence: row.sequence,
  }
}

/** Contains no token. */
export const toEventPayload = (session: Session): SessionEventPayload => ({
  session_id: session.id,
  code: session.code,
  status: session.status,
  mode: session.mode,
  stream_profile: session.stream_profile,
  audio_enabled: session.audio_enabled,
  customer: session.customer,
  purpose: session.purpose,
  metadata: { ...session.metadata },
  end_reason: session.end_reason,
  sequence: session.sequence,
  webhook: session.webhook_url === null ? null : { url: session.webhook_url, events: [...session.webhook_events] },
})
