/** The accounts of people at providers: found by the subject, linked by an address that both sides verified, or new. */
import { type Caller, type Deps, Problem, type Unit } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { actorOf } from '../../audit/audit-log.ts'
import { accountTable } from '../../users/records/account.ts'
import type { ProvedIdentity, SignInIdentities } from '../identities.ts'
import type { LoginOrigin, SignedIn } from '../logins.ts'
import { signInProblems } from '../problems.ts'
import type { OnTheWay, Registration } from '../registration.ts'
import type { FinishedSignIn, FinishOptions, SignInCompletion } from '../sign-in-completion.ts'

/** A person whom a provider has just identified. */
export interface ProvedPerson extends ProvedIdentity {
  readonly name: string | null
  /** When they proved who they are there, in RFC 3339. */
  readonly authenticatedAt: string
}
export interface ProviderLoginOptions extends OnTheWay, Pick<FinishOptions, 'token' | 'caller' | 'keepsOthers'> {
  /** The locale of a new account. */
  readonly locale: string | null
}
export interface ProviderAccounts {
  /** Links a person to the account with their address at the first sign-in. Null if it must be proved first. */
  find(person: ProvedIdentity): Promise<SignedIn | null>
  /**
   * Signs in, and creates an account for a new address. Null if the person must sign in to their account first: the
   * provider hasn't verified their address, or an account that it doesn't prove has this address. Throws
   * `registration_closed`.
   */
  signIn(person: ProvedPerson, origin: LoginOrigin, options: ProviderLoginOptions): Promise<FinishedSignIn | null>
  /** Adds the person at the provider to the caller's ways to sign in. Throws `identity_taken`. */
  link(caller: Caller, person: ProvedIdentity): Promise<void>
}
type Needs = Deps<'systemDatabase'> & {
  readonly identities: SignInIdentities
  readonly registration: Registration
  readonly signInCompletion: SignInCompletion
}

export function createProviderAccounts({
  systemDatabase,
  identities,
  registration,
  signInCompletion,
}: Needs): ProviderAccounts {
  const users = () => systemDatabase.acrossTenants('people sign in before their tenant is known')
  const accountOf = (unit: Unit, email: string) => accountTable.find(unit, { emailKey: emailKey(email) })

  const find: ProviderAccounts['find'] = person =>
    users().transaction(async unit => {
      const known = await identities.use(unit, person)
      if (known) return accountTable.get(unit, { id: known.userId }).then(toCredential)
      const { email, method } = person
      const account = email === undefined ? undefined : await accountOf(unit, email)
      if (!account || account.emailVerifiedAt === null) return null
      // The provider may have given the address to somebody else.
      if (await identities.hasOther(unit, account.id, person)) return null
      await identities.add(unit, account.id, person, { kind: 'system', id: method, userId: account.id })
      return toCredential(account)
    })

  async function register(person: ProvedPerson, origin: LoginOrigin, { locale, ...given }: ProviderLoginOptions) {
    const { email, name, authenticatedAt } = person
    if (email === undefined || (await accountOf(users(), email))) return null
    return registration.registerProved({ email, name, locale, identity: person }, origin, { ...given, authenticatedAt })
  }

  return {
    find,

    async signIn(person, origin, options) {
      const { token, caller, keepsOthers } = options
      const { authenticatedAt } = person
      const start = async () => {
        const known = await find(person)
        return known && signInCompletion.finish(known, origin, { token, caller, keepsOthers, authenticatedAt })
      }
      const signedIn = await start()
      if (signedIn) return signedIn
      try {
        return await register(person, origin, options)
      } catch (error) {
        // A concurrent request has created the account.
        if (Problem.is(error) && error.code === 'email_taken') return start()
        throw error
      }
    },

    async link(caller, person) {
      await users().transaction(async unit => {
        const known = await identities.use(unit, person)
        if (known?.userId === caller.userId) return
        if (known) throw signInProblems.identity_taken()
        await identities.add(unit, caller.userId, person, actorOf(caller))
      })
    },
  }
}

const toCredential = ({ id, email, passwordVersion }: { id: string; email: string; passwordVersion: number }) => ({
  userId: id,
  email,
  passwordVersion,
})
