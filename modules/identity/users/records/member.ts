import { idPattern, Nullable, named, type Static, Timestamp, Type } from '@larder-dev/larder/kernel'
import type { ProfileValues } from './profile.ts'

export const MemberSearch = Type.Optional(
  Type.String({ minLength: 1, maxLength: 120, description: 'Part of a name or an email address' }),
)

/** @param profile documented with the fields of the recipe: see `recipeSchemas` */
export const memberSchema = (profile: typeof ProfileValues) =>
  named(
    'Member',
    Type.Object({
      id: Type.String({ pattern: idPattern('mem') }),
      userId: Type.String(),
      email: Type.String(),
      name: Nullable(Type.String()),
      roles: Type.Array(Type.String()),
      profile,
      createdAt: Timestamp,
      updatedAt: Timestamp,
    }),
  )
export type Member = Static<ReturnType<typeof memberSchema>>
