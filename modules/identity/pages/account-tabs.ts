export interface Tab {
  readonly label: string
  readonly path: string
}

/** Tabs of the account pages. */
export const ACCOUNT_TABS: readonly Tab[] = [
  { label: 'Profile', path: '/account' },
  { label: 'Sign-in', path: '/account/sign-in-methods' },
  { label: 'Devices', path: '/account/logins' },
  { label: 'Workspaces', path: '/account/workspaces' },
  { label: 'Your data', path: '/account/data' },
]
