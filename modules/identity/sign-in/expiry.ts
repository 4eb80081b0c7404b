import { DAY, type Deps } from '@larder-dev/larder/kernel'
import { SYSTEM_ACTOR } from '../audit/audit-log.ts'
import { timeAt } from '../domain/time.ts'
import { type ImpersonationLog, LOGGED_LOGIN, type LoggedLogin } from './impersonation-log.ts'

/** How long audit entries of deleted tenants are kept. */
const AUDIT_RETENTION_MS = 730 * DAY

/** Rows of mailed links and codes outlast the retries of their job, so that no retry creates one again. */
const MAILED_RETENTION_MS = 1 * DAY
const MAILED = ['identity_password_resets', 'identity_email_codes'] as const

/** How long the claims of a test of single sign-on are kept. */
const SSO_TEST_RETENTION_MS = 1 * DAY
const FORGET_SSO_TESTS = `update identity_sso_connections set last_test = null
  where (last_test ->> 'at')::timestamptz < $1`

const EXPIRING = [
  'identity_logins',
  'identity_email_changes',
  'identity_passkey_challenges',
  'identity_app_codes',
  'identity_sign_in_failures',
  'identity_used_challenges',
  'identity_pending_logins',
  'identity_trusted_devices',
  'identity_saml_requests',
  'identity_sign_in_returns',
  'identity_claims',
] as const

/** Deletes what has expired. Every lookup also compares the expiry time, so a late run is harmless. */
export type DeleteExpired = () => Promise<void>

type Needs = Deps<'systemDatabase' | 'clock'> & {
  readonly impersonationLog: ImpersonationLog
}

export function createExpiry({ systemDatabase, clock, impersonationLog }: Needs): DeleteExpired {
  return async () => {
    const unit = systemDatabase.acrossTenants('expired logins, links and codes of every user are deleted')
    await unit.transaction(async inner => {
      const { rows } = await inner.query<LoggedLogin>(
        `delete from identity_logins l where expires_at <= $1 and impersonator_id is not null returning ${LOGGED_LOGIN}`,
        [timeAt(clock)],
      )
      await impersonationLog.ended(inner, rows, SYSTEM_ACTOR, 'expired')
    })
    for (const table of EXPIRING) await unit.query(`delete from ${table} where expires_at <= $1`, [timeAt(clock)])
    const before = timeAt(clock, -MAILED_RETENTION_MS)
    for (const table of MAILED) await unit.query(`delete from ${table} where expires_at <= $1`, [before])
    await unit.query(FORGET_SSO_TESTS, [timeAt(clock, -SSO_TEST_RETENTION_MS)])
    await unit.query('select identity_audit_purge($1)', [timeAt(clock, -AUDIT_RETENTION_MS)])
  }
}
