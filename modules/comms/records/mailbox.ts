/** Emails that the mailbox transport stores. */
import { Time, Type, table } from '@larder-dev/larder/kernel'

export const mailboxTable = table(
  'comms_mailbox',
  Type.Object({
    id: Type.String(),
    messageId: Type.String(),
    tenantId: Type.String(),
    sender: Type.String(),
    recipient: Type.String(),
    subject: Type.String(),
    html: Type.String(),
    text: Type.String(),
    headers: Type.Unsafe<Readonly<Record<string, string>>>({ type: 'object' }),
    createdAt: Time,
  }),
  { what: 'email' },
)
