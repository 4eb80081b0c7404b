import { Nullable, type RecordOf, Time, Type, table } from '@larder-dev/larder/kernel'
import type { HistoryEntry, MessageState } from '../domain/message-states.ts'
import type { MailCategory } from '../ports.ts'

export const messageTable = table(
  'comms_messages',
  Type.Object({
    id: Type.String(),
    tenantId: Type.String(),
    template: Type.String(),
    to: Type.String(),
    locale: Type.String(),
    category: Type.Unsafe<MailCategory>({ type: 'string' }),
    subject: Type.String(),
    data: Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' }),
    status: Type.Unsafe<MessageState>({ type: 'string' }),
    attempts: Type.Integer(),
    history: Type.Array(Type.Unsafe<HistoryEntry>({ type: 'object' })),
    sentAt: Nullable(Time),
    createdAt: Time,
    updatedAt: Time,
  }),
  {
    what: 'email',
    columns: { to: 'recipient' },
    defaults: { attempts: 0 },
    // `recipientKey` is the address in the form that is compared; `key` the id of the causing event.
    hidden: { recipientKey: Type.String(), key: Nullable(Type.String()) },
  },
)
export type Message = Readonly<RecordOf<typeof messageTable>>
