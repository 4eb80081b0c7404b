/** Sign-in with email and password, by passport-local. A wrong password and an unknown email look the same. */
import type { Deps } from 'larder/kernel'
import { emailKey } from '../domain/email.ts'
import { timeAt } from '../domain/time.ts'
import { problems } from '../problems.ts'
import type { VerifiedCredential } from './logins.ts'
import type { Passwords } from './passwords.ts'

export interface SignIn {
  /** Throws `invalid_credentials`. */
  verify(email: string, password: string): Promise<VerifiedCredential>
}
interface Row {
  id: string
  password_hash: string
  password_version: number
}
type Authenticate = SignIn['verify']
type CheckPassword = (email: string, password: string) => Promise<VerifiedCredential | null>

export function createSignIn(
  { systemDatabase, clock }: Deps<'systemDatabase' | 'clock'>,
  passwords: Passwords,
): SignIn {
  const users = () => systemDatabase.acrossTenants('users sign in before their tenant is known')

  const checkPassword: CheckPassword = async (email, password) => {
    const { rows } = await users().query<Row>(
      'select id, password_hash, password_version from identity_users where email_key = $1',
      [emailKey(email)],
    )
    const [row] = rows
    const { matches, outdated } = await passwords.verify(row?.password_hash ?? null, password)
    if (!row || !matches) return null
    if (outdated) await rehash(row, password)
    return { userId: row.id, passwordVersion: row.password_version }
  }

  async function rehash(row: Row, password: string): Promise<void> {
    await users().query(
      `update identity_users set password_hash = $2, updated_at = $4 where id = $1 and password_hash = $3`,
      [row.id, await passwords.hash(password), row.password_hash, timeAt(clock)],
    )
  }

  let authenticate: Promise<Authenticate> | undefined
  return {
    async verify(email, password) {
      authenticate ??= createPassportAuthenticate(checkPassword)
      return (await authenticate)(email, password)
    },
  }
}

/** Runs Passport outside Express: the strategy reads the two fields from `body` and reports through a callback. */
async function createPassportAuthenticate(checkPassword: CheckPassword): Promise<Authenticate> {
  const [{ default: passport }, { default: local }] = await Promise.all([import('passport'), import('passport-local')])
  const authenticator = new passport.Passport()
  authenticator.use(
    new local.Strategy({ usernameField: 'email', session: false }, (email, password, done) => {
      checkPassword(email, password).then(credential => done(null, credential ?? false), done)
    }),
  )
  return (email, password) =>
    new Promise((resolve, reject) => {
      const settle = (error: unknown, credential: VerifiedCredential | false | undefined) => {
        if (error) reject(error)
        else if (credential) resolve(credential)
        else reject(problems.invalid_credentials())
      }
      const middleware = authenticator.authenticate('local', { session: false }, settle)
      middleware({ body: { email, password }, query: {}, headers: {} }, {}, reject)
    })
}
