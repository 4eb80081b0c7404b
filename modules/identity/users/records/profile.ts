import { named, Type } from '@larder-dev/larder/kernel'

/** Values by field. The fields of the recipe check them, not a schema. */
export const ProfileValues = Type.Record(Type.String(), Type.Unknown(), {
  description: "Values of the fields of the recipe's section `profile`",
})
export const Profile = named('Profile', ProfileValues)
