import { Nullable, named, OneOf, Timestamp, Type } from '@larder-dev/larder/kernel'

const Text = Type.String()

export const Delivery = named(
  'EventDelivery',
  Type.Object({
    id: Text,
    eventId: Text,
    eventType: Text,
    tenantId: Text,
    handler: Text,
    state: OneOf(['pending', 'done', 'dead']),
    attempts: Type.Integer(),
    nextAttemptAt: Nullable(Timestamp),
    lastError: Nullable(Text),
    doneAt: Nullable(Timestamp),
  }),
)

export const EventEnvelope = named(
  'StoredEvent',
  Type.Object({
    id: Text,
    type: Text,
    version: Type.Integer(),
    tenantId: Text,
    occurredAt: Timestamp,
    actor: named(
      'EventActor',
      Type.Object({
        kind: OneOf(['login', 'apiKey', 'system']),
        id: Text,
        userId: Type.Optional(Type.String({ description: 'Of a login' })),
        impersonatedBy: Type.Optional(Type.String({ description: 'User ID of the operator who acted as the user' })),
      }),
    ),
    subject: Nullable(Text),
    correlationId: Nullable(Text),
    causationId: Nullable(Text),
    payload: Type.Unknown(),
    deliveries: Type.Array(Delivery),
  }),
)

export const Replay = named(
  'EventReplay',
  Type.Object({
    eventId: Text,
    deliveries: Type.Integer({ description: 'Number of restarted deliveries' }),
  }),
)
