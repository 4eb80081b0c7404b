/** Event types that a session's webhook can receive. The module of an event is not part of its webhook type. Pure. */

/** Sent unless the creator selects other types. */
export const DEFAULT_WEBHOOK_EVENTS = [
  'session.created',
  'session.accepted',
  'session.ended',
  'session.expired',
] as const
const STREAM_EVENTS = ['stream.live', 'stream.idle', 'stream.sources_updated', 'stream.layout_updated'] as const
export const WEBHOOK_EVENTS = [...DEFAULT_WEBHOOK_EVENTS, ...STREAM_EVENTS] as const
