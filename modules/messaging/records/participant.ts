import { Nullable, named, type Static, Time, Type } from '@larder-dev/larder/kernel'
import { Seq, UserId } from './common.ts'

export const Participant = named(
  'Participant',
  Type.Object({
    userId: Type.String(),
    name: Nullable(Type.String({ description: 'Null if unset or no longer a member' })),
    lastReadSeq: Seq('Number of the last message that this participant has read'),
    joinedAt: Time,
  }),
)
export type Participant = Static<typeof Participant>
export const NewParticipant = Type.Object({ userId: UserId })
