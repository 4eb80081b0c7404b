/**
 * Codes for native apps. People sign in with the browser of the system, which hands a code over to the app; the app
 * exchanges it with the verifier that only it knows (PKCE), so that a code that another app intercepts is worth nothing.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { type Caller, common, type Deps, MINUTE } from '@larder-dev/larder/kernel'
import { hashSecret, newCookieSecret } from '../domain/secrets.ts'
import { timeAt } from '../domain/time.ts'
import type { SignedIn } from './logins.ts'

const CODE_TTL_MS = 1 * MINUTE

interface StoredCode {
  readonly userId: string
  readonly email: string
  readonly passwordVersion: number
  readonly challenge: string
}
export interface AppCodes {
  /**
   * The code ends with the caller's login.
   * @param challenge base64url of the SHA-256 of the verifier
   */
  issue(caller: Pick<Caller, 'principalId'>, challenge: string): Promise<string>
  /** Each code works once, also with a wrong verifier. Null for a wrong, used or expired one. */
  redeem(code: string, verifier: string): Promise<SignedIn | null>
}

export function createAppCodes({ systemDatabase, clock }: Deps<'systemDatabase' | 'clock'>): AppCodes {
  const users = () => systemDatabase.acrossTenants('a code of an app belongs to a user, not to a tenant')
  return {
    async issue({ principalId: loginId }, challenge) {
      const code = newCookieSecret()
      const { rowCount } = await users().query(
        `insert into identity_app_codes (code_hash, user_id, login_id, password_version, challenge, expires_at)
         select $1::bytea, u.id, l.id, u.password_version, $3, $4::timestamptz
         from identity_logins l join identity_users u on u.id = l.user_id where l.id = $2`,
        [hashSecret(code), loginId, challenge, timeAt(clock, CODE_TTL_MS)],
      )
      if (rowCount === 0) throw common.unauthenticated()
      return code
    },

    async redeem(code, verifier) {
      const { rows } = await users().query<StoredCode>(
        `delete from identity_app_codes c using identity_users u
         where c.code_hash = $1 and c.expires_at > $2 and u.id = c.user_id
         returning c.user_id as "userId", u.email, c.password_version as "passwordVersion", c.challenge`,
        [hashSecret(code), timeAt(clock)],
      )
      const [found] = rows
      if (!found) return null
      const { challenge, ...signedIn } = found
      const proved = createHash('sha256').update(verifier).digest()
      const expected = Buffer.from(challenge, 'base64url')
      return expected.length === proved.length && timingSafeEqual(expected, proved) ? signedIn : null
    },
  }
}
