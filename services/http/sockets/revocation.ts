/** Decides which sockets a message on the bus channel `sockets.close` concerns. Pure. */
import type { RevokedAccess } from '@larder-dev/larder/kernel/internal'

export interface SocketOwner {
  readonly userId: string
  readonly impersonatedBy?: string | undefined
  /** Undefined if the upgrade request named no tenant. */
  readonly tenantId: string | undefined
  readonly principalId: string
}

/** A socket without a tenant may have selected one in its frames, so it is closed and authorized again on reconnect. */
export function isRevoked(message: unknown, owner: SocketOwner | undefined): boolean {
  if (!owner) return false
  const { userId, tenantId, principalId } = (message ?? {}) as RevokedAccess
  if (userId === undefined && tenantId === undefined && principalId === undefined) return false
  return (
    (userId === undefined || userId === owner.userId || userId === owner.impersonatedBy) &&
    (tenantId === undefined || owner.tenantId === undefined || tenantId === owner.tenantId) &&
    (principalId === undefined || principalId === owner.principalId)
  )
}
