/** Actions of the audit log, and their titles for people. */
import { defineTexts } from '@larder-dev/larder/kernel'

const TITLES: Readonly<Record<string, Readonly<Record<string, string>>>> = defineTexts({
  tenant: {
    created: 'Workspace created',
    updated: 'Workspace changed',
    deleted: 'Workspace deleted',
    suspended: 'Workspace suspended',
    resumed: 'Workspace resumed',
  },
  member: {
    joined: 'Member joined',
    roles_changed: 'Roles changed',
    profile_changed: 'Details of a member changed',
    removed: 'Member removed',
  },
  invitation: {
    created: 'Person invited',
    resent: 'Invitation sent again',
    revoked: 'Invitation revoked',
    accepted: 'Invitation accepted',
  },
  role: { created: 'Role created', updated: 'Role changed', deleted: 'Role deleted' },
  api_key: { created: 'API key created', updated: 'API key changed', deleted: 'API key deleted' },
  operator: { claimed: 'Installation claimed' },
  password: { changed: 'Password changed', reset: 'Password reset', requested: 'Password reset sent' },
  email: {
    requested: 'Email change requested',
    changed: 'Email address changed',
    verification_sent: 'Confirmation email sent',
    resent: 'Email sent again by an operator',
  },
  sign_in_method: {
    added: 'Sign-in method added',
    removed: 'Sign-in method removed',
    cloned: 'Copied passkey refused',
  },
  sso: {
    changed: 'Single sign-on changed',
    removed: 'Single sign-on removed',
    turned_on: 'Single sign-on turned on',
    turned_off: 'Single sign-on turned off',
    required: 'Single sign-on required',
    optional: 'Single sign-on no longer required',
    bypassed: 'Owner signed in without single sign-on',
  },
  sso_domain: {
    added: 'Email domain added',
    verified: 'Email domain verified',
    record_missing: 'DNS record of an email domain missing',
    lapsed: 'Email domain lapsed',
    removed: 'Email domain removed',
  },
  second_factor: { enabled: 'Authenticator app set up', removed: 'Authenticator app removed' },
  recovery_code: { used: 'Recovery code used' },
  recovery_codes: { replaced: 'Recovery codes replaced' },
  trusted_device: { added: 'Device trusted' },
  trusted_devices: { forgotten: 'Trusted devices forgotten' },
  subscription: { changed: 'Plan changed by an operator' },
  credits: { granted: 'Credits granted by an operator', taken_back: 'Credits taken back by an operator' },
  user: { deleted: 'Account deleted', profile_changed: 'Details of a person changed' },
  impersonation: { started: 'Impersonation started', ended: 'Impersonation ended' },
  login: {
    created: 'Signed in',
    ended: 'Signed out',
    all_ended: 'Signed out everywhere',
    others_ended: 'Signed out other devices',
  },
})

/** `member.joined` → `Member joined`. */
export const AUDIT_ACTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(TITLES).flatMap(([area, actions]) =>
    Object.entries(actions).map(([action, title]) => [`${area}.${action}`, title]),
  ),
)
