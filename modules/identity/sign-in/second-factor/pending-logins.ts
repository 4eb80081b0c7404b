/**
 * Sign-ins that have passed the first factor only. They are no logins: nothing but the routes of the second factor accepts
 * their secret.
 */
import { type Deps, newId, type Problem, SECOND, type Unit, withHeaders } from '@larder-dev/larder/kernel'
import { PENDING_TTL_MS } from '../../domain/lifetimes.ts'
import type { LoginCookies } from '../../domain/login-cookies.ts'
import { hashSecret, newPendingSecret } from '../../domain/secrets.ts'
import { timeAt } from '../../domain/time.ts'
import type { IdentitySettings } from '../../options.ts'
import { PASSKEY } from '../sign-in-methods.ts'
import { secondFactorProblems } from './problems.ts'
import { pendingLoginTable, STATE_COLUMNS, type StateRow } from './records.ts'
import { demandOf, type SecondFactorDemand, type SecondFactors, stateOf } from './second-factors.ts'

export interface PendingLogin {
  readonly id: string
  readonly userId: string
  readonly passwordVersion: number
  readonly email: string
  /** Whether the client gets a dashboard token. */
  readonly token: boolean
  /** When the person passed the first factor, if that isn't when the sign-in started. */
  readonly authenticatedAt: string | null
  /** What finishes the sign-in now. Null if nothing is needed any more. */
  readonly demand: SecondFactorDemand | null
}
export interface PendingLogins {
  /**
   * Starts a pending sign-in if the first factor isn't enough. Then throws `second_factor_required`, with the secret of the
   * pending sign-in.
   */
  startIfNeeded(
    credential: Pick<PendingLogin, 'userId' | 'passwordVersion'>,
    options: { readonly token: boolean; readonly authenticatedAt?: string | undefined },
  ): Promise<void>
  /** Throws `sign_in_expired`. */
  find(secret: string | undefined): Promise<PendingLogin>
  /** Ends the pending sign-in. Throws `sign_in_expired` if another request has ended it. */
  take(unit: Unit, id: string): Promise<void>
}
type Needs = Deps<'systemDatabase' | 'clock'> & {
  readonly cookies: LoginCookies
  readonly secondFactors: SecondFactors
  readonly settings: IdentitySettings
}
interface Row extends StateRow, Omit<PendingLogin, 'demand' | 'authenticatedAt'> {
  readonly authenticatedAt: Date | null
}

const SELECT_PENDING = `select p.id, p.user_id as "userId", p.password_version as "passwordVersion", p.token, u.email, p.authenticated_at as "authenticatedAt", ${STATE_COLUMNS}
  from identity_pending_logins p join identity_users u on u.id = p.user_id
  where p.secret_hash = $3 and p.expires_at > $4`

export function createPendingLogins({ systemDatabase, clock, cookies, secondFactors, settings }: Needs): PendingLogins {
  const pending = () => systemDatabase.acrossTenants('people sign in before their tenant is known')

  return {
    async startIfNeeded({ userId, passwordVersion }, { token, authenticatedAt = null }) {
      const demand = await secondFactors.demand(userId)
      if (!demand) return
      const secret = newPendingSecret()
      const values = {
        id: newId('slp', clock.now()),
        secretHash: hashSecret(secret),
        userId,
        passwordVersion,
        token,
        authenticatedAt,
      }
      const expiresAt = timeAt(clock, PENDING_TTL_MS)
      await pending().query(...pendingLoginTable.insertStep({ ...values, expiresAt }))
      const { methods, enroll } = demand
      const extras = { pending: secret, methods: [...methods], enroll, expiresIn: PENDING_TTL_MS / SECOND }
      const problem: Problem = secondFactorProblems.second_factor_required({}, extras)
      // Pages keep the secret in a cookie, which only the pages of the sign-in get.
      throw token ? problem : withHeaders(problem, { 'set-cookie': cookies.pending(secret) })
    },

    async find(secret) {
      if (secret === undefined) throw secondFactorProblems.sign_in_expired()
      const values = [PASSKEY, settings.secondFactorRoles, hashSecret(secret), timeAt(clock)]
      const { rows } = await pending().query<Row>(SELECT_PENDING, values)
      const [row] = rows
      if (!row) throw secondFactorProblems.sign_in_expired()
      const { id, userId, email, passwordVersion, token } = row
      const authenticatedAt = row.authenticatedAt?.toISOString() ?? null
      return { id, userId, email, passwordVersion, token, authenticatedAt, demand: demandOf(stateOf(row, settings)) }
    },

    async take(unit, id) {
      const taken = await pendingLoginTable.query(unit, ...pendingLoginTable.deleteStep({ id }))
      if (taken.length === 0) throw secondFactorProblems.sign_in_expired()
    },
  }
}
