/**
 * The second factor of a user: an authenticator app with recovery codes, or a passkey. A code works once, and wrong codes
 * delay the next try, whichever sign-in they belong to.
 */
import {
  cleanCode,
  common,
  type Deps,
  HOUR,
  MINUTE,
  type SealedColumn,
  sealedValues,
  type Unit,
} from '@larder-dev/larder/kernel'
import type { AuditActor, AuditRecorder } from '../../audit/audit-log.ts'
import { hashSecret, newClaimCode, normalizeClaimCode } from '../../domain/secrets.ts'
import { timeAt } from '../../domain/time.ts'
import type { IdentitySettings } from '../../options.ts'
import { accountTable } from '../../users/records/account.ts'
import { PASSKEY } from '../sign-in-methods.ts'
import { secondFactorProblems } from './problems.ts'
import {
  type SecondFactor,
  type SecondFactorKind,
  STATE_COLUMNS,
  type StateRow,
  type TotpEnrollment,
  totpTable,
} from './records.ts'
import type { Totp } from './totp.ts'

export const APP_SECRET_COLUMN: SealedColumn = {
  table: 'identity_totp',
  key: ['user_id'],
  column: 'secret',
  purpose: 'totp_secret',
}
const RECOVERY_CODES = 10
/** Wrong codes in a row that are answered at once. */
const FREE_FAILURES = 4
/** The delay doubles up to an hour: then 24 codes a day can be tried. */
const MAX_DELAY_MINUTES = HOUR / MINUTE
const MAX_DOUBLINGS = 6

/** What finishes a sign-in. */
export interface SecondFactorDemand {
  readonly methods: readonly SecondFactorKind[]
  /** Whether a role requires a second factor, and the user has none. */
  readonly enroll: boolean
}
export interface EnrollmentCode {
  readonly enrollment: string
  readonly code: string
}
/** Uses up what was verified, in the transaction of what it permits. Throws if another request has used it up. */
export type UseUp = (unit: Unit) => Promise<unknown>

/** An app whose first code was right. */
interface NewApp {
  readonly userId: string
  /** Encrypted. */
  readonly secret: Buffer
  readonly step: number
  readonly recoveryCodes: readonly string[]
}
export type SecondFactorState = Omit<SecondFactor, 'trustedDevices'>

export interface SecondFactors {
  state(userId: string): Promise<SecondFactorState>
  /** Null if the first factor is enough. */
  demand(userId: string): Promise<SecondFactorDemand | null>
  /**
   * Checks a code of the app or a recovery code. Throws `invalid_second_factor`, as `UseUp` does, `too_many_codes` and
   * `second_factor_unreadable`.
   */
  check(userId: string, code: string, actor: AuditActor): Promise<UseUp>
  startEnrollment(userId: string): Promise<TotpEnrollment>
  /** Shows a setup again after a wrong code. Null for one that has expired or that another user started. */
  resumeEnrollment(userId: string, enrollment: string): Promise<TotpEnrollment | null>
  /** Throws `invalid_enrollment` and `invalid_second_factor`. */
  checkEnrollment(userId: string, proof: EnrollmentCode): Promise<NewApp>
  /** Turns on the app, with its recovery codes. Throws `invalid_enrollment` if there is one that it doesn't replace. */
  enrollIn(unit: Unit, app: NewApp, actor: AuditActor, options: { readonly replaces: boolean }): Promise<void>
  /** Turns on an app of a signed-in person, and returns its recovery codes. Throws as `checkEnrollment` does. */
  enroll(userId: string, proof: EnrollmentCode, actor: AuditActor): Promise<readonly string[]>
  /** Throws `not_found` without an app. */
  replaceRecoveryCodes(userId: string, actor: AuditActor): Promise<readonly string[]>
  /** Removes the user's own app. Throws `not_found`, and `second_factor_mandatory` if a role requires it. */
  remove(userId: string, actor: AuditActor): Promise<void>
  /** Removes the app of a person who lost it. Throws `not_found`. `tenantId`: of the owner who does it. */
  reset(userId: string, actor: AuditActor, tenantId?: string): Promise<void>
  /** Does nothing without an app. */
  removeIn(unit: Unit, userId: string, actor: AuditActor): Promise<boolean>
}
type Needs = Deps<'systemDatabase' | 'clock' | 'operator' | 'events' | 'secrets' | 'log'> & {
  readonly audit: AuditRecorder
  readonly settings: IdentitySettings
  readonly totp: Totp
}

const SELECT_STATE = `select ${STATE_COLUMNS} from identity_users u where u.id = $3`

