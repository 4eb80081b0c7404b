import type { Screen } from '../registry.ts'

export const screens: readonly Screen[] = [
  // One's own workspace and account are administered on the pages of the product.
  {
    page: '/workspace/members',
    title: { en: 'Members', de: 'Mitglieder' },
    icon: 'users',
    area: 'identity',
    permission: 'identity.member.read',
  },
  {
    page: '/workspace/invitations',
    title: { en: 'Invitations', de: 'Einladungen' },
    icon: 'user-plus',
    area: 'identity',
    permission: 'identity.invitation.read',
  },
  {
    page: '/workspace/roles',
    title: { en: 'Roles', de: 'Rollen' },
    icon: 'shield',
    area: 'identity',
    permission: 'identity.role.read',
  },
  {
    page: '/workspace/api-keys',
    title: { en: 'API keys', de: 'API-Schlüssel' },
    icon: 'key-round',
    area: 'identity',
    permission: 'identity.api_key.read',
  },
  {
    page: '/workspace/audit',
    title: { en: 'Audit log of the workspace', de: 'Audit-Protokoll des Workspace' },
    icon: 'scroll-text',
    area: 'identity',
    permission: 'identity.audit.read',
  },
  {
    page: '/account/logins',
    title: { en: 'Your sign-ins', de: 'Ihre Anmeldungen' },
    icon: 'monitor-smartphone',
    area: 'identity',
  },
  {
    page: '/account/workspaces',
    title: { en: 'Your workspaces', de: 'Ihre Workspaces' },
    icon: 'building-2',
    area: 'identity',
  },
  { resource: 'identity.people', view: 'record', load: () => import('./Person.tsx') },
  { resource: 'identity.workspaces', view: 'record', load: () => import('./Workspace.tsx') },
]
