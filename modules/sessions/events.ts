/** Payloads of the events that this module publishes. */
import { internalProperty, Nullable, named, publicEvent, Type } from '@larder-dev/larder/kernel'
import { eventFields } from './records.ts'

/**
 * The state of a session after the event, and the body of its webhook. Events of other modules about a session have
 * the same fields.
 */
const SessionEventPayload = named(
  'SessionEventData',
  Type.Object({
    session_id: Type.String(),
    ...eventFields,
    // Without the pattern: an event is never refused for its code.
    code: Type.String(),
    sequence: Type.Integer({ minimum: 1, description: 'Starts at 1 and has no gaps within a session' }),
    webhook: internalProperty(
      Nullable(
        Type.Object(
          { url: Type.String(), events: Type.Array(Type.String()) },
          { description: 'Where the event is sent; not part of the webhook body' },
        ),
      ),
    ),
  }),
)

export const events = {
  'sessions.session.created': publicEvent('A session was created.', SessionEventPayload),
  'sessions.session.accepted': publicEvent('A session was accepted.', SessionEventPayload),
  'sessions.session.ended': publicEvent('A session was ended.', SessionEventPayload),
  'sessions.session.expired': publicEvent('A session expired before it was accepted.', SessionEventPayload),
  'sessions.session.token_rotated': Type.Object({ session_id: Type.String() }),
}