/** Counted before the comparison, so that concurrent guesses are counted, too. */
const COUNT_TRY = `update identity_totp set failures = failures + 1,
    blocked_until = case when failures >= ${FREE_FAILURES}
      then $2::timestamptz + least(${MAX_DELAY_MINUTES}, power(2, least(failures - ${FREE_FAILURES}, ${MAX_DOUBLINGS}))) * interval '1 minute' end
  where user_id = $1 and (blocked_until is null or blocked_until <= $2) returning secret`

const REPLACE_APP = totpTable.replacing(['userId'], [])
const USE_STEP = `update identity_totp set last_step = $2, failures = 0, blocked_until = null
  where user_id = $1 and last_step < $2`

/** Returns how many codes are left, or no row. The count is from before the deletion. */
const USE_RECOVERY_CODE = `with used as (
    delete from identity_recovery_codes where user_id = $1 and code_hash = $2 returning user_id)
  select (select count(*)::int - 1 from identity_recovery_codes where user_id = $1) as remaining from used`

/** Ends the trust in all devices of user $1. */
export const FORGET_DEVICES = 'delete from identity_trusted_devices where user_id = $1'

const DELETE_APP = `with codes as (delete from identity_recovery_codes where user_id = $1), devices as (${FORGET_DEVICES})
  delete from identity_totp where user_id = $1`

