/** Proof that the person at a login is the account's owner, before changes that take the account away from its owner. */
import { type Caller, type Deps, invalidField, MINUTE } from '@larder-dev/larder/kernel'
import type { IdentitySettings } from '../../options.ts'
import { problems } from '../../problems.ts'
import { loginTable, type StoredAccount } from '../../records/account.ts'
import type { Passwords } from './passwords.ts'

const RECENT_MS = 10 * MINUTE

export interface Reauthentication {
  /**
   * Checks the password. A user without one must have signed in recently. Throws `wrong_password`,
   * `reauthentication_required`, and 422 for a missing password.
   * @param pointer JSON pointer to the password in the body
   */
  assert(
    caller: Pick<Caller, 'principalId'>,
    account: StoredAccount,
    password: string | undefined,
    pointer: string,
  ): Promise<void>
}
type Needs = Deps<'systemDatabase' | 'clock'> & {
  readonly passwords: Passwords
  readonly settings: IdentitySettings
}

export function createReauthentication({ systemDatabase, clock, passwords, settings }: Needs): Reauthentication {
  async function assertRecent(loginId: string): Promise<void> {
    const unit = systemDatabase.acrossTenants('a login belongs to a user, not to a tenant')
    const login = await loginTable.find(unit, { id: loginId })
    if (!login || Date.parse(login.createdAt) < clock.now() - RECENT_MS) throw problems.reauthentication_required()
  }

  return {
    async assert({ principalId }, account, password, pointer) {
      if (!settings.passwords || account.passwordHash === null) return assertRecent(principalId)
      if (password === undefined) throw invalidField(pointer, 'required', 'is required')
      const { matches } = await passwords.verify(account.passwordHash, password)
      if (!matches) throw problems.wrong_password()
    },
  }
}
