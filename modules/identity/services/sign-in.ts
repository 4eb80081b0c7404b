/** The password step: passport-local asks, argon2 answers; a known and an unknown address look alike. */
import type { Deps } from 'larder/kernel'
import { emailKey } from '../domain/email.ts'
import { timeAt } from '../domain/time.ts'
import { problems } from '../problems.ts'
import type { Proof } from './logins.ts'
import type { Passwords } from './passwords.ts'

interface Row {
  id: string
  password_hash: string
  password_version: number
}
type Ask = (email: string, password: string) => Promise<Proof>

export function createSignIn({ database, clock }: Deps<'database' | 'clock'>, passwords: Passwords) {
  const users = () => database.system('signing in happens before any tenant is known')

  async function verify(email: string, password: string): Promise<Proof | null> {
    const { rows } = await users().query<Row>(
      'select id, password_hash, password_version from identity_users where email_key = $1',
      [emailKey(email)],
    )
    const [row] = rows
    const { matches, stale } = await passwords.verify(row?.password_hash ?? null, password)
    if (!row || !matches) return null
    if (stale) await rehash(row, password)
    return { userId: row.id, passwordVersion: row.password_version }
  }

  async function rehash(row: Row, password: string): Promise<void> {
    await users().query(
      `update identity_users set password_hash = $2, updated_at = $4 where id = $1 and password_hash = $3`,
      [row.id, await passwords.hash(password), row.password_hash, timeAt(clock)],
    )
  }

  let ask: Promise<Ask> | undefined
  return {
    /** Throws `invalid_credentials`. */
    async prove(email: string, password: string): Promise<Proof> {
      ask ??= passportLocal(verify)
      return (await ask)(email, password)
    },
  }
}
export type SignIn = ReturnType<typeof createSignIn>

/** Passport without Express: its strategy takes the two fields from `body` and answers by callback. */
async function passportLocal(verify: (email: string, password: string) => Promise<Proof | null>): Promise<Ask> {
  const [{ default: passport }, { default: local }] = await Promise.all([import('passport'), import('passport-local')])
  const own = new passport.Passport()
  own.use(
    new local.Strategy({ usernameField: 'email', session: false }, (email, password, done) => {
      verify(email, password).then(proof => done(null, proof ?? false), done)
    }),
  )
  return (email, password) =>
    new Promise((resolve, reject) => {
      const settle = (error: unknown, proof: Proof | false | undefined) => {
        if (error) reject(error)
        else if (proof) resolve(proof)
        else reject(problems.invalid_credentials())
      }
      const middleware = own.authenticate('local', { session: false }, settle)
      middleware({ body: { email, password }, query: {}, headers: {} }, {}, reject)
    })
}
