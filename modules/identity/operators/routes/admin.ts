/** The operator's routes: users and tenants of the installation. */
import { common, listOf, listQuery, NameOf, named, route, Type, together } from '@larder-dev/larder/kernel'
import { actorOf } from '../../audit/audit-log.ts'
import { RECENT_AUTH } from '../../domain/recent-proof.ts'
import { Login } from '../../sign-in/records/login.ts'
import { SignInWay } from '../../sign-in/records/sign-in.ts'
import type { SsoConnection, SsoDomain } from '../../sign-in/sso/records.ts'
import { MemberSearch } from '../../users/records/member.ts'
import { ApiKey } from '../../workspaces/keys/records.ts'
import { workspaceProblems } from '../../workspaces/problems.ts'
import { Role } from '../../workspaces/roles/records.ts'
import { TenantDetails, TenantSummary, UserApiKey, UserSummary, userDetails } from '../records/admin.ts'
import type { OperatorServices } from '../services.ts'

const Search = Type.Optional(Type.String({ maxLength: 200, description: 'Part of a name, email address or slug' }))

const ReasonBody = Type.Object({ reason: NameOf(500) }, { examples: [{ reason: 'Unpaid invoices' }] })

/** An operator acts for users and workspaces of the installation, not in the workspace of the request. */
const OUTSIDE = { unit: 'own' } as const

