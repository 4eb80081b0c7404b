/** URL and password of the app role. The password is derived from one of the accepted secrets. */

import { subkey } from '@larder-dev/larder/kernel'
import { operatorErrors } from './operator-errors.ts'
import { APP_ROLE } from './role-names.ts'

export interface AppAccess {
  /** With the password that last worked; `direct` bypasses a pooler. */
  url(direct?: boolean): string
  /** Candidate passwords, newest secret first; empty if the whole URL was configured. */
  readonly passwords: readonly string[]
  /** The number of passwords to try; at least 1. */
  readonly passwordCount: number
  /** Switches to the next password. */
  nextPassword(): void
  usePassword(password: string): void
}

export function createAppAccess(options: {
  readonly ownerUrl: string
  readonly appUrl?: string
  readonly directUrl?: string
  readonly secrets: readonly string[]
}): AppAccess {
  const { ownerUrl, appUrl, directUrl = ownerUrl } = options
  if (appUrl) return fixedAccess(appUrl, options.directUrl)
  const passwords = options.secrets.map(secret => subkey(secret, 'database app role').toString('base64url'))
  if (passwords.length === 0) throw operatorErrors.app_role_password_missing()
  let current = 0
  return {
    passwords,
    passwordCount: passwords.length,
    url: direct => withLogin(direct ? directUrl : ownerUrl, APP_ROLE, passwords[current] as string),
    nextPassword: () => {
      current = (current + 1) % passwords.length
    },
    usePassword: password => {
      current = Math.max(0, passwords.indexOf(password))
    },
  }
}

function fixedAccess(appUrl: string, directUrl: string | undefined): AppAccess {
  const { username, password } = new URL(appUrl)
  const direct = directUrl ? withLogin(directUrl, decodeURIComponent(username), decodeURIComponent(password)) : appUrl
  return {
    passwords: [],
    passwordCount: 1,
    url: past => (past ? direct : appUrl),
    nextPassword: () => {},
    usePassword: () => {},
  }
}

/** The same server and database, with another login. */
export function withLogin(url: string, user: string, password: string): string {
  const changed = new URL(url)
  if (changed.hostname) {
    changed.username = encodeURIComponent(user)
    changed.password = encodeURIComponent(password)
  } else {
    // A Unix socket (`?host=`): a URL without a host cannot contain a login.
    changed.searchParams.set('user', user)
    changed.searchParams.set('password', password)
  }
  return changed.href
}
