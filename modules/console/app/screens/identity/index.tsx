import type { Screen } from '../../public.ts'

/** Products of people have one workspace, and the console lists its people. */
const TEAMS_ONLY = ['/account/workspaces', '/workspace/members']

/** One's own workspace and account are administered on these pages of the product. */
const PAGES: readonly (readonly [page: string, icon: string, en: string, de: string, permission?: string])[] = [
  ['/workspace/members', 'users', 'Members', 'Mitglieder', 'identity.member.read'],
  ['/workspace/invitations', 'user-plus', 'Invitations', 'Einladungen', 'identity.invitation.read'],
  ['/workspace/roles', 'shield', 'Roles', 'Rollen', 'identity.role.read'],
  ['/workspace/api-keys', 'key-round', 'API keys', 'API-Schlüssel', 'identity.api_key.read'],
  [
    '/workspace/audit',
    'scroll-text',
    'Audit log of the workspace',
    'Audit-Protokoll des Workspace',
    'identity.audit.read',
  ],
  ['/account/logins', 'monitor-smartphone', 'Your sign-ins', 'Ihre angemeldeten Geräte'],
  ['/account/workspaces', 'building-2', 'Your workspaces', 'Ihre Workspaces'],
]

export const screens: readonly Screen[] = [
  ...PAGES.map(([page, icon, en, de, permission]) => ({
    page,
    icon,
    title: { en, de },
    area: 'identity',
    group: 'people',
    ...(permission && { permission }),
    ...(TEAMS_ONLY.includes(page) && { audience: 'teams' as const }),
  })),
  {
    command: { en: 'Invite people' },
    to: '/workspace/invitations',
    isPage: true,
    icon: 'user-plus',
    area: 'identity',
    permission: 'identity.invitation.create',
  },
  ...['people', 'customers', 'staff'].map(name => ({
    resource: `identity.${name}`,
    view: 'record' as const,
    load: () => import('./Person.tsx'),
  })),
  { resource: 'identity.staff', view: 'list', load: () => import('./StaffList.tsx') },
  { resource: 'identity.workspaces', view: 'record', load: () => import('./Workspace.tsx') },
]
