/**
 * Asks a service whether a password is known from a breach, by the range protocol of Have I Been Pwned: the service gets
 * the first five digits of the password's SHA-1 hash and answers with all hashes that begin with them.
 */
import { createHash } from 'node:crypto'
import { type Deps, SECOND } from '@larder-dev/larder/kernel'
import type { IdentitySettings } from '../../options.ts'

const TIMEOUT_MS = 2 * SECOND
const PREFIX_LENGTH = 5

export interface BreachedPasswords {
  /** False if no service is set, and if it doesn't answer: its failure must keep nobody from setting a password. */
  has(password: string): Promise<boolean>
  /** Answers and failures of this process. */
  readonly counts: Readonly<Record<'breached' | 'unknown' | 'failed', number>>
}

type Needs = Deps<'log'> & { readonly settings: Pick<IdentitySettings, 'breachUrl'> }

export function createBreachedPasswords({ log, settings: { breachUrl } }: Needs): BreachedPasswords {
  const counts = { breached: 0, unknown: 0, failed: 0 }

  async function find(url: string, password: string): Promise<boolean> {
    const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
    const response = await fetch(`${url.replace(/\/?$/, '/')}${hash.slice(0, PREFIX_LENGTH)}`, {
      // The length of the answer doesn't tell which prefix was asked for.
      headers: { 'add-padding': 'true' },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok) throw new Error(`the service answered ${response.status}`)
    const lines = (await response.text()).split(/\r?\n/)
    // Padding has a count of 0.
    return lines.some(line => {
      const [suffix, count] = line.split(':')
      return suffix === hash.slice(PREFIX_LENGTH) && Number(count) > 0
    })
  }

  return {
    counts,
    async has(password) {
      if (breachUrl === undefined) return false
      try {
        const found = await find(breachUrl, password)
        counts[found ? 'breached' : 'unknown']++
        return found
      } catch (error) {
        counts.failed++
        log.warn({ err: error }, 'the service for breached passwords failed, so a password was accepted unchecked')
        return false
      }
    },
  }
}
