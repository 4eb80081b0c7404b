/**
 * Codes from a mail with which a signed-in person proves again who they are. For people without a password, an app or a
 * passkey, whose provider doesn't say when it last asked them.
 */
import { type Deps, MINUTE, newId } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { MAX_CODE_ATTEMPTS } from '../../domain/lifetimes.ts'
import { timeAt } from '../../domain/time.ts'
import { accountTable, type StoredAccount } from '../../users/records/account.ts'
import type { Recipient } from '../../users/user-mail.ts'
import { emailCodeTable } from './records.ts'

/** Not that of codes that sign in: a code of one doesn't work as the other. */
export const PROOF_PURPOSE = 'reauthentication_code'
export const PROOF_CODE_TTL_MS = 10 * MINUTE

export interface EmailedCode {
  /** ID of the request. */
  readonly request: string
  readonly code: string
}
export interface ProofCodes {
  /** Whether this installation can mail a code to the account. */
  isPossible(account: StoredAccount): boolean
  /** Mails a code to the account. Returns the ID of the request. */
  request(userId: string): Promise<string>
  /** Null for an account that has been deleted. */
  recipient(userId: string): Promise<Recipient | null>
  /** Uses the code up. False for a wrong, used or expired one; after five tries also for the right one. */
  use(account: StoredAccount, proof: EmailedCode): Promise<boolean>
}
type Needs = Deps<'systemDatabase' | 'clock' | 'jobs' | 'secrets', 'mailer'>

export function createProofCodes({ systemDatabase, clock, jobs, secrets, mailer }: Needs): ProofCodes {
  const codes = () => systemDatabase.acrossTenants('a login belongs to a user, not to a tenant')
  const isPossible = ({ emailVerifiedAt }: StoredAccount): boolean => mailer !== undefined && emailVerifiedAt !== null

  return {
    isPossible,

    async request(userId) {
      const { email, locale } = await accountTable.get(codes(), { id: userId })
      const id = newId('rpc', clock.now())
      const values = { id, email, emailKey: emailKey(email), locale, next: '/', attempts: 0 }
      await codes().query(...emailCodeTable.insertStep({ ...values, expiresAt: timeAt(clock, PROOF_CODE_TTL_MS) }))
      await jobs.enqueue('identity.proof_code', { userId, requestId: id })
      return id
    },

    async recipient(userId) {
      const account = await accountTable.find(codes(), { id: userId })
      return account ? { email: account.email, name: account.name, locale: account.locale } : null
    },

    async use({ email }, { request, code }) {
      const values = [request, timeAt(clock), emailKey(email)]
      // Counted before the comparison, so that concurrent guesses are counted, too.
      const { rowCount } = await codes().query(
        `update identity_email_codes set attempts = attempts + 1
         where id = $1 and expires_at > $2 and email_key = $3 and attempts < $4`,
        [...values, MAX_CODE_ATTEMPTS],
      )
      if (!secrets.verifyCode(code, PROOF_PURPOSE, request) || rowCount === 0) return false
      const used = await codes().query(
        `update identity_email_codes set used_at = $2
         where id = $1 and expires_at > $2 and email_key = $3 and used_at is null`,
        values,
      )
      return used.rowCount === 1
    },
  }
}
