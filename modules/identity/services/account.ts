/** What a person does with their own account: passwords and the proof of an address. */
import { type Caller, common, type Deps, HOUR, type Unit } from 'larder/kernel'
import { emailKey } from '../domain/email.ts'
import { type MailToken, readLinkToken } from '../domain/links.ts'
import { timeAt } from '../domain/time.ts'
import { problems } from '../problems.ts'
import { type Audit, type By, byCaller } from './audit.ts'
import type { From, Logins, SignedIn } from './logins.ts'
import type { Passwords } from './passwords.ts'

const RESET_TTL = 1 * HOUR
/** An address never changes, so its link needs no other version. */
export const ADDRESS_VERSION = 1

interface Row {
  id: string
  email: string
  name: string | null
  locale: string | null
  password_hash: string
  password_version: number
  email_verified_at: Date | null
}
/** Whom a mail goes to, and what its link names. */
export interface Addressee {
  readonly email: string
  readonly name: string | null
  readonly locale: string | null
  readonly link: MailToken
}
interface Parts {
  readonly audit: Audit
  readonly logins: Logins
  readonly passwords: Passwords
}

export function createAccount(
  deps: Deps<'database' | 'events' | 'clock' | 'secrets' | 'operator' | 'jobs'>,
  { audit, logins, passwords }: Parts,
) {
  const { database, events, clock, secrets, operator, jobs } = deps
  const people = () => database.system('an account belongs to a person, not to a tenant')

  async function find(userId: string): Promise<Row> {
    const { rows } = await people().query<Row>('select * from identity_users where id = $1', [userId])
    if (!rows[0]) throw common.unauthenticated()
    return rows[0]
  }

  /** Only if nobody was faster: false then. Every sign-in ends, the caller's own too. */
  async function replace(
    unit: Unit,
    user: Row,
    passwordHash: string,
    how: 'changed' | 'reset',
    by: By,
  ): Promise<boolean> {
    const { rowCount } = await unit.query(
      `update identity_users set password_hash = $3, password_version = password_version + 1, reset_until = null,
         updated_at = $4
       where id = $1 and password_version = $2`,
      [user.id, user.password_version, passwordHash, timeAt(clock)],
    )
    if (rowCount === 0) return false
    const { tenantId } = operator
    await logins.endAll(unit, user.id, by)
    await audit.record(unit, { tenantId, action: `password.${how}`, by, subject: user.id })
    const payload = { userId: user.id, how }
    await events.publish('identity.password.changed', { tenantId, subject: user.id, payload })
    return true
  }

  return {
    /** The caller goes on with a new sign-in. Throws `wrong_password`. */
    async changePassword(caller: Caller, current: string, next: string, from: From): Promise<SignedIn> {
      const user = await find(caller.userId)
      const { matches } = await passwords.verify(user.password_hash, current)
      if (!matches) throw problems.wrong_password()
      passwords.refuseCommon(next, user.email, '/newPassword')
      const passwordHash = await passwords.hash(next)
      return people().transaction(async unit => {
        const done = await replace(unit, user, passwordHash, 'changed', byCaller(caller))
        if (!done) throw problems.wrong_password()
        const proof = { userId: user.id, passwordVersion: user.password_version + 1 }
        return logins.issue(unit, proof, from, { token: caller.credential === 'bearer' })
      })
    },

    /** The same work for a known and an unknown address: the worker looks it up. */
    async forgot(email: string): Promise<void> {
      await jobs.enqueue('identity.password_reset', { email }, { key: emailKey(email) })
    },

    /** Lets a reset link be used from now on; null where nobody has this address. */
    async allowReset(email: string): Promise<Addressee | null> {
      const { rows } = await people().query<Row>(
        'update identity_users set reset_until = $2 where email_key = $1 returning *',
        [emailKey(email), timeAt(clock, RESET_TTL)],
      )
      const [user] = rows
      return user ? addressee(user, user.password_version) : null
    },

    /** Throws `link_expired` for a link that was used, is too old, or was never ours. */
    async reset(token: string, password: string): Promise<void> {
      const link = readLinkToken(secrets, 'password_reset', token)
      if (!link) throw problems.link_expired()
      const { rows } = await people().query<Row>(
        'select * from identity_users where id = $1 and password_version = $2 and reset_until > $3',
        [link.id, link.version, timeAt(clock)],
      )
      const [user] = rows
      if (!user) throw problems.link_expired()
      passwords.refuseCommon(password, user.email, '/password')
      const passwordHash = await passwords.hash(password)
      const by: By = { kind: 'system', id: 'reset link', userId: user.id }
      const done = await people().transaction(unit => replace(unit, user, passwordHash, 'reset', by))
      if (!done) throw problems.link_expired()
    },

    async verifyEmail(token: string): Promise<void> {
      const link = readLinkToken(secrets, 'verify_email', token)
      if (link?.version !== ADDRESS_VERSION) throw problems.link_expired()
      await people().transaction(async unit => {
        const { rowCount } = await unit.query(
          'update identity_users set email_verified_at = $2, updated_at = $2 where id = $1 and email_verified_at is null',
          [link.id, timeAt(clock)],
        )
        if (rowCount === 0) return
        const payload = { userId: link.id }
        await events.publish('identity.email.verified', { tenantId: operator.tenantId, subject: link.id, payload })
      })
    },

    async askToVerify(userId: string): Promise<void> {
      await jobs.enqueue('identity.verify_email', { userId }, { key: userId })
    },

    /** Null where there is nothing left to prove. */
    async unverified(userId: string): Promise<Addressee | null> {
      const user = await find(userId)
      return user.email_verified_at === null ? addressee(user, ADDRESS_VERSION) : null
    },
  }
}
export type Account = ReturnType<typeof createAccount>

const addressee = ({ id, email, name, locale }: Row, version: number): Addressee => ({
  email,
  name,
  locale,
  link: { id, version },
})
