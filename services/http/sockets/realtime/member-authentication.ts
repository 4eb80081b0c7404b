/** Authenticates members: the credential, the membership of the tenant, and a permission. */
import {
  type Credential,
  common,
  type Deps,
  type FrameError,
  may,
  missingPermission,
  once,
  REALTIME_CLOSE_CODE,
  type SocketMember,
  scopesOf,
  wording,
} from '@larder-dev/larder/kernel/internal'

export interface Rejection {
  /** Close code. */
  readonly close: number
  readonly error: FrameError
}
export const isRejection = (result: SocketMember | Rejection): result is Rejection => 'error' in result

const UNAUTHENTICATED: Rejection = {
  close: REALTIME_CLOSE_CODE.unauthenticated,
  error: {
    code: 'unauthenticated',
    message: wording('A hello needs a valid token, or the cookie of a page of this site.'),
  },
}
const NOT_A_MEMBER: Rejection = {
  close: REALTIME_CLOSE_CODE.revoked,
  error: { code: 'not_a_member', message: common.not_a_member() },
}
const NO_WORKSPACE: Rejection = {
  close: REALTIME_CLOSE_CODE.revoked,
  error: { code: 'not_a_member', message: wording('You are not a member of any workspace.') },
}
const SUSPENDED: Rejection = {
  close: REALTIME_CLOSE_CODE.revoked,
  error: { code: 'tenant_suspended', message: common.tenant_suspended() },
}
const CUSTOMER_SUSPENDED: Rejection = {
  close: REALTIME_CLOSE_CODE.revoked,
  error: { code: 'customer_suspended', message: common.customer_suspended() },
}
const forbidden = (permission: string): Rejection => ({
  close: REALTIME_CLOSE_CODE.revoked,
  error: { code: 'forbidden', message: missingPermission(permission) },
})

/** The workspace that the caller selected last, as an ID. One that they have left counts as none. */
export interface CurrentTenant {
  readonly selected: string | undefined
}

/**
 * `tenant` is an ID or a slug, or the caller's current workspace: the selected one, or else that of the API key or the one
 * that they joined first. Without a permission, membership is sufficient.
 */
export type AuthenticateMember = (
  credential: Credential | undefined,
  tenant: string | CurrentTenant,
  permission: string | undefined,
) => Promise<SocketMember | Rejection>

export function createMemberAuthentication(deps: Deps<'access' | 'operator', 'authenticator'>): AuthenticateMember {
  // Ports are resolved on first use, after all modules have been created.
  const scopes = once(() => scopesOf(deps.access, deps.operator.tenantId))

  async function find(credential: Credential, tenant: string | CurrentTenant) {
    const { authenticator } = deps
    const named = typeof tenant === 'string' ? tenant : tenant.selected
    const found = named === undefined ? undefined : await authenticator?.authenticate(credential, { named })
    if (typeof tenant === 'string' || found?.membership) return found
    return authenticator?.authenticate(credential, 'home')
  }

  return async (credential, tenant, permission) => {
    const found = credential && (await find(credential, tenant))
    if (!found) return UNAUTHENTICATED
    const { principal, membership } = found
    if (membership?.suspended) return membership.suspended === 'customer' ? CUSTOMER_SUSPENDED : SUSPENDED
    if (!membership) return typeof tenant === 'string' ? NOT_A_MEMBER : NO_WORKSPACE
    const can = (wanted: string) => may(scopes(), principal, membership, wanted)
    if (permission !== undefined && !can(permission)) return forbidden(permission)
    return { userId: principal.userId, tenantId: membership.tenantId, principal, membership, can }
  }
}
