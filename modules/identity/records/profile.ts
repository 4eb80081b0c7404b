import { named, Type } from '@larder-dev/larder/kernel'

export const Profile = named(
  'Profile',
  Type.Record(Type.String(), Type.Unknown(), {
    description: "Values of the fields of the recipe's section `profile`. In a change, null removes a value",
    examples: [{ phone: '+49 30 1234' }],
  }),
)
