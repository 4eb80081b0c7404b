/** Shapes on the wire. */

import { Nullable, OneOf, type Static, Timestamp, Type } from 'larder/kernel'
export const STATUSES = ['pending', 'delivered', 'dead'] as const
export type DeliveryStatus = (typeof STATUSES)[number]

const Integer = Type.Integer()
const Text = Type.String()
const Time = Nullable(Type.Unsafe<Date | string>(Timestamp))

const fields = {
  id: Type.String({ description: 'The header webhook-id, the same on every attempt' }),
  event_id: Text,
  type: Text,
  session_id: Text,
  sequence: Integer,
  url: Text,
  status: OneOf(STATUSES),
  reason: Nullable(
    OneOf(['gone', 'refused', 'exhausted'], {
      description: 'Why it is dead: answered 410; an address that must not be reached; every attempt failed',
    }),
  ),
  attempt_count: Integer,
  next_attempt_at: Time,
  response_status: Nullable(Integer),
  error: Nullable(Text),
  created_at: Type.Unsafe<Date | string>(Timestamp),
  delivered_at: Time,
}

export const Delivery = Type.Object(fields)
export type DeliveryRecord = Static<typeof Delivery>

export const DeliveryDetails = Type.Object({
  ...fields,
  payload: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'The body, with the sent_at of the last attempt',
  }),
  attempts: Type.Array(
    Type.Object({
      number: Integer,
      at: Type.Unsafe<Date | string>(Timestamp),
      duration_ms: Integer,
      status: Nullable(Integer),
      error: Nullable(Text),
      answer: Nullable(Type.String({ description: 'The first 1 KiB' })),
    }),
  ),
})
export type DeliveryWithAttempts = Static<typeof DeliveryDetails>

export const Deliveries = Type.Object({ data: Type.Array(Delivery), next_cursor: Nullable(Text) })

export const Secret = Type.Object({ secret: Type.String({ description: 'whsec_ and 32 bytes in base64' }) })
export const RotatedSecret = Type.Object({
  secret: Text,
  previous_expires_at: Type.String({ format: 'date-time', description: 'Until then both sign' }),
})
