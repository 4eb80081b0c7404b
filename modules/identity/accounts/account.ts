/** A user's own account. */
import type { Caller, Deps } from '@larder-dev/larder/kernel'
import type { ProfileValues } from '../ports.ts'
import type { Profiles } from '../users/profiles.ts'
import type { User } from '../users/records/account.ts'
import type { UserChanges, Users } from '../users/users.ts'

export interface AccountChanges extends UserChanges {
  readonly profile?: ProfileValues
}
export interface UpdatedAccount {
  readonly user: User
  readonly profile: ProfileValues
}
export interface Account {
  /** All of the changes or none. Throws 422 for an unknown time zone and for wrong values of the profile. */
  update(caller: Caller, changes: AccountChanges): Promise<UpdatedAccount>
}
type Needs = Deps<'systemDatabase'> & {
  readonly profiles: Profiles
  readonly users: Users
}

export function createAccount({ systemDatabase, profiles, users: userRecords }: Needs): Account {
  const users = () => systemDatabase.acrossTenants('an account belongs to a user, not to a tenant')
  return {
    update: (caller, { profile, ...changes }) =>
      users().transaction(async () => {
        const { userId } = caller
        const user = await userRecords.update(userId, changes)
        return {
          user,
          profile: profile
            ? await profiles.updateUser(userId, profile, caller, 'person')
            : await profiles.ofUser(userId),
        }
      }),
  }
}
