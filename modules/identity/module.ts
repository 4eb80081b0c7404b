import { defineModule } from '@larder-dev/larder/kernel'
import { auditActions } from './domain/audit-actions.ts'
import { FIXED_GRANTS, FIXED_ROLES } from './domain/fixed-roles.ts'
import { RATE_LIMIT_NAMES } from './domain/rate-limits.ts'
import { events } from './events.ts'
import { jobs } from './jobs.ts'
import { listeners } from './listeners.ts'
import { IdentityOptions, packagesFor } from './options.ts'
import { accountPages } from './pages/account.ts'
import { accountSite } from './pages/account-site.ts'
import { apiKeyPages } from './pages/api-keys.ts'
import { appPages } from './pages/app.ts'
import { auditPages } from './pages/audit.ts'
import { checklistPages, checklistSteps } from './pages/checklist.ts'
import { claimPages } from './pages/claim.ts'
import { connectPages } from './pages/connect.ts'
import { detailsPages } from './pages/details.ts'
import { emailCodePages } from './pages/email-codes.ts'
import { impersonationPages } from './pages/impersonation.ts'
import { invitationPages } from './pages/invitations.ts'
import { mailLinkPages } from './pages/mail-links.ts'
import { memberPages } from './pages/members.ts'
import { ownDataPages } from './pages/own-data.ts'
import { reauthenticationPages } from './pages/reauthentication.ts'
import { rolePages } from './pages/roles.ts'
import { secondFactorPages } from './pages/second-factor.ts'
import { signInPages } from './pages/sign-in.ts'
import { signInMethodPages } from './pages/sign-in-methods.ts'
import { ssoPages } from './pages/sso.ts'
import { ssoSignInPages } from './pages/sso-sign-in.ts'
import { switchPages } from './pages/switch.ts'
import { welcomePages } from './pages/welcome.ts'
import { workspaceSettingsPages } from './pages/workspace-settings.ts'
import { workspacePages } from './pages/workspaces.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { claimInstallation } from './recipe/apply.ts'
import { planRoleRemovals } from './recipe/plan.ts'
import { validate } from './recipe/validate.ts'
import { resources } from './resources.ts'
import { accountRoutes } from './routes/account.ts'
import { adminRoutes } from './routes/admin.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { appCodeRoutes } from './routes/app-codes.ts'
import { auditRoutes } from './routes/audit.ts'
import { authRoutes } from './routes/auth.ts'
import { emailCodeRoutes } from './routes/email-codes.ts'
import { impersonationRoutes } from './routes/impersonation.ts'
import { invitationRoutes } from './routes/invitations.ts'
import { memberRoutes } from './routes/members.ts'
import { ownDataRoutes } from './routes/own-data.ts'
import { pageScripts } from './routes/page-scripts.ts'
import { passkeyRoutes } from './routes/passkeys.ts'
import { reauthenticationRoutes } from './routes/reauthentication.ts'
import { roleRoutes } from './routes/roles.ts'
import { samlRoutes } from './routes/saml.ts'
import { secondFactorRoutes } from './routes/second-factor.ts'
import { signInMethodRoutes } from './routes/sign-in-methods.ts'
import { signInRedirects } from './routes/sign-in-redirects.ts'
import { ssoRoutes } from './routes/sso.ts'
import { tenantRoutes } from './routes/tenants.ts'
import { redactAuditLog } from './services/access/audit-log.ts'
import { recordNames, valueWords } from './services/access/record-names.ts'
import { recordOperatorAction } from './services/operators/operator-actions.ts'
import { searchSources } from './services/operators/search-sources.ts'
import { statistics } from './services/operators/statistics.ts'
import { signInMetrics } from './services/sign-in/metrics.ts'
import { countSeats } from './services/workspace/seats.ts'

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
    'identity.tenant.read_all': { title: 'View every workspace and its members', scope: 'platform' },
  },
  roles: FIXED_ROLES,
  declare: () => ({ grants: FIXED_GRANTS }),
  problems,
  limits: RATE_LIMIT_NAMES,
  usage: { 'identity.seat': countSeats },
  events,
  services: async () => (await import('./services.ts')).services,
  provides: {
    authenticator: { load: async () => (await import('./services/access/authenticator.ts')).createAuthenticator },
    people: { load: async () => (await import('./services/workspace/people.ts')).createPeople },
    callerRights: { load: async () => (await import('./services/access/caller-rights.ts')).createCallerRights },
    tenantDirectory: {
      load: async () => (await import('./services/workspace/tenant-directory.ts')).createTenantDirectory,
    },
    auditLog: ({ audit }) => ({ list: audit.list, describe: audit.describe }),
  },
  routes: deps => [
    ...authRoutes(deps),
    ...accountRoutes(deps),
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
    ...roleRoutes(deps),
    ...apiKeyRoutes(deps),
    ...ssoRoutes(deps),
    ...auditRoutes(deps),
    ...adminRoutes(deps),
    ...impersonationRoutes(deps),
  ],
  resources: () => resources,
  names: () => recordNames,
  words: valueWords,
  rawRoutes: deps => [...samlRoutes(deps), ...signInRedirects(deps), ...pageScripts(deps)],
  auditActions: () => auditActions,
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
  metrics: signInMetrics,
  signInMethods: ({ passwordMethod, emailCodeMethod, passkeyMethod, providerMethods, ssoMethod, settings }) => [
    ...(settings.passwords ? [passwordMethod] : []),
    ...(settings.emailLink ? [emailCodeMethod] : []),
    ...(settings.passkeys ? [passkeyMethod] : []),
    ...providerMethods,
    ...(settings.enterprise ? [ssoMethod] : []),
  ],
  diagnose: async options => (await import('./services/providers/provider-diagnosis.ts')).diagnoseProviders(options),
  listeners,
  jobs,
  deleteTenant: deps => async tenantId => {
    await redactAuditLog(deps, tenantId)
    await deps.ssoConnections.forgetPeople(tenantId)
  },
  verify: ({ signInMethods }) => void signInMethods.list(),
  stop: ({ ssoFetch }) => ssoFetch.close(),
  reconcile: claimInstallation,
  plan: planRoleRemovals,
  migrations: new URL('./migrations/', import.meta.url),
  emails: new URL('./emails/', import.meta.url),
  templates: new URL('./templates/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