export function adminRoutes(services: OperatorServices) {
  const { ssoConnections, ssoDomains } = services
  const { apiKeys, directory, impersonations, logins, members, roles, settings, suspensions, userSupport } = services
  const { profiles, tenantRemoval } = services
  const { Member, UserProfile, OperatorProfileChange } = profiles.schemas()
  const UserDetails = userDetails(UserProfile)
  const UpdatedUser = named('UpdatedUser', Type.Object({ profile: UserProfile }))

  const users = route({
    method: 'get',
    path: '/identity/admin/users',
    operationId: 'listUsers',
    summary: 'Lists the users of the installation, newest first.',
    allow: 'identity.user.read_all',
    query: listQuery({ q: Search }),
    filters: { email: Type.String({ maxLength: 254 }) },
    replies: { 200: listOf(UserSummary) },
    handle: ({ query, filters }) => directory.users({ ...query, ...filters }),
  })

  const user = route({
    method: 'get',
    path: '/identity/admin/users/:id',
    operationId: 'getUser',
    summary: 'Returns a user with their memberships.',
    allow: 'identity.user.read_all',
    replies: { 200: UserDetails },
    async handle({ params, caller }) {
      const { found, profile } = await together({
        found: directory.user(params.id),
        profile: profiles.ofUser(params.id),
      })
      const { customerRole } = settings
      const held = customerRole === undefined ? [] : found.memberships.flatMap(({ roles }) => roles)
      return {
        ...found,
        profile,
        isCustomer: held.some(role => role === customerRole),
        isStaff: held.some(role => role !== customerRole),
        impersonable: impersonations.isPossible(caller, found.id, found.memberships),
        impersonationEnabled: settings.impersonation,
      }
    },
  })

  const updateUser = route({
    method: 'patch',
    path: '/identity/admin/users/:id',
    operationId: 'updateUser',
    summary: 'Changes the profile of a user. Recorded in the audit log.',
    allow: 'identity.user.update_profile',
    ...OUTSIDE,
    body: Type.Object({ profile: OperatorProfileChange }),
    replies: { 200: UpdatedUser },
    handle: async ({ params, body, caller }) => ({
      profile: await profiles.updateUser(params.id, body.profile, caller, 'operator'),
    }),
  })

  const userLogins = route({
    method: 'get',
    path: '/identity/admin/users/:id/logins',
    operationId: 'listUserLogins',
    summary: 'Lists the logins of a user.',
    allow: 'identity.user.read_all',
    query: listQuery(),
    replies: { 200: listOf(Login) },
    handle: ({ params, query, caller }) => logins.list(params.id, caller.principalId, query),
  })

  const revokeLogin = route({
    method: 'delete',
    path: '/identity/admin/users/:id/logins/:loginId',
    operationId: 'revokeUserLogin',
    summary: 'Ends a login of a user with its cookie and token. Recorded in the audit log.',
    allow: 'identity.user.revoke_login',
    ...OUTSIDE,
    replies: { 204: null },
    handle: ({ params, caller }) => logins.revoke(params.id, params.loginId, actorOf(caller)),
  })

  const endLogins = route({
    method: 'delete',
    path: '/identity/admin/users/:id/logins',
    operationId: 'endUserLogins',
    summary: 'Ends all logins of a user. Recorded in the audit log.',
    allow: 'identity.user.revoke_login',
    ...OUTSIDE,
    replies: { 204: null },
    handle: ({ params, caller }) => userSupport.endLogins(params.id, actorOf(caller)),
  })

  const userApiKeys = route({
    method: 'get',
    path: '/identity/admin/users/:id/api-keys',
    operationId: 'listUserApiKeys',
    summary: 'Lists the API keys that a user created in any workspace, newest first, without their secrets.',
    allow: 'identity.user.read_all',
    query: listQuery(),
    replies: { 200: listOf(UserApiKey) },
    handle: ({ params, query }) => userSupport.apiKeys(params.id, query),
  })

  const userSignInMethods = route({
    method: 'get',
    path: '/identity/admin/users/:id/sign-in-methods',
    operationId: 'listUserSignInMethods',
    summary: 'Lists the ways to sign in of a user.',
    allow: 'identity.user.read_all',
    replies: { 200: listOf(SignInWay) },
    handle: async ({ params }) => ({ data: [...(await userSupport.signInMethods(params.id))], nextCursor: null }),
  })

  const sendPasswordReset = route({
    method: 'post',
    path: '/identity/admin/users/:id/password-reset',
    operationId: 'sendUserPasswordReset',
    summary: 'Emails a password reset link to a user. Recorded in the audit log.',
    allow: 'identity.user.send_email',
    ...OUTSIDE,
    replies: { 202: null },
    handle: ({ params, caller }) => userSupport.sendPasswordReset(params.id, actorOf(caller)),
  })

  const sendVerification = route({
    method: 'post',
    path: '/identity/admin/users/:id/verification',
    operationId: 'sendUserVerification',
    summary: 'Emails a confirmation link to a user whose address is not confirmed. Recorded in the audit log.',
    allow: 'identity.user.send_email',
    ...OUTSIDE,
    replies: { 202: null },
    handle: ({ params, caller }) => userSupport.sendVerification(params.id, actorOf(caller)),
  })

  const tenants = route({
    method: 'get',
    path: '/identity/admin/tenants',
    operationId: 'listAllTenants',
    summary: 'Lists the workspaces of the installation, newest first.',
    allow: 'identity.tenant.read_all',
    query: listQuery({ q: Search }),
    replies: { 200: listOf(TenantSummary) },
    handle: ({ query }) => directory.tenants(query),
  })

  const tenant = route({
    method: 'get',
    path: '/identity/admin/tenants/:id',
    operationId: 'getAnyTenant',
    summary: 'Returns a workspace of the installation.',
    allow: 'identity.tenant.read_all',
    replies: { 200: TenantDetails },
    async handle({ params: { id } }) {
      if (!settings.enterprise) return { ...(await directory.tenant(id)), singleSignOn: null }
      const { tenant, connection, domains } = await together({
        tenant: directory.tenant(id),
        connection: ssoConnections.find(id),
        domains: ssoDomains.list(id),
      })
      return { ...tenant, singleSignOn: singleSignOnOf(domains, connection) }
    },
  })

  const tenantMembers = route({
    method: 'get',
    path: '/identity/admin/tenants/:id/members',
    operationId: 'listTenantMembers',
    summary: 'Lists the members of a workspace of the installation.',
    allow: 'identity.tenant.read_all',
    query: listQuery({ q: MemberSearch }),
    replies: { 200: listOf(Member) },
    async handle({ params: { id }, query }) {
      // Throws `not_found`, also for an id that no workspace can have.
      return (await together({ tenant: directory.tenant(id), members: members.list(id, query) })).members
    },
  })

  const tenantRoles = route({
    method: 'get',
    path: '/identity/admin/tenants/:id/roles',
    operationId: 'listTenantRoles',
    summary: 'Lists the built-in and custom roles of a workspace of the installation.',
    allow: 'identity.tenant.read_all',
    query: listQuery(),
    replies: { 200: listOf(Role) },
    handle: async ({ params: { id }, query }) =>
      (await together({ tenant: directory.tenant(id), roles: roles.list(id, query) })).roles,
  })

  const tenantApiKeys = route({
    method: 'get',
    path: '/identity/admin/tenants/:id/api-keys',
    operationId: 'listTenantApiKeys',
    summary: 'Lists the API keys of a workspace of the installation, without their secrets.',
    allow: 'identity.tenant.read_all',
    query: listQuery(),
    replies: { 200: listOf(ApiKey) },
    handle: async ({ params: { id }, query }) =>
      (await together({ tenant: directory.tenant(id), keys: apiKeys.list(id, query) })).keys,
  })

  const suspendTenant = route({
    method: 'post',
    path: '/identity/admin/tenants/:id/suspend',
    operationId: 'suspendTenant',
    summary: 'Suspends a workspace until it is resumed. Recorded in the audit log.',
    description:
      'Its members, API keys and visitors get 403 `tenant_suspended`, and its sockets close. Its events, jobs and webhooks wait. The owners get an email with the reason. Suspending it again changes nothing.',
    allow: 'identity.tenant.suspend',
    body: ReasonBody,
    replies: { 200: TenantSummary },
    problems: [common.not_found, workspaceProblems.operator_tenant],
    ...OUTSIDE,
    handle: ({ params, body, caller }) => suspensions.suspend(params.id, body.reason, caller),
  })

  const resumeTenant = route({
    method: 'post',
    path: '/identity/admin/tenants/:id/resume',
    operationId: 'resumeTenant',
    summary: 'Resumes a suspended workspace. Recorded in the audit log.',
    description:
      "Events, jobs and webhooks that waited go on. The owners get an email. Resuming a workspace that isn't suspended changes nothing.",
    allow: 'identity.tenant.suspend',
    body: ReasonBody,
    replies: { 200: TenantSummary },
    problems: [common.not_found],
    ...OUTSIDE,
    handle: ({ params, body, caller }) => suspensions.resume(params.id, body.reason, caller),
  })

  const removeTenant = route({
    method: 'post',
    path: '/identity/admin/tenants/:id/delete',
    operationId: 'deleteAnyTenant',
    summary: 'Deletes a workspace and all of its data. Recorded in the audit log.',
    description:
      "As `DELETE /v1/identity/tenants/{id}` by an owner: access ends at once, and the data can't be restored. The owners get an email with the reason.",
    allow: 'identity.tenant.delete_all',
    apiKeys: false,
    recentAuth: RECENT_AUTH,
    body: ReasonBody,
    replies: { 204: null },
    problems: [common.not_found, workspaceProblems.operator_tenant],
    ...OUTSIDE,
    handle: ({ params, body, caller }) => tenantRemoval.remove(params.id, body.reason, caller),
  })

  return [
    users,
    user,
    updateUser,
    userLogins,
    revokeLogin,
    endLogins,
    userApiKeys,
    userSignInMethods,
    sendPasswordReset,
    sendVerification,
    tenants,
    tenant,
    tenantMembers,
    tenantRoles,
    tenantApiKeys,
    suspendTenant,
    resumeTenant,
    removeTenant,
  ]
}

function singleSignOnOf(
  domains: readonly SsoDomain[],
  connection: SsoConnection | undefined,
): TenantDetails['singleSignOn'] {
  if (domains.length === 0 && !connection) return null
  const shown = domains.map(({ domain, verifiedAt, missingSince }) => ({ domain, verifiedAt, missingSince }))
  if (!connection) return { domains: shown, provider: null }
  const { protocol, issuer, enabled, required, testedAt, saml } = connection
  // While a provider changes its certificate, it has two. The texts have one format.
  const expiresAt =
    saml?.certificates
      .map(certificate => certificate.expiresAt)
      .sort()
      .at(-1) ?? null
  return { domains: shown, provider: { protocol, issuer, enabled, required, testedAt, expiresAt } }
}
