import type { IdentitySettings } from '../options.ts'

export interface Tab {
  readonly label: string
  readonly path: string
}

const WORKSPACES = '/account/workspaces'
const TABS: readonly Tab[] = [
  { label: 'Profile', path: '/account' },
  { label: 'Sign-in', path: '/account/sign-in-methods' },
  { label: 'Devices', path: '/account/logins' },
  { label: 'Workspaces', path: WORKSPACES },
  { label: 'Your data', path: '/account/data' },
]

/** Tabs of the account pages. A product of people has one workspace, which nobody selects. */
export const accountTabs = ({ customerRole }: Pick<IdentitySettings, 'customerRole'>): readonly Tab[] =>
  customerRole === undefined ? TABS : TABS.filter(({ path }) => path !== WORKSPACES)
