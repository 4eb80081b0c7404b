import { defineModule } from '@larder-dev/larder/kernel'
import { accountPages } from './accounts/pages/account.ts'
import { accountSite } from './accounts/pages/account-site.ts'
import { checklistPages, checklistSteps } from './accounts/pages/checklist.ts'
import { detailsPages } from './accounts/pages/details.ts'
import { mailLinkPages } from './accounts/pages/mail-links.ts'
import { ownDataPages } from './accounts/pages/own-data.ts'
import { welcomePages } from './accounts/pages/welcome.ts'
import { workspacePages } from './accounts/pages/workspaces.ts'
import { accountRoutes } from './accounts/routes/account.ts'
import { ownDataRoutes } from './accounts/routes/own-data.ts'
import { actions } from './actions.ts'
import { redactAuditLog } from './audit/audit-log.ts'
import { auditActions } from './audit/domain/audit-actions.ts'
import { recordNames, valueWords } from './audit/record-names.ts'
import { auditRoutes } from './audit/routes/audit.ts'
import { CUSTOMER, CUSTOMER_ROLE, FIXED_GRANTS, FIXED_ROLES } from './domain/fixed-roles.ts'
import { RATE_LIMIT_NAMES } from './domain/rate-limits.ts'
import { events } from './events.ts'
import { jobs } from './jobs.ts'
import { listeners } from './listeners.ts'
import { recordOperatorAction } from './operators/operator-actions.ts'
import { claimPages } from './operators/pages/claim.ts'
import { peopleCounts } from './operators/people-counts.ts'
import { adminRoutes } from './operators/routes/admin.ts'
import { claimRoutes } from './operators/routes/claim.ts'
import { peopleRoutes } from './operators/routes/people.ts'
import { searchSources } from './operators/search-sources.ts'
import { statistics } from './operators/statistics.ts'
import { IdentityOptions, packagesFor } from './options.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { claimInstallation } from './recipe/apply.ts'
import { planRoleRemovals } from './recipe/plan.ts'
import { validate } from './recipe/validate.ts'
import { resources } from './resources.ts'
import { emailCodePages } from './sign-in/codes/pages.ts'
import { emailCodeRoutes } from './sign-in/codes/routes.ts'
import { impersonationPages } from './sign-in/impersonation/pages.ts'
import { impersonationRoutes } from './sign-in/impersonation/routes.ts'
import { signInMetrics } from './sign-in/metrics.ts'
import { appPages } from './sign-in/pages/app.ts'
import { reauthenticationPages } from './sign-in/pages/reauthentication.ts'
import { signInPages } from './sign-in/pages/sign-in.ts'
import { signInMethodPages } from './sign-in/pages/sign-in-methods.ts'
import { switchPages } from './sign-in/pages/switch.ts'
import { passkeyRoutes } from './sign-in/passkeys/routes.ts'
import { passwordRoutes } from './sign-in/password/routes.ts'
import { connectPages } from './sign-in/providers/pages.ts'
import { acceptanceRoutes } from './sign-in/routes/acceptance.ts'
import { appCodeRoutes } from './sign-in/routes/app-codes.ts'
import { authRoutes } from './sign-in/routes/auth.ts'
import { pageScripts } from './sign-in/routes/page-scripts.ts'
import { reauthenticationRoutes } from './sign-in/routes/reauthentication.ts'
import { registrationRoutes, verificationRoutes } from './sign-in/routes/registration.ts'
import { signInMethodRoutes } from './sign-in/routes/sign-in-methods.ts'
import { signInRedirects } from './sign-in/routes/sign-in-redirects.ts'
import { secondFactorPages } from './sign-in/second-factor/pages.ts'
import { secondFactorRoutes } from './sign-in/second-factor/routes.ts'
import { APP_SECRET_COLUMN } from './sign-in/second-factor/second-factors.ts'
import { ANSWER_COLUMN } from './sign-in/sign-in-returns.ts'
import { ssoPages } from './sign-in/sso/pages/sso.ts'
import { ssoSignInPages } from './sign-in/sso/pages/sso-sign-in.ts'
import { samlRoutes } from './sign-in/sso/routes/saml.ts'
import { ssoRoutes } from './sign-in/sso/routes/sso.ts'
import { CLIENT_SECRET_COLUMN } from './sign-in/sso/sso-connections.ts'
import { apiKeyPages } from './workspaces/keys/pages.ts'
import { apiKeyRoutes } from './workspaces/keys/routes.ts'
import { invitationPages } from './workspaces/members/pages/invitations.ts'
import { memberPages } from './workspaces/members/pages/members.ts'
import { invitationRoutes } from './workspaces/members/routes/invitations.ts'
import { memberRoutes } from './workspaces/members/routes/members.ts'
import { countSeats } from './workspaces/members/seats.ts'
import { auditPages } from './workspaces/pages/audit.ts'
import { workspaceSettingsPages } from './workspaces/pages/workspace-settings.ts'
import { memberTable } from './workspaces/records.ts'
import { rolePages } from './workspaces/roles/pages/roles.ts'
import { roleRoutes } from './workspaces/roles/routes.ts'
import { tenantRoutes } from './workspaces/routes.ts'

