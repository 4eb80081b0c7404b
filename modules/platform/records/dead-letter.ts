import { Nullable, named, OneOf, type Static, Type } from '@larder-dev/larder/kernel'

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
export const RetryMany = Type.Object(
  {
    ids: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 100, uniqueItems: true }),
  },
  { examples: [{ ids: ['dlv_01hzy0j8x4e7r9k2m5p8q1s3t6'] }] },
)
export const RetriedLetters = named(
  'RetriedDeadLetters',
  Type.Object({
    data: Type.Array(DeadLetter),
    missing: Type.Array(Type.String(), { description: 'IDs without a dead letter' }),
  }),
)
export type DeadLetter = Static<typeof DeadLetter>
