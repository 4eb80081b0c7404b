import type { Deps, Registrations } from '@larder-dev/larder/kernel'
import type { IdentitySettings } from './options.ts'

const SEARCHED = { search: 'q', sort: 'sort', filters: ['filter[email]'] }
/** Operators look into the account of a member, whose ID is that of the user. */
const MEMBER = {
  label: 'email',
  key: 'userId',
  relations: [{ resource: 'identity.person-logins', parameters: { id: 'userId' } }],
}

const people: Registrations['resources'] = [
  {
    name: 'people',
    group: 'people',
    title: 'People',
    singular: 'Person',
    label: 'email',
    icon: 'contact',
    operations: { list: 'listUsers', get: 'getUser' },
    columns: ['name', 'email', 'emailVerified', 'tenants', 'lastSignInAt', 'createdAt'],
    filters: ['filter[email]'],
    search: 'q',
    labels: { tenants: 'Workspaces' },
    relations: [{ resource: 'identity.person-logins', parameters: { id: 'id' } }],
  },
  {
    name: 'person-logins',
    title: 'Signed-in devices',
    singular: 'Signed-in device',
    label: 'userAgent',
    icon: 'monitor-smartphone',
    within: 'identity.people',
    operations: { list: 'listUserLogins', delete: 'revokeUserLogin' },
    columns: ['userAgent', 'ip', 'createdAt', 'expiresAt'],
    labels: { userAgent: 'Browser', ip: 'IP address', createdAt: 'Signed in at' },
  },
]

const workspaces: Registrations['resources'] = [
  {
    name: 'workspaces',
    title: 'Workspaces',
    singular: 'Workspace',
    label: 'name',
    icon: 'building-2',
    operations: { list: 'listAllTenants', get: 'getAnyTenant' },
    columns: ['name', 'planKey', 'members', 'suspendedAt', 'createdAt'],
    search: 'q',
    labels: { planKey: 'Plan', domains: 'Email domains', domain: 'Email domain', singleSignOn: 'Single sign-on' },
    relations: ['workspace-members', 'workspace-roles', 'workspace-api-keys'].map(name => ({
      resource: `identity.${name}`,
      parameters: { id: 'id' },
    })),
  },
  {
    name: 'workspace-members',
    title: 'Members',
    singular: 'Member',
    label: 'email',
    icon: 'users',
    within: 'identity.workspaces',
    operations: { list: 'listTenantMembers' },
    columns: ['name', 'email', 'roles', 'createdAt'],
  },
  {
    name: 'workspace-roles',
    title: 'Roles',
    singular: 'Role',
    label: 'name',
    key: 'key',
    icon: 'shield',
    within: 'identity.workspaces',
    operations: { list: 'listTenantRoles' },
    columns: ['name', 'key', 'builtIn', 'permissions'],
  },
  {
    name: 'workspace-api-keys',
    title: 'API keys',
    singular: 'API key',
    label: 'name',
    icon: 'key-round',
    within: 'identity.workspaces',
    operations: { list: 'listTenantApiKeys' },
    columns: ['name', 'permissions', 'createdBy', 'expiresAt', 'lastUsedAt', 'createdAt'],
  },
]

const roleWords = (roles: ReturnType<Deps<'access'>['access']['roles']>) =>
  Object.fromEntries(roles.map(({ key, name }) => [key, { title: name, tone: 'plain' as const }]))

/** A product of people has customers and staff instead of workspaces. */
export const resources = ({
  settings: { customerRole },
  access,
}: Deps<'access'> & { readonly settings: Pick<IdentitySettings, 'customerRole'> }): Registrations['resources'] =>
  customerRole === undefined
    ? [...people, ...workspaces]
    : [
        {
          ...MEMBER,
          ...SEARCHED,
          name: 'customers',
          title: 'Customers',
          singular: 'Customer',
          icon: 'contact',
          operations: { list: 'listCustomers', get: 'getUser' },
          columns: ['name', 'email', 'emailVerified', 'planKey', 'suspendedAt', 'lastSignInAt', 'createdAt'],
          labels: { planKey: 'Plan', createdAt: 'Joined' },
        },
        {
          ...MEMBER,
          ...SEARCHED,
          name: 'staff',
          title: 'Staff',
          singular: 'Staff member',
          icon: 'users',
          operations: { list: 'listStaff', get: 'getUser' },
          columns: ['name', 'email', 'roles', 'lastSignInAt', 'createdAt'],
          filters: [...SEARCHED.filters, 'filter[role]'],
          labels: { createdAt: 'Joined' },
          states: { role: roleWords(access.roles().filter(({ key }) => key !== customerRole)) },
        },
        ...people.map(resource => ({ ...resource, isUnlisted: true })),
      ]
