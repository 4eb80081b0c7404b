/** Users: one record per email address, independent of tenants. */
import { common, type Deps, invalidField, isTimeZone, type Unit, wording } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { timeAt } from '../domain/time.ts'
import type { ProfileValues } from '../ports.ts'
import { accountProblems } from './problems.ts'
import { type StoredUser, type User, userTable } from './records/account.ts'

export interface NewUser {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly locale: string | null
  readonly passwordHash: string | null
  readonly profile: ProfileValues
  /** Null until somebody proves the address. */
  readonly emailVerifiedAt: string | null
}
export interface UserChanges {
  readonly name?: string | null
  readonly locale?: string | null
  readonly timeZone?: string | null
}
export interface Users {
  /** Throws `email_taken`, also for the slower of two concurrent calls. */
  create(unit: Unit, user: NewUser): Promise<User>
  get(userId: string): Promise<User>
  /** Those who still have an account. */
  find(userIds: readonly string[]): Promise<readonly User[]>
  /** Throws 422 for an unknown time zone. */
  update(userId: string, changes: UserChanges): Promise<User>
  /** The language of the account with this address; null without one. */
  localeOf(email: string): Promise<string | null>
  /** True if any user exists. */
  exist(): Promise<boolean>
}

export function createUsers({ systemDatabase, clock }: Deps<'systemDatabase' | 'clock'>): Users {
  const users = () => systemDatabase.acrossTenants('users belong to no tenant')
  return {
    async create(unit, user) {
      const now = timeAt(clock)
      const values = { ...user, emailKey: emailKey(user.email), passwordVersion: 1, createdAt: now, updatedAt: now }
      const { rowCount } = await unit.query(...userTable.insertStep(values, 'on conflict (email_key) do nothing'))
      if (rowCount === 0) throw accountProblems.email_taken()
      return toUser(userTable.record(values))
    },
    async get(userId) {
      const user = await userTable.find(users(), { id: userId })
      if (!user) throw common.unauthenticated()
      return toUser(user)
    },
    async find(userIds) {
      const sql = `select ${userTable.columns()} from identity_users where id = any ($1) order by id`
      return (await userTable.query(users(), sql, [userIds])).map(toUser)
    },
    async update(userId, changes) {
      const { timeZone } = changes
      if (timeZone != null && !isTimeZone(timeZone))
        throw invalidField('/timeZone', 'unknown_time_zone', wording('must be a time zone such as Europe/Berlin'))
      const patch = { ...changes, updatedAt: timeAt(clock) }
      const [user] = await userTable.query(users(), ...userTable.updateStep({ id: userId }, patch))
      if (!user) throw common.unauthenticated()
      return toUser(user)
    },
    async localeOf(email) {
      return (await userTable.find(users(), { emailKey: emailKey(email) }))?.locale ?? null
    },
    async exist() {
      const { rowCount } = await users().query('select 1 from identity_users limit 1')
      return rowCount > 0
    },
  }
}

export const toUser = ({ emailVerifiedAt, ...user }: StoredUser): User => ({
  ...user,
  emailVerified: emailVerifiedAt !== null,
})
