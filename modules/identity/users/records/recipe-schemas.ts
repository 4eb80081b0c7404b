/** Schemas of the API that depend on the recipe: those with a profile. Clients see its fields, by name and type. */
import { isDeepStrictEqual } from 'node:util'
import { documented, type JsonSchema, named, Type } from '@larder-dev/larder/kernel'
import type { ProfileFields, ProfileSchemas } from '../../ports.ts'
import { memberSchema } from './member.ts'
import { ProfileValues } from './profile.ts'

const EMPTY: JsonSchema = { type: 'object', properties: {} }
const NO_FIELDS: ProfileSchemas = { values: EMPTY, changes: EMPTY, ownChanges: EMPTY, created: EMPTY }

export interface DeclaredFields {
  readonly user?: ProfileFields
  readonly member?: ProfileFields
}
export type RecipeSchemas = ReturnType<typeof recipeSchemas>

export function recipeSchemas({ user, member }: DeclaredFields) {
  const of = (name: string, schema: JsonSchema) => documented(named(name, Type.Unsafe(schema)), ProfileValues)
  const ofUser = user?.schemas ?? NO_FIELDS
  const ofMember = member?.schemas ?? NO_FIELDS
  return {
    UserProfile: of('UserProfileFields', ofUser.values),
    UserProfileChange: of('UpdateUserProfileFields', ofUser.ownChanges),
    // The same name without fields that operators alone change.
    OperatorProfileChange: isDeepStrictEqual(ofUser.changes, ofUser.ownChanges)
      ? of('UpdateUserProfileFields', ofUser.ownChanges)
      : of('UpdateReadOnlyUserProfileFields', ofUser.changes),
    NewUserProfile: of('CreateUserProfileFields', ofUser.created),
    Member: memberSchema(of('MemberProfileFields', ofMember.values)),
    MemberProfileChange: of('UpdateMemberProfileFields', ofMember.changes),
  }
}
