import { idPattern, Nullable, named, type Static, Timestamp, Type } from '@larder-dev/larder/kernel'
import { Profile } from './profile.ts'

export const Member = named(
  'Member',
  Type.Object({
    id: Type.String({ pattern: idPattern('mem') }),
    userId: Type.String(),
    email: Type.String(),
    name: Nullable(Type.String()),
    roles: Type.Array(Type.String()),
    profile: Profile,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type Member = Static<typeof Member>
