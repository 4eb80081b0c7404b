/** Users: one record per email address, independent of tenants. */
import { common, type Deps, emailKey, invalidField, type Unit } from '@larder-dev/larder/kernel'
import { iso, timeAt } from '../../domain/time.ts'
import { isTimeZone } from '../../domain/time-zones.ts'
import { problems } from '../../problems.ts'
import type { User } from '../../records/account.ts'

/** The columns `USER_COLUMNS`. */
export interface UserRow {
  id: string
  email: string
  name: string | null
  locale: string | null
  time_zone: string | null
  email_verified_at: Date | null
  created_at: Date
  updated_at: Date
}
export interface NewUser {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly locale: string | null
  readonly passwordHash: string
}
export interface Users {
  /** Throws `email_taken`, also for the slower of two concurrent calls. */
  create(unit: Unit, user: NewUser): Promise<User>
  get(userId: string): Promise<User>
  /** Throws 422 for an unknown time zone. */
  update(
    userId: string,
    patch: { name?: string | null; locale?: string | null; timeZone?: string | null },
  ): Promise<User>
  /** The language of the account with this address; null without one. */
  localeOf(email: string): Promise<string | null>
  /** True if any user exists. */
  exist(): Promise<boolean>
}
export const USER_COLUMNS = 'id, email, name, locale, time_zone, email_verified_at, created_at, updated_at'

export function createUsers({ systemDatabase, clock }: Deps<'systemDatabase' | 'clock'>): Users {
  const users = () => systemDatabase.acrossTenants('users belong to no tenant')
  return {
    async create(unit, { id, email, name, locale, passwordHash }) {
      const { rows } = await unit.query<UserRow>(
        `insert into identity_users (id, email, email_key, name, locale, password_hash, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $7) on conflict (email_key) do nothing returning ${USER_COLUMNS}`,
        [id, email, emailKey(email), name, locale, passwordHash, timeAt(clock)],
      )
      if (!rows[0]) throw problems.email_taken()
      return toUser(rows[0])
    },
    async get(userId) {
      const { rows } = await users().query<UserRow>(`select ${USER_COLUMNS} from identity_users where id = $1`, [
        userId,
      ])
      if (!rows[0]) throw common.unauthenticated()
      return toUser(rows[0])
    },
    async update(userId, { name, locale, timeZone }) {
      if (timeZone != null && !isTimeZone(timeZone))
        throw invalidField('/timeZone', 'unknown_time_zone', 'must be a time zone such as Europe/Berlin')
      const { rows } = await users().query<UserRow>(
        `update identity_users set name = case when $2 then $3 else name end,
           locale = case when $4 then $5 else locale end,
           time_zone = case when $7 then $8 else time_zone end, updated_at = $6
         where id = $1 returning ${USER_COLUMNS}`,
        [
          ...[userId, name !== undefined, name ?? null, locale !== undefined, locale ?? null, timeAt(clock)],
          ...[timeZone !== undefined, timeZone ?? null],
        ],
      )
      if (!rows[0]) throw common.unauthenticated()
      return toUser(rows[0])
    },
    async localeOf(email) {
      const { rows } = await users().query<Pick<UserRow, 'locale'>>(
        'select locale from identity_users where email_key = $1',
        [emailKey(email)],
      )
      return rows[0]?.locale ?? null
    },
    async exist() {
      const { rowCount } = await users().query('select 1 from identity_users limit 1')
      return rowCount > 0
    },
  }
}

export const toUser = (row: UserRow): User => ({
  id: row.id,
  email: row.email,
  name: row.name,
  locale: row.locale,
  timeZone: row.time_zone,
  emailVerified: row.email_verified_at !== null,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
})
