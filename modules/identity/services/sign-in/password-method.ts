/** Sign-in with email and password, by passport-local. A wrong password and an unknown email look the same. */
import type { Deps } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel'
import { timeAt } from '../../domain/time.ts'
import type { SignInMethod } from '../../ports.ts'
import type { Passwords } from './passwords.ts'
import type { SignedIn } from './sign-in.ts'
import { LOCAL } from './sign-in-methods.ts'

interface Row {
  id: string
  email: string
  password_hash: string
  password_version: number
}

type Needs = Deps<'systemDatabase' | 'clock'> & { readonly passwords: Passwords }

export function createPasswordMethod({ systemDatabase, clock, passwords }: Needs): SignInMethod {
  const users = () => systemDatabase.acrossTenants('users sign in before their tenant is known')

  async function verify(email: string, password: string): Promise<SignedIn | null> {
    const { rows } = await users().query<Row>(
      'select id, email, password_hash, password_version from identity_users where email_key = $1',
      [emailKey(email)],
    )
    const [row] = rows
    const { matches, outdated } = await passwords.verify(row?.password_hash ?? null, password)
    if (!row || !matches) return null
    if (outdated) await rehash(row, password)
    return { userId: row.id, email: row.email, passwordVersion: row.password_version }
  }

  async function rehash(row: Row, password: string): Promise<void> {
    await users().query(
      `update identity_users set password_hash = $2, updated_at = $4 where id = $1 and password_hash = $3`,
      [row.id, await passwords.hash(password), row.password_hash, timeAt(clock)],
    )
  }

  return {
    name: LOCAL,
    label: 'Email and password',
    flow: 'credentials',
    async strategy() {
      const { Strategy } = (await import('passport-local')).default
      return new Strategy({ usernameField: 'email', session: false }, (email, password, done) => {
        verify(email, password).then(credential => done(null, credential ?? false), done)
      })
    },
  }
}
