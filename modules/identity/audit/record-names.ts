/** Names of people, workspaces and API keys by their IDs, and words for roles and permissions. */
import type { Deps, LocalText, Registrations } from '@larder-dev/larder/kernel'

const READ_USERS = 'identity.user.read_all'
const READ_TENANTS = 'identity.tenant.read_all'

export const recordNames: Registrations['names'] = [
  {
    prefix: 'usr',
    title: 'Person',
    resource: 'identity.people',
    names: {
      allow: 'identity.member.read',
      allowAll: READ_USERS,
      sql: 'select id, coalesce(name, email) as name from identity_users where id = any ($1)',
    },
  },
  {
    prefix: 'lgn',
    title: 'Login',
    resource: 'identity.people',
    names: {
      allow: 'identity.member.read',
      allowAll: READ_USERS,
      isSystem: true,
      sql: `select l.id, coalesce(u.name, u.email) as name, u.id as key
        from identity_logins l join identity_users u on u.id = l.user_id
        where l.id = any ($1) and ($2::text is null
          or exists (select from identity_members m where m.user_id = u.id and m.tenant_id = $2))`,
    },
  },
  {
    prefix: 'ten',
    title: 'Workspace',
    resource: 'identity.workspaces',
    names: {
      allow: 'identity.tenant.read',
      allowAll: READ_TENANTS,
      sql: 'select tenant_id as id, name from identity_tenants where tenant_id = any ($1)',
    },
  },
  {
    prefix: 'mem',
    title: 'Member',
    resource: 'identity.people',
    names: {
      allow: 'identity.member.read',
      allowAll: READ_USERS,
      sql: `select m.id, coalesce(u.name, u.email) as name, u.id as key
        from identity_members m join identity_users u on u.id = m.user_id where m.id = any ($1)`,
    },
  },
  {
    prefix: 'inv',
    title: 'Invitation',
    names: {
      allow: 'identity.invitation.read',
      allowAll: READ_TENANTS,
      sql: 'select id, email as name from identity_invitations where id = any ($1)',
    },
  },
  {
    prefix: 'key',
    title: 'API key',
    names: {
      allow: 'identity.api_key.read',
      allowAll: READ_TENANTS,
      sql: 'select id, name from identity_api_keys where id = any ($1)',
    },
  },
  {
    prefix: 'ssd',
    title: 'Email domain',
    names: {
      allow: 'identity.sso.read',
      allowAll: READ_TENANTS,
      sql: 'select id, domain as name from identity_sso_domains where id = any ($1)',
    },
  },
  { prefix: 'sso', title: 'Single sign-on' },
  { prefix: 'aud', title: 'Audit entry' },
]

/** Custom roles of a workspace keep their keys. */
export const valueWords = ({ access }: Deps<'access'>): Registrations['words'] => ({
  permissions: textsOf(access.permissions(), ({ title }) => title),
  roles: textsOf(access.roles(), ({ name }) => name),
})

const textsOf = <T extends { readonly key: string }>(entries: readonly T[], textOf: (entry: T) => LocalText) =>
  Object.fromEntries(entries.map(entry => [entry.key, textOf(entry)]))
