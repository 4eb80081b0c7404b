/** Authenticates members: the credential, the membership of the tenant, and a permission. */
import {
  type Credential,
  type Deps,
  type FrameError,
  may,
  once,
  REALTIME_CLOSE_CODE,
  type SocketMember,
  scopesOf,
} from '@larder-dev/larder/kernel'

export interface Rejection {
  /** Close code. */
  readonly close: number
  readonly error: FrameError
}
export const isRejection = (result: SocketMember | Rejection): result is Rejection => 'error' in result

const UNAUTHENTICATED: Rejection = {
  close: REALTIME_CLOSE_CODE.unauthenticated,
  error: { code: 'unauthenticated', message: 'A hello needs a valid token, or the cookie of a page of this site.' },
}
const NOT_A_MEMBER: Rejection = {
  close: REALTIME_CLOSE_CODE.revoked,
  error: { code: 'not_a_member', message: 'You are not a member of this workspace.' },
}
const forbidden = (permission: string): Rejection => ({
  close: REALTIME_CLOSE_CODE.revoked,
  error: { code: 'forbidden', message: `Requires the permission ${permission}.` },
})

/** `tenant` is an id or a slug. Without a permission, membership is sufficient. */
export type AuthenticateMember = (
  credential: Credential | undefined,
  tenant: string,
  permission: string | undefined,
) => Promise<SocketMember | Rejection>

export function createMemberAuthentication(deps: Deps<'access', 'authenticator'>): AuthenticateMember {
  // Ports are resolved on first use, after all modules have been created.
  const scopes = once(() => scopesOf(deps.access))

  return async (credential, tenant, permission) => {
    const { authenticator } = deps
    const found = credential && (await authenticator?.authenticate(credential, { named: tenant }))
    if (!found) return UNAUTHENTICATED
    const { principal, membership } = found
    if (!membership) return NOT_A_MEMBER
    const can = (wanted: string) => may(scopes(), principal, membership, wanted)
    if (permission !== undefined && !can(permission)) return forbidden(permission)
    return { userId: principal.userId, tenantId: membership.tenantId, principal, membership, can }
  }
}
