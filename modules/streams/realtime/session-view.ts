/** The part of a session that its peers may see. Pure. */
import type { Session, StreamDetails } from '../ports.ts'

export const toSessionView = (session: Session, details: StreamDetails | undefined) => ({
  id: session.id,
  code: session.code,
  status: session.status,
  mode: session.mode,
  stream_profile: session.stream_profile,
  audio_enabled: session.audio_enabled,
  recommended_settings: session.recommended_settings,
  created_at: session.created_at,
  expires_at: session.expires_at,
  accepted_at: session.accepted_at,
  title: details?.title ?? null,
  description: details?.description ?? null,
  visibility: details?.visibility ?? 'private',
  live_status: details?.live_status ?? 'idle',
  live_at: details?.live_at ?? null,
  sources: details?.sources ?? [],
  layout: details?.layout ?? null,
})
