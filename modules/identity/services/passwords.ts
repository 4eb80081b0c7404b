/** Passwords: argon2id (RFC 9106) with OWASP's smallest memory, two at a time, so that a rush stops nobody else. */
import { randomBytes } from 'node:crypto'
import { COMMON_PASSWORDS } from '../core/common-passwords.ts'
import { emailKey } from '../core/email.ts'
import { passwordCost } from '../core/password-cost.ts'
import { createQueue } from '../core/queue.ts'
import { invalidField } from '../problems.ts'

const ARGON2ID = 2

export interface Verdict {
  readonly matches: boolean
  /** It was hashed with other parameters: hash it again while it is known. */
  readonly stale: boolean
}

export function createPasswords({ blocklist }: { blocklist: readonly string[] }) {
  const refused = new Set(blocklist.map(word => word.toLowerCase()))
  const queue = createQueue({ atOnce: 2, waiting: 500 })
  let nobody: Promise<string> | undefined
  // Loaded at the first password: a worker never hashes one.
  const library = () => import('@node-rs/argon2')
  // One person's device composes letters, another's does not: both mean the same password.
  const plain = (password: string) => password.normalize('NFKC')

  const hash = (password: string): Promise<string> =>
    queue(async () => (await library()).hash(plain(password), passwordCost()))

  return {
    hash,
    /** Costs the same where there is no such user: `hashed` is null then. */
    async verify(hashed: string | null, password: string): Promise<Verdict> {
      nobody ??= hash(randomBytes(16).toString('hex'))
      const against = hashed ?? (await nobody)
      const { verify, parseOptions } = await library()
      const matches = await queue(() => verify(against, plain(password)))
      if (!matches || hashed === null) return { matches: false, stale: false }
      const { algorithm, ...used } = parseOptions(hashed)
      const asNow = Object.entries(passwordCost()).every(([name, value]) => Reflect.get(used, name) === value)
      return { matches, stale: !asNow || Number(algorithm) !== ARGON2ID }
    },
    /** Throws 422 for what is too easy to guess. Lengths are the schema's. */
    refuseCommon(password: string, email: string, pointer: string): void {
      const word = password.toLowerCase()
      if (COMMON_PASSWORDS.has(word) || refused.has(word))
        throw invalidField(pointer, 'common_password', 'is too common; choose another one')
      if (emailKey(password) === emailKey(email))
        throw invalidField(pointer, 'common_password', 'must not be your email address')
    },
  }
}
export type Passwords = ReturnType<typeof createPasswords>
