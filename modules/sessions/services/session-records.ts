/** Maps stored sessions to those of the port, and to event payloads. Pure. */
import { valuesOf } from '@larder-dev/larder/kernel'
import { lifecycleAt } from '../domain/lifecycle.ts'
import { recommendedSettings, VIEWER_PROTOCOLS } from '../domain/profiles.ts'
import type { Session, SessionEventPayload } from '../ports.ts'
import { eventFields, type StoredSession } from '../records.ts'

/** `now` in milliseconds since 1970. */
export const toSession = (stored: StoredSession, now: number): Session => ({
  ...lifecycleAt(stored, now),
  viewer_protocols: VIEWER_PROTOCOLS,
  recommended_settings: recommendedSettings(stored.stream_profile, stored.audio_enabled),
})

/** Contains no token. */
export const toEventPayload = (session: Session): SessionEventPayload => ({
  session_id: session.id,
  ...valuesOf(eventFields, session),
  sequence: session.sequence,
  webhook: session.webhook_url === null ? null : { url: session.webhook_url, events: [...session.webhook_events] },
})
