/** Sign-in with email and password, by passport-local. A wrong password and an unknown email look the same. */
import type { Deps } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { timeAt } from '../../domain/time.ts'
import type { SignInMethod } from '../../ports.ts'
import { accountTable } from '../../users/records/account.ts'
import type { SignedIn } from '../logins.ts'
import { PASSWORD } from '../sign-in-methods.ts'
import type { Passwords } from './passwords.ts'

type Needs = Deps<'systemDatabase' | 'clock'> & { readonly passwords: Passwords }

export function createPasswordMethod({ systemDatabase, clock, passwords }: Needs): SignInMethod {
  const users = () => systemDatabase.acrossTenants('users sign in before their tenant is known')

  async function verify(email: string, password: string): Promise<SignedIn | null> {
    const account = await accountTable.find(users(), { emailKey: emailKey(email) })
    const { matches, outdated } = await passwords.verify(account?.passwordHash ?? null, password)
    if (!account || account.passwordHash === null || !matches) return null
    if (outdated) await rehash(account.id, account.passwordHash, password)
    return { userId: account.id, email: account.email, passwordVersion: account.passwordVersion }
  }

  async function rehash(id: string, passwordHash: string, password: string): Promise<void> {
    const patch = { passwordHash: await passwords.hash(password), updatedAt: timeAt(clock) }
    await users().query(...accountTable.updateStep({ id, passwordHash }, patch))
  }

  return {
    name: PASSWORD,
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
