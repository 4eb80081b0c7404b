/** Addresses that forms notify and that aren't members. */
import { Nullable, OneOf, type RecordOf, Time, Type, table } from '@larder-dev/larder/kernel'
import { STORED_STATES } from '../domain/recipients.ts'

export const recipientTable = table(
  'forms_recipients',
  Type.Object({
    id: Type.String(),
    tenantId: Type.String(),
    /** In the form of `emailKey`. */
    email: Type.String(),
    state: OneOf(STORED_STATES),
    /** The language in which the recipient confirmed. */
    locale: Nullable(Type.String()),
    /** Number of requests sent. */
    linkVersion: Type.Integer(),
    requestedAt: Nullable(Time),
  }),
  { what: 'recipient', defaults: { linkVersion: 0 }, hidden: { createdAt: Time, updatedAt: Time } },
)
export type RecipientRow = RecordOf<typeof recipientTable>
