import type { Caller } from 'larder/kernel'

export interface Tab {
  readonly label: string
  readonly path: string
}

const TABS: readonly (Tab & { readonly permission?: string })[] = [
  { label: 'Profile', path: '/account' },
  { label: 'Password', path: '/account/password' },
  { label: 'Devices', path: '/account/logins' },
  { label: 'Workspaces', path: '/account/workspaces' },
  { label: 'API keys', path: '/account/api-keys', permission: 'identity.api_key.read' },
]

/** Tabs of the account pages that the caller has permission to see. */
export const accountTabs = (caller: Caller): readonly Tab[] =>
  TABS.filter(({ permission }) => permission === undefined || caller.can(permission)).map(({ label, path }) => ({
    label,
    path,
  }))
