/** Proof that the person at a login is the account's owner, before changes that take the account away from its owner. */
import { type Caller, common, type Deps, invalidField, together, wording } from '@larder-dev/larder/kernel'
import { actorOf } from '../audit/audit-log.ts'
import { assertRecentProof } from '../domain/recent-proof.ts'
import { timeAt } from '../domain/time.ts'
import type { IdentitySettings } from '../options.ts'
import { accountTable, type StoredAccount } from '../users/records/account.ts'
import { codeProblems } from './codes/problems.ts'
import type { EmailedCode, ProofCodes } from './codes/proof-codes.ts'
import { isOwnLogin } from './logins.ts'
import type { Passkeys } from './passkeys/passkeys.ts'
import { passkeyProblems } from './passkeys/problems.ts'
import type { AuthenticationBody } from './passkeys/records.ts'
import type { Passwords } from './password/passwords.ts'
import { passwordProblems } from './password/problems.ts'
import type { SecondFactors, UseUp } from './second-factor/second-factors.ts'

export interface ReauthenticationProof {
  readonly password?: string
  /** A code of an authenticator app, or a recovery code. */
  readonly code?: string
  readonly passkey?: AuthenticationBody
  /** A code from a mail, for people without the others. */
  readonly emailCode?: EmailedCode
}
/** How a person can prove who they are without signing in again. */
export interface ReauthenticationChoices {
  readonly password: boolean
  readonly code: boolean
  readonly passkey: boolean
  readonly emailCode: boolean
}
export interface Reauthentication {
  /**
   * Checks the password. A user without one must have proved recently who they are. Throws `wrong_password`,
   * `reauthentication_required`, and 422 for a missing password.
   * @param pointer JSON pointer to the password in the body
   */
  assert(
    caller: Pick<Caller, 'authenticatedAt'>,
    account: StoredAccount,
    password: string | undefined,
    pointer: string,
  ): Promise<void>
  choices(userId: string): Promise<ReauthenticationChoices>
  /** Mails a code. Returns the ID of the request. Throws 422 for a person who has another way. */
  sendCode(userId: string): Promise<string>
  /**
   * Whether a person who proves an address also proves the account: at a login of it, or with its password. Throws
   * `incorrect_password`.
   */
  knows(caller: Caller | undefined, account: StoredAccount, password: string | undefined): Promise<boolean>
  /**
   * Records that the person at the login proved who they are. A person with a second factor needs that. Throws
   * `wrong_password`, `invalid_second_factor`, `too_many_codes`, `invalid_passkey`, `invalid_proof_code`, and 422 for a proof that isn't possible.
   */
  confirm(caller: Caller, proof: ReauthenticationProof): Promise<void>
}
type Needs = Deps<'systemDatabase' | 'clock'> & {
  readonly passkeys: Passkeys
  readonly passwords: Passwords
  readonly proofCodes: ProofCodes
  readonly secondFactors: SecondFactors
  readonly settings: IdentitySettings
}

export function createReauthentication({
  systemDatabase,
  clock,
  passkeys,
  passwords,
  proofCodes,
  secondFactors,
  settings,
}: Needs): Reauthentication {
  const users = () => systemDatabase.acrossTenants('a login belongs to a user, not to a tenant')
  const hasPassword = ({ passwordHash }: StoredAccount): boolean => settings.passwords && passwordHash !== null

  async function read(userId: string) {
    const { account, factor } = await together({
      account: accountTable.find(users(), { id: userId }),
      factor: secondFactors.state(userId),
    })
    if (!account) throw common.unauthenticated()
    const code = settings.totp && factor.totp !== null
    // Where a sign-in needs the passkey beside the password, the password alone proves nothing.
    const isPasskeyRequired = factor.required && factor.passkeys > 0
    const choices = {
      code,
      password: !code && !isPasskeyRequired && hasPassword(account),
      passkey: factor.passkeys > 0,
      // Whoever reads the mail of a person with a second factor or a password must not prove to be them.
      emailCode: !code && !isPasskeyRequired && !hasPassword(account) && proofCodes.isPossible(account),
    }
    return { account, choices }
  }

  async function assertPassword(account: StoredAccount, password: string): Promise<void> {
    const { matches } = await passwords.verify(account.passwordHash, password)
    if (!matches) throw passwordProblems.wrong_password()
  }

  async function assertEmailCode(userId: string): Promise<StoredAccount> {
    const { account, choices } = await read(userId)
    if (!choices.emailCode)
      throw invalidField('/emailCode', 'not_possible', wording('is not possible for this account'))
    return account
  }

  async function check(
    caller: Caller,
    { password, code, passkey, emailCode }: ReauthenticationProof,
  ): Promise<UseUp | undefined> {
    const { userId } = caller
    if (emailCode !== undefined) {
      const account = await assertEmailCode(userId)
      if (!(await proofCodes.use(account, emailCode))) throw codeProblems.invalid_proof_code()
      return undefined
    }
    if (passkey !== undefined) {
      const proved = await passkeys.authenticate(passkey)
      if (proved?.userId !== userId) throw passkeyProblems.invalid_passkey()
      return undefined
    }
    if (code !== undefined && settings.totp) return secondFactors.check(userId, code, actorOf(caller))
    const { account, choices } = await read(userId)
    if (choices.code)
      throw invalidField('/code', 'required', wording('is required, because you use an authenticator app'))
    if (!choices.password)
      throw choices.passkey
        ? invalidField('/passkey', 'required', wording('is required, because your role requires a second factor'))
        : invalidField('/password', 'not_possible', wording('is not a way to sign in to this account'))
    if (password === undefined) throw invalidField('/password', 'required', wording('is required'))
    await assertPassword(account, password)
    return undefined
  }

  return {
    choices: async userId => (await read(userId)).choices,
    async sendCode(userId) {
      await assertEmailCode(userId)
      return proofCodes.request(userId)
    },
    async assert(caller, account, password, pointer) {
      if (!hasPassword(account)) return assertRecentProof(caller, clock.now())
      if (password === undefined) throw invalidField(pointer, 'required', wording('is required'))
      await assertPassword(account, password)
    },
    async knows(caller, { id, passwordHash }, password) {
      if (isOwnLogin(caller, id)) return true
      if (password === undefined) return false
      const { matches } = await passwords.verify(passwordHash, password)
      if (!matches) throw passwordProblems.incorrect_password()
      return true
    },
    async confirm(caller, proof) {
      const useUp = await check(caller, proof)
      await users().transaction(async unit => {
        await unit.defer([
          ['update identity_logins set authenticated_at = $2 where id = $1', [caller.principalId, timeAt(clock)]],
        ])
        await useUp?.(unit)
      })
    },
  }
}
