/** Signs in the owner of an address who has just proved it. A new address gets an account. */
import { type Deps, Problem } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { accountTable, type StoredAccount } from '../../users/records/account.ts'
import type { AddressProofs } from '../address-proofs.ts'
import type { LoginOrigin } from '../logins.ts'
import type { OnTheWay, Registration } from '../registration.ts'
import type { FinishedSignIn, FinishOptions, SignInCompletion } from '../sign-in-completion.ts'
import type { ProvedAddress } from './email-codes.ts'
import { codeProblems } from './problems.ts'

type AddressOptions = OnTheWay & Pick<FinishOptions, 'token' | 'caller'>
export interface AddressSignIn {
  /** Throws `registration_closed`. */
  start(address: ProvedAddress, origin: LoginOrigin, options: AddressOptions): Promise<FinishedSignIn>
}
type Needs = Deps<'systemDatabase'> & {
  readonly addressProofs: AddressProofs
  readonly registration: Registration
  readonly signInCompletion: SignInCompletion
}

export function createAddressSignIn({
  systemDatabase,
  addressProofs,
  registration,
  signInCompletion,
}: Needs): AddressSignIn {
  const users = () => systemDatabase.acrossTenants('people sign in before their tenant is known')
  const find = (email: string) => accountTable.find(users(), { emailKey: emailKey(email) })

  async function signIn(
    known: StoredAccount,
    origin: LoginOrigin,
    { next: _, ...options }: AddressOptions,
  ): Promise<FinishedSignIn> {
    const { id: userId, email } = known
    if (known.emailVerifiedAt === null) await addressProofs.claimByAddress(known, options)
    // The claim may have removed the password: then its version is another one.
    const current = known.emailVerifiedAt === null ? await accountTable.get(users(), { id: userId }) : known
    // Its address can have changed since it was found.
    if (emailKey(current.email) !== emailKey(email)) throw codeProblems.invalid_code()
    const { passwordVersion } = current
    return signInCompletion.finish({ userId, email, passwordVersion }, origin, options)
  }

  return {
    async start(address, origin, options) {
      const known = await find(address.email)
      if (known) return signIn(known, origin, options)
      try {
        return await registration.registerProved(address, origin, options)
      } catch (error) {
        // A concurrent request has created the account.
        const created = Problem.is(error) && error.code === 'email_taken' ? await find(address.email) : undefined
        if (!created) throw error
        return signIn(created, origin, options)
      }
    },
  }
}
