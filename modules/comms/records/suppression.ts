import { idPattern, Nullable, named, OneOf, type RecordOf, Time, Type, table } from '@larder-dev/larder/kernel'

export const SuppressionCategory = OneOf(['all', 'marketing'], {
  description: 'all suppresses every email, marketing only marketing emails',
})
export const SuppressionBody = named(
  'Suppression',
  Type.Object({
    id: Type.String({ pattern: idPattern('sup') }),
    email: Type.String(),
    category: SuppressionCategory,
    reason: Type.String(),
    /** Null: until it is removed. */
    expiresAt: Nullable(Time),
    createdAt: Time,
    updatedAt: Time,
  }),
)
export const suppressionTable = table('comms_suppression', SuppressionBody, {
  what: 'suppression',
  hidden: { tenantId: Type.String() },
})
/** An entry of the suppression list. */
export type Suppression = Readonly<RecordOf<typeof suppressionTable>>