export default defineModule({
  name: 'identity',
  summary: 'Users, workspaces, members, roles, invitations and API keys.',
  needs: [
    'database',
    'systemDatabase',
    'events',
    'jobs',
    'secrets',
    'bus',
    'caches',
    'product',
    'operator',
    'access',
    'clock',
    'tenantDeletion',
    'tenantSuspension',
    'registry',
    'models',
    'outbound',
    'theme',
    'inspector',
    'eventErasure',
    'log',
    'workerPool',
  ],
  optional: ['mailer', 'entitlements'],
  options: IdentityOptions,
  packages: packagesFor,
  validate,
  permissions: {
    'identity.tenant.read': 'View the workspace',
    'identity.tenant.update': 'Rename the workspace',
    'identity.tenant.delete': 'Delete the workspace',
    'identity.member.read': 'View members',
    'identity.member.update': "Change members' roles",
    'identity.member.remove': 'Remove members',
    'identity.member.invite': 'Invite members',
    'identity.invitation.read': 'View invitations',
    'identity.invitation.create': 'Resend invitations',
    'identity.invitation.revoke': 'Revoke invitations',
    'identity.role.read': 'View roles',
    'identity.role.create': 'Create roles',
    'identity.role.update': 'Update roles',
    'identity.role.delete': 'Delete roles',
    'identity.api_key.read': 'View API keys',
    'identity.api_key.create': 'Create API keys',
    'identity.api_key.update': 'Update API keys',
    'identity.api_key.delete': 'Delete API keys',
    'identity.sso.read': 'View single sign-on',
    'identity.sso.manage': 'Set up single sign-on',
    'identity.audit.read': 'View the audit log',
    'identity.user.read_all': { title: 'View every user and their logins', scope: 'platform' },
    'identity.user.revoke_login': { title: 'End logins of every user', scope: 'platform' },
    'identity.user.update_profile': { title: 'Change the profile of every user', scope: 'platform' },
    'identity.user.send_email': { title: 'Send password resets and confirmations to every user', scope: 'platform' },
    'identity.user.remove_second_factor': { title: 'Remove the second factor of every user', scope: 'platform' },
    'identity.user.impersonate': { title: 'Act as a user of the installation', scope: 'platform' },
    'identity.tenant.delete_all': { title: 'Delete every workspace', scope: 'platform' },
    'identity.tenant.suspend': { title: 'Suspend and resume workspaces', scope: 'platform' },
    'identity.customer.suspend': { title: 'Suspend and reinstate customers', scope: 'platform' },
    'identity.tenant.read_all': { title: 'View every workspace and its members', scope: 'platform' },
  },
  roles: FIXED_ROLES,
  declare: ({ audience }) => ({
    grants: FIXED_GRANTS,
    ...(audience === 'people' && { roles: { [CUSTOMER]: CUSTOMER_ROLE } }),
  }),
  problems,
  limits: RATE_LIMIT_NAMES,
  usage: { 'identity.seat': countSeats },
  events,
  actions,
  services: async () => (await import('./services.ts')).services,
  provides: {
    authenticator: { load: async () => (await import('./sign-in/authenticator.ts')).createAuthenticator },
    people: { load: async () => (await import('./workspaces/members/people.ts')).createPeople },
    callerRights: { load: async () => (await import('./workspaces/roles/caller-rights.ts')).createCallerRights },
    tenantDirectory: {
      load: async () => (await import('./operators/tenant-directory.ts')).createTenantDirectory,
    },
    auditLog: ({ audit }) => ({ list: audit.list, describe: audit.describe }),
  },
  routes: deps => [
    ...registrationRoutes(deps),
    ...passwordRoutes(deps),
    ...authRoutes(deps),
    ...verificationRoutes(deps),
    ...accountRoutes(deps),
    ...claimRoutes(deps),
    ...emailCodeRoutes(deps),
    ...passkeyRoutes(deps),
    ...appCodeRoutes(deps),
    ...signInMethodRoutes(deps),
    ...secondFactorRoutes(deps),
    ...reauthenticationRoutes(deps),
    ...ownDataRoutes(deps),
    ...tenantRoutes(deps),
    ...memberRoutes(deps),
    ...invitationRoutes(deps),
    ...acceptanceRoutes(deps),
    ...roleRoutes(deps),
    ...apiKeyRoutes(deps),
    ...ssoRoutes(deps),
    ...auditRoutes(deps),
    ...adminRoutes(deps),
    ...peopleRoutes(deps),
    ...impersonationRoutes(deps),
  ],
  resources,
  names: () => recordNames,
  words: valueWords,
  rawRoutes: deps => [...samlRoutes(deps), ...signInRedirects(deps), ...pageScripts(deps)],
  auditActions: () => auditActions,
  userOfMember:
    ({ database }) =>
    async (tenantId, id) =>
      (await memberTable.find(database.tenant(tenantId), { tenantId, id }))?.userId,
  memberOfUser:
    ({ database }) =>
    async (tenantId, userId) =>
      (await memberTable.find(database.tenant(tenantId), { tenantId, userId }))?.id,
  operatorActions: ({ audit, operator }) => recordOperatorAction(audit, operator.tenantId),
  search: searchSources,
  findings: ({ settings, ssoFindings }) => (settings.enterprise ? [ssoFindings] : []),
  reminders: async ({ settings, ssoFindings }) => (settings.enterprise ? ssoFindings.stored() : []),
  examine: async ({ settings, ssoFindings }) => (settings.enterprise ? ssoFindings.live() : []),
  pages: deps => [
    ...signInPages(deps),
    ...emailCodePages(deps),
    ...accountPages(deps),
    ...signInMethodPages(deps),
    ...detailsPages(deps),
    ...connectPages(deps),
    ...switchPages(deps),
    ...appPages(deps),
    ...secondFactorPages(deps),
    ...reauthenticationPages(deps),
    ...workspacePages(deps),
    ...apiKeyPages(deps),
    ...mailLinkPages(deps),
    ...ownDataPages(deps),
    ...workspaceSettingsPages(deps),
    ...memberPages(deps),
    ...invitationPages(deps),
    ...rolePages(deps),
    ...ssoPages(deps),
    ...ssoSignInPages(deps),
    ...auditPages(deps),
    ...claimPages(deps),
    ...checklistPages(deps),
    ...welcomePages(deps),
    ...impersonationPages(deps),
  ],
  site: accountSite,
  checklist: checklistSteps,
  statistics,
  peopleCounts,
  metrics: signInMetrics,
  signInMethods: ({ passwordMethod, emailCodeMethod, passkeyMethod, providerMethods, ssoMethod, settings }) => [
    ...(settings.passwords ? [passwordMethod] : []),
    ...(settings.emailLink ? [emailCodeMethod] : []),
    ...(settings.passkeys ? [passkeyMethod] : []),
    ...providerMethods,
    ...(settings.enterprise ? [ssoMethod] : []),
  ],
  diagnose: async options => (await import('./sign-in/providers/provider-diagnosis.ts')).diagnoseProviders(options),
  listeners,
  jobs,
  sealedColumns: () => [APP_SECRET_COLUMN, CLIENT_SECRET_COLUMN, ANSWER_COLUMN],
  deleteTenant: deps => async tenantId => {
    await redactAuditLog(deps, tenantId)
    await deps.ssoConnections.forgetPeople(tenantId)
  },
  verify: ({ signInMethods }) => void signInMethods.list(),
  stop: ({ ssoFetch }) => ssoFetch.close(),
  reconcile: claimInstallation,
  plan: async deps => [...(await deps.productAudience.plan()), ...(await planRoleRemovals(deps))],
  migrations: new URL('./migrations/', import.meta.url),
  emails: new URL('./emails/', import.meta.url),
  templates: new URL('./templates/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
