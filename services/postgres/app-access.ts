/** URL and password of the app role. The password is derived from one of the accepted secrets. */

import { subkey } from '@larder-dev/larder/kernel/internal'
import { operatorErrors } from './operator-errors.ts'
import { type RoleNames, SHARED_ROLES } from './role-names.ts'

export interface AppAccess {
  /** Changes when `migrate` moves the database to roles of its own. */
  readonly roles: RoleNames
  /** Roles whose processes may still be running: what is created now must be open to them too. */
  readonly formerRoles: readonly RoleNames[]
  useRoles(roles: RoleNames): void
  useFormerRoles(roles: readonly RoleNames[]): void
  /** The role that logs in. */
  login(): string
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
  const names = createNames()
  if (appUrl) return Object.assign(names, fixedAccess(appUrl, options.directUrl))
  const passwords = options.secrets.map(secret => subkey(secret, 'database app role').toString('base64url'))
  if (passwords.length === 0) throw operatorErrors.app_role_password_missing()
  let current = 0
  return Object.assign(names, {
    login: () => names.roles.app,
    passwords,
    passwordCount: passwords.length,
    url: (direct?: boolean) => withLogin(direct ? directUrl : ownerUrl, names.roles.app, passwords[current] as string),
    nextPassword: () => {
      current = (current + 1) % passwords.length
    },
    usePassword: (password: string) => {
      current = Math.max(0, passwords.indexOf(password))
    },
  })
}

type Names = Pick<AppAccess, 'roles' | 'formerRoles' | 'useRoles' | 'useFormerRoles'>

function createNames(): Names {
  let roles = SHARED_ROLES
  let formerRoles: readonly RoleNames[] = []
  return {
    get roles() {
      return roles
    },
    get formerRoles() {
      return formerRoles
    },
    useRoles(names) {
      roles = names
    },
    useFormerRoles(former) {
      formerRoles = former
    },
  }
}

function fixedAccess(appUrl: string, directUrl: string | undefined): Omit<AppAccess, keyof Names> {
  const { username, password } = new URL(appUrl)
  const direct = directUrl ? withLogin(directUrl, decodeURIComponent(username), decodeURIComponent(password)) : appUrl
  return {
    login: () => decodeURIComponent(username) || (new URL(appUrl).searchParams.get('user') ?? ''),
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
