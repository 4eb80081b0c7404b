/** Password hashing with argon2id (RFC 9106) at OWASP's minimum memory cost. */

import { randomBytes } from 'node:crypto'
import { invalidField, wording } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import type { IdentitySettings } from '../../options.ts'
import type { BreachedPasswords } from './breached-passwords.ts'
import { commonPasswords } from './common-passwords.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { passwordCost } from './domain/password-cost.ts'

const ARGON2ID = 2
/** Hashing is CPU bound: more at once would delay all other requests. */
const CONCURRENCY = 2
const MAX_WAITING = 500

export interface PasswordVerdict {
  readonly matches: boolean
  /** True if the hash uses outdated parameters and should be replaced. */
  readonly outdated: boolean
}
export interface Passwords {
  hash(password: string): Promise<string>
  /** Runs equally long for `hashed: null`, so that an unknown account and a wrong password are indistinguishable. */
  verify(hashed: string | null, password: string): Promise<PasswordVerdict>
  /** Throws 422 for a password that is easy to guess or was leaked. The schema checks the length. */
  assertNotCommon(password: string, email: string, pointer: string): Promise<void>
}

interface Needs {
  readonly settings: Pick<IdentitySettings, 'blocklist'>
  readonly breachedPasswords: BreachedPasswords
}

export function createPasswords({ settings, breachedPasswords }: Needs): Passwords {
  const blocked = new Set(settings.blocklist.map(word => word.toLowerCase()))
  const limited = createConcurrencyLimit({ concurrency: CONCURRENCY, maxWaiting: MAX_WAITING })
  let dummyHash: Promise<string> | undefined
  // Loaded with the first password: a worker process never needs it.
  const argon2 = () => import('@node-rs/argon2')
  // Devices differ in how they compose characters.
  const normalize = (password: string) => password.normalize('NFKC')

  const hash = (password: string): Promise<string> =>
    limited(async () => (await argon2()).hash(normalize(password), passwordCost()))

  return {
    hash,
    async verify(hashed, password) {
      dummyHash ??= hash(randomBytes(16).toString('hex'))
      const expected = hashed ?? (await dummyHash)
      const { verify, parseOptions } = await argon2()
      const matches = await limited(() => verify(expected, normalize(password)))
      if (!matches || hashed === null) return { matches: false, outdated: false }
      const { algorithm, ...used } = parseOptions(hashed)
      const current = Object.entries(passwordCost()).every(([name, value]) => Reflect.get(used, name) === value)
      return { matches, outdated: !current || Number(algorithm) !== ARGON2ID }
    },
    async assertNotCommon(password, email, pointer) {
      const word = password.toLowerCase()
      if (commonPasswords().has(word) || blocked.has(word))
        throw invalidField(pointer, 'common_password', wording('is too common; choose another one'))
      if (emailKey(password) === emailKey(email))
        throw invalidField(pointer, 'common_password', wording('must not be your email address'))
      if (await breachedPasswords.has(password))
        throw invalidField(
          pointer,
          'breached_password',
          wording('was in a data breach of another service; choose another one'),
        )
    },
  }
}
