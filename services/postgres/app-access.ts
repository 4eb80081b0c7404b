/** How the app role is reached: its address, and which of the accepted secrets its password comes from. */

import { subkey } from 'larder/kernel'
export const APP_ROLE = 'larder_app'
export const SYSTEM_ROLE = 'larder_system'

export interface AppAccess {
  /** With the password that fits as far as is known; `direct` goes past a pooler. */
  url(direct?: boolean): string
  /** The passwords that may fit, the newest secret's first; empty where the address was given whole. */
  readonly passwords: readonly string[]
  /** How many addresses there are to try. */
  readonly size: number
  /** Turns to the next password. */
  next(): void
  use(password: string): void
}

export function createAppAccess(options: {
  readonly ownerUrl: string
  readonly appUrl?: string
  readonly directUrl?: string
  readonly secrets: readonly string[]
}): AppAccess {
  const { ownerUrl, appUrl, directUrl = ownerUrl } = options
  if (appUrl) return givenAccess(appUrl, options.directUrl)
  const passwords = options.secrets.map(secret => subkey(secret, 'database app role').toString('base64url'))
  if (passwords.length === 0) throw new Error('the app role of the database has its password from a secret: give one')
  let current = 0
  return {
    passwords,
    size: passwords.length,
    url: direct => withLogin(direct ? directUrl : ownerUrl, APP_ROLE, passwords[current] as string),
    next: () => {
      current = (current + 1) % passwords.length
    },
    use: password => {
      current = Math.max(0, passwords.indexOf(password))
    },
  }
}

function givenAccess(appUrl: string, directUrl: string | undefined): AppAccess {
  const { username, password } = new URL(appUrl)
  const direct = directUrl ? withLogin(directUrl, decodeURIComponent(username), decodeURIComponent(password)) : appUrl
  return { passwords: [], size: 1, url: past => (past ? direct : appUrl), next: () => {}, use: () => {} }
}

/** The same server and database with another login. */
export function withLogin(url: string, user: string, password: string): string {
  const changed = new URL(url)
  if (changed.hostname) {
    changed.username = encodeURIComponent(user)
    changed.password = encodeURIComponent(password)
  } else {
    // A Unix socket named by ?host=: an address without a host has no place for a login.
    changed.searchParams.set('user', user)
    changed.searchParams.set('password', password)
  }
  return changed.href
}