export function createSecondFactors({
  systemDatabase,
  clock,
  operator,
  events,
  secrets,
  log,
  audit,
  settings,
  totp,
}: Needs): SecondFactors {
  const values = sealedValues({ secrets, log }, APP_SECRET_COLUMN)
  const users = () => systemDatabase.acrossTenants('a second factor belongs to a user, not to a tenant')

  async function state(userId: string): Promise<SecondFactorState> {
    const { rows } = await users().query<StateRow>(SELECT_STATE, [PASSKEY, settings.secondFactorRoles, userId])
    const [row] = rows
    if (!row) throw common.unauthenticated()
    return stateOf(row, settings)
  }

  /** Records a change, which is mailed to the person. */
  async function announce(
    unit: Unit,
    change: 'second_factor.enabled' | 'second_factor.removed' | 'recovery_codes.replaced',
    userId: string,
    actor: AuditActor,
  ): Promise<void> {
    const { tenantId } = operator
    await audit.record(unit, { tenantId, action: change, actor, subject: userId, details: { userId } })
    await events.publish(`identity.${change}`, { tenantId, subject: userId, payload: { userId } })
  }

  const newRecoveryCodes = (): readonly string[] => Array.from({ length: RECOVERY_CODES }, newClaimCode)

  async function storeRecoveryCodes(unit: Unit, userId: string, codes: readonly string[]): Promise<void> {
    const hashes = codes.map(code => hashOf(userId, code))
    await unit.defer([
      ['delete from identity_recovery_codes where user_id = $1', [userId]],
      ['insert into identity_recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])', [userId, hashes]],
    ])
  }

  async function checkTotp(userId: string, code: string): Promise<UseUp> {
    const { rows } = await users().query<{ secret: Buffer }>(COUNT_TRY, [userId, timeAt(clock)])
    const [row] = rows
    if (!row) throw await refusal(userId)
    const step = await totp.stepOf(
      values.open(row.secret, secondFactorProblems.second_factor_unreadable, { userId }),
      code,
    )
    if (step === null) throw secondFactorProblems.invalid_second_factor()
    return async unit => {
      const { rowCount } = await unit.query(USE_STEP, [userId, step])
      if (rowCount === 0) throw secondFactorProblems.invalid_second_factor()
    }
  }

  /** The problem of a user who is blocked or has no app. */
  async function refusal(userId: string) {
    const { rows } = await users().query<{ blocked_until: Date | null }>(
      'select blocked_until from identity_totp where user_id = $1',
      [userId],
    )
    const until = rows[0]?.blocked_until?.getTime()
    if (until === undefined) return secondFactorProblems.invalid_second_factor()
    return secondFactorProblems.too_many_codes({ minutes: Math.max(1, Math.ceil((until - clock.now()) / MINUTE)) })
  }

  async function takeRecoveryCode(unit: Unit, userId: string, code: string, actor: AuditActor): Promise<void> {
    const { rows } = await unit.query<{ remaining: number }>(USE_RECOVERY_CODE, [userId, hashOf(userId, code)])
    const [row] = rows
    if (!row) throw secondFactorProblems.invalid_second_factor()
    const { tenantId } = operator
    const entry = { tenantId, action: 'recovery_code.used', actor, subject: userId, details: { userId } }
    await audit.record(unit, entry)
    const payload = { userId, remaining: row.remaining }
    await events.publish('identity.recovery_code.used', { tenantId, subject: userId, payload })
  }

  const removeIn: SecondFactors['removeIn'] = async (unit, userId, actor) => {
    const { rowCount } = await unit.query(DELETE_APP, [userId])
    if (rowCount === 0) return false
    await announce(unit, 'second_factor.removed', userId, actor)
    return true
  }

  const addressOf = async (userId: string): Promise<string> => (await accountTable.get(users(), { id: userId })).email

  const checkEnrollment: SecondFactors['checkEnrollment'] = async (userId, { enrollment, code }) => {
    const secret = totp.open(userId, enrollment)
    if (secret === undefined) throw secondFactorProblems.invalid_enrollment()
    const step = await totp.stepOf(secret, code)
    if (step === null) throw secondFactorProblems.invalid_second_factor()
    return { userId, secret: values.seal(secret), step, recoveryCodes: newRecoveryCodes() }
  }

  const enrollIn: SecondFactors['enrollIn'] = async (
    unit,
    { userId, secret, step, recoveryCodes },
    actor,
    { replaces },
  ) => {
    const app = { userId, secret, lastStep: step, createdAt: timeAt(clock) }
    const suffix = replaces ? REPLACE_APP : 'on conflict (user_id) do nothing'
    const { rowCount } = await unit.query(...totpTable.insertStep(app, suffix))
    if (rowCount === 0) throw secondFactorProblems.invalid_enrollment()
    await storeRecoveryCodes(unit, userId, recoveryCodes)
    if (replaces) await unit.defer([[FORGET_DEVICES, [userId]]])
    await announce(unit, 'second_factor.enabled', userId, actor)
  }

  return {
    state,
    removeIn,
    checkEnrollment,
    enrollIn,

    async demand(userId) {
      return settings.totp ? demandOf(await state(userId)) : null
    },

    async check(userId, typed, actor) {
      const code = cleanCode(typed)
      if (/^\d{6}$/.test(code)) return checkTotp(userId, code)
      return unit => takeRecoveryCode(unit, userId, code, actor)
    },

    startEnrollment: async userId => totp.enroll(userId, await addressOf(userId)),
    resumeEnrollment: async (userId, enrollment) => totp.resume(userId, await addressOf(userId), enrollment),

    async enroll(userId, proof, actor) {
      const app = await checkEnrollment(userId, proof)
      await users().transaction(unit => enrollIn(unit, app, actor, { replaces: true }))
      return app.recoveryCodes
    },

    async replaceRecoveryCodes(userId, actor) {
      const codes = newRecoveryCodes()
      await users().transaction(async unit => {
        const { rowCount } = await unit.query('select from identity_totp where user_id = $1 for update', [userId])
        if (rowCount === 0) throw common.not_found({ what: 'second factor' })
        await storeRecoveryCodes(unit, userId, codes)
        await announce(unit, 'recovery_codes.replaced', userId, actor)
      })
      return codes
    },

    async remove(userId, actor) {
      const { required, passkeys } = await state(userId)
      if (required && passkeys === 0) throw secondFactorProblems.second_factor_mandatory()
      const removed = await users().transaction(unit => removeIn(unit, userId, actor))
      if (!removed) throw common.not_found({ what: 'second factor' })
    },

    async reset(userId, actor, tenantId) {
      await users().transaction(async unit => {
        const removed = await removeIn(unit, userId, actor)
        if (!removed) throw common.not_found({ what: 'second factor' })
        if (tenantId === undefined || tenantId === operator.tenantId) return
        const entry = { tenantId, action: 'second_factor.removed', actor, subject: userId, details: { userId } }
        await audit.record(unit, entry)
      })
    },
  }
}

export const stateOf = (
  { totpCreatedAt, recoveryCodes, passkeys, required }: StateRow,
  settings: Pick<IdentitySettings, 'passkeys'>,
): SecondFactorState => ({
  totp: totpCreatedAt && { createdAt: totpCreatedAt.toISOString() },
  recoveryCodes,
  passkeys: settings.passkeys ? passkeys : 0,
  required,
})

export function demandOf({ totp: app, passkeys, required }: SecondFactorState): SecondFactorDemand | null {
  if (!app && !required) return null
  const methods: readonly SecondFactorKind[] = [
    ...(app ? (['totp', 'recovery_code'] as const) : []),
    ...(passkeys > 0 ? (['passkey'] as const) : []),
  ]
  return { methods, enroll: methods.length === 0 }
}

/** Accepts a code in any notation. */
const hashOf = (userId: string, code: string): Buffer => hashSecret(`${userId} ${normalizeClaimCode(code)}`)
