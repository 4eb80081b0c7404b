/** Sign-ins: one record, a cookie secret and a dashboard token, each good for the same. */
import {
  common,
  type Deps,
  decodeCursor,
  newId,
  type PageOf,
  pageLimit,
  type RequestFacts,
  toPage,
  type Unit,
} from 'larder/kernel'
import { hashSecret, newCookieSecret, newToken } from '../domain/secrets.ts'
import { iso, timeAt } from '../domain/time.ts'
import type { IdentitySettings } from '../options.ts'
import { problems } from '../problems.ts'
import type { Login } from '../schemas.ts'
import type { Changes } from './access-changes.ts'
import type { Audit, By } from './audit.ts'

const MAX_AGENT = 300

/** Where a sign-in comes from. */
export type From = Pick<RequestFacts, 'ip' | 'headers'>
export interface SignedIn {
  readonly loginId: string
  readonly cookie: string
  /** Absent after a sign-in by a page: a browser needs none. */
  readonly token: string | undefined
}
export interface Proof {
  readonly userId: string
  /** Of the password that was proved: a newer one makes the proof void. */
  readonly passwordVersion: number
}
interface Row {
  id: string
  user_agent: string | null
  ip: string | null
  created_at: Date
  expires_at: Date
}
interface Parts {
  readonly audit: Audit
  readonly changes: Changes
  readonly settings: IdentitySettings
}

export function createLogins(deps: Deps<'database' | 'clock' | 'operator'>, { audit, changes, settings }: Parts) {
  const { database, clock, operator } = deps
  const record = (unit: Unit, action: string, by: By, subject: string) =>
    audit.record(unit, { tenantId: operator.tenantId, action, by, subject })

  /** New secrets each time, whatever the caller brought along. Throws `invalid_credentials` where the proof is void. */
  async function issue(unit: Unit, proof: Proof, from: From, { token: wanted }: { token: boolean }): Promise<SignedIn> {
    const loginId = newId('lgn')
    const cookie = newCookieSecret()
    const token = wanted ? newToken() : undefined
    const { rowCount } = await unit.query(
      `insert into identity_logins
         (id, user_id, cookie_hash, token_hash, user_agent, ip, created_at, extended_at, expires_at)
       select $1, id, $4, $5, $6, $7, $8, $8, $9 from identity_users
       where id = $2 and password_version = $3 for share`,
      [
        loginId,
        proof.userId,
        proof.passwordVersion,
        hashSecret(cookie),
        token ? hashSecret(token) : null,
        from.headers['user-agent']?.slice(0, MAX_AGENT) ?? null,
        from.ip,
        timeAt(clock),
        timeAt(clock, settings.loginTtl),
      ],
    )
    if (rowCount === 0) throw problems.invalid_credentials()
    await record(unit, 'login.created', { kind: 'login', id: loginId, userId: proof.userId }, loginId)
    return { loginId, cookie, token }
  }

  /** The cookie that a browser brought to its new sign-in opens nothing from now on. */
  async function retireCookie(unit: Unit, loginId: string): Promise<void> {
    await unit.query('delete from identity_logins where id = $1 and token_hash is null', [loginId])
    await unit.query('update identity_logins set cookie_hash = null where id = $1', [loginId])
    changes.narrowed({ principalId: loginId })
  }

  /** False where this user has no such login. */
  async function end(unit: Unit, userId: string, loginId: string, by: By): Promise<boolean> {
    const { rowCount } = await unit.query('delete from identity_logins where id = $1 and user_id = $2', [
      loginId,
      userId,
    ])
    if (rowCount === 0) return false
    await record(unit, 'login.ended', by, loginId)
    changes.narrowed({ principalId: loginId })
    return true
  }

  async function endAll(unit: Unit, userId: string, by: By): Promise<void> {
    await unit.query('delete from identity_logins where user_id = $1', [userId])
    await record(unit, 'login.all_ended', by, userId)
    changes.narrowed({ userId })
  }

  async function list(
    userId: string,
    current: string,
    query: { limit?: number; cursor?: string },
  ): Promise<PageOf<Login>> {
    const [before = null] = decodeCursor(query.cursor, 1) ?? []
    const limit = pageLimit(query)
    const { rows } = await database.system('logins belong to a person, not to a tenant').query<Row>(
      `select id, user_agent, ip, created_at, expires_at from identity_logins
       where user_id = $1 and expires_at > $2 and ($3::text is null or id < $3) order by id desc limit $4`,
      [userId, timeAt(clock), before, limit + 1],
    )
    const { data, nextCursor } = toPage(rows, limit, row => [row.id])
    return { data: data.map(row => toLogin(row, current)), nextCursor }
  }

  return {
    issue,
    endAll,
    list,
    /** A sign-in by password. `old` is the login whose cookie the browser brought along. */
    async start(
      proof: Proof,
      from: From,
      { token, old }: { token: boolean; old: string | undefined },
    ): Promise<SignedIn> {
      return database.system('logins belong to a person').transaction(async unit => {
        const made = await issue(unit, proof, from, { token })
        if (old !== undefined) await retireCookie(unit, old)
        return made
      })
    },
    /** What a caller signs out of; quiet where it is over already. */
    async signOut(userId: string, loginId: string, by: By): Promise<void> {
      await database.system('logins belong to a person').transaction(unit => end(unit, userId, loginId, by))
    },
    async revoke(userId: string, loginId: string, by: By): Promise<void> {
      const ended = await database
        .system('logins belong to a person')
        .transaction(unit => end(unit, userId, loginId, by))
      if (!ended) throw common.not_found({ what: 'session' })
    },
  }
}
export type Logins = ReturnType<typeof createLogins>

const toLogin = (row: Row, current: string): Login => ({
  id: row.id,
  current: row.id === current,
  userAgent: row.user_agent,
  ip: row.ip,
  createdAt: iso(row.created_at),
  expiresAt: iso(row.expires_at),
})
