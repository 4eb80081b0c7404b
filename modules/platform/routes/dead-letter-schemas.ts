import { Nullable, named, OneOf, type Static, Type } from 'larder/kernel'

const Text = Type.String()

/** A delivery or a job that failed its last attempt. */
export const DeadLetter = named(
  'DeadLetter',
  Type.Object({
    id: Text,
    kind: OneOf(['delivery', 'job']),
    name: Type.String({ description: 'Handler or job' }),
    tenantId: Nullable(Text),
    eventId: Nullable(Text),
    eventType: Nullable(Text),
    attempts: Type.Integer(),
    lastError: Nullable(Text),
  }),
)
export type DeadLetter = Static<typeof DeadLetter>
