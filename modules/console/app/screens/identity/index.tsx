import type { Screen } from '../registry.ts'

const loadRole = () => import('./Role.tsx')
const loadApiKey = () => import('./ApiKey.tsx')

export const screens: readonly Screen[] = [
  { resource: 'identity.members', view: 'list', load: () => import('./MemberList.tsx') },
  { resource: 'identity.invitations', view: 'list', load: () => import('./InvitationList.tsx') },
  { resource: 'identity.invitations', view: 'create', load: () => import('./Invite.tsx') },
  { resource: 'identity.roles', view: 'record', load: loadRole },
  { resource: 'identity.roles', view: 'edit', load: loadRole },
  { resource: 'identity.roles', view: 'create', load: loadRole },
  { resource: 'identity.api-keys', view: 'list', load: () => import('./ApiKeyList.tsx') },
  { resource: 'identity.api-keys', view: 'create', load: loadApiKey },
  { resource: 'identity.api-keys', view: 'edit', load: loadApiKey },
  { resource: 'identity.logins', view: 'list', load: () => import('./OwnLogins.tsx') },
  { resource: 'identity.audit', view: 'list', load: () => import('./AuditList.tsx') },
  { resource: 'identity.people', view: 'record', load: () => import('./Person.tsx') },
  { resource: 'identity.workspaces', view: 'record', load: () => import('./Workspace.tsx') },
]
