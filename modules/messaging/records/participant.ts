import { Nullable, named, type RecordOf, type Static, Time, Type, table } from '@larder-dev/larder/kernel'
import { Seq, UserId } from './common.ts'

const lastReadSeq = Seq('Number of the last message that this participant has read')

export const Participant = named(
  'Participant',
  Type.Object({
    userId: Type.String(),
    name: Nullable(Type.String({ description: 'Null if unset or no longer a member' })),
    lastReadSeq,
    joinedAt: Time,
  }),
)
export type Participant = Static<typeof Participant>
export const participantTable = table(
  'messaging_participants',
  Type.Object({ userId: Type.String(), lastReadSeq, joinedAt: Time }),
  { what: 'participant', hidden: { tenantId: Type.String(), conversationId: Type.String() } },
)
export type StoredParticipant = RecordOf<typeof participantTable>
export const NewParticipant = Type.Object({ userId: UserId })
