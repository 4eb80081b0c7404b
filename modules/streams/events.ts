/** Payloads of the events that this module publishes. */
import { internalProperty, Nullable, named, OneOf, publicEvent, Type } from '@larder-dev/larder/kernel'
import { END_REASONS, PROFILES, STATUSES } from './domain/values.ts'

/** The same fields as in the events of sessions, so that one webhook format covers both. */
const SessionEventPayload = named(
  'StreamEventData',
  Type.Object({
    session_id: Type.String(),
    code: Type.String(),
    status: OneOf(STATUSES),
    mode: OneOf(['screenshare', 'stream']),
    stream_profile: OneOf(PROFILES),
    audio_enabled: Type.Boolean(),
    customer: Nullable(Type.String()),
    purpose: Nullable(Type.String()),
    metadata: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    end_reason: Nullable(OneOf(END_REASONS)),
    sequence: Type.Integer({ minimum: 1 }),
    webhook: internalProperty(Nullable(Type.Object({ url: Type.String(), events: Type.Array(Type.String()) }))),
  }),
)

export const events = {
  'streams.stream.live': publicEvent('A stream went live.', SessionEventPayload),
  'streams.stream.idle': publicEvent('A stream stopped.', SessionEventPayload),
  'streams.stream.sources_updated': publicEvent('The sources of a stream changed.', SessionEventPayload),
  'streams.stream.layout_updated': publicEvent('The layout of a stream changed.', SessionEventPayload),
}
