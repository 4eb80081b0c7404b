/** What a caller, or the holder of a token, may do with a stream. */
import type { Caller } from '@larder-dev/larder/kernel'
import type { Session } from '../ports.ts'
import { isFinished } from '../problems.ts'
import type { StreamTokens, TokenGrant } from './token-service.ts'

/** A caller of a route, or a member with a socket. */
export type RightsHolder = Pick<Caller, 'tenantId' | 'can'>

export interface StreamRights {
  readonly mayPublish: boolean
  readonly mayWatch: boolean
  /** What the token grants for this stream. */
  readonly grant: TokenGrant | undefined
  /** Whether the token of this stream is used up. Its holder still learns the state of the stream, and so why it fails. */
  readonly isUsedUp: boolean
}

/** A token that isn't valid for this stream, or that is used up, is ignored. Throws `tenant_suspended`. */
export async function rightsOf(
  streamTokens: StreamTokens,
  session: Session,
  holder: RightsHolder | undefined,
  token: string | undefined,
): Promise<StreamRights> {
  const canRead = mayIn(session, holder, 'streams.stream.read')
  const found = token === undefined ? undefined : await streamTokens.authenticate(token)
  const own = found?.session.id === session.id ? found : undefined
  const isUsedUp = own?.isUsedUp === true
  const grant = isUsedUp ? undefined : own
  // The token of a finished stream still identifies it, but opens nothing.
  const mayPublish = canRead || (grant !== undefined && grant.kind !== 'viewer' && !isFinished(session.status))
  return { mayPublish, mayWatch: canRead || grant !== undefined, grant, isUsedUp }
}

/** Whether a member of the stream's workspace has the permission. */
export const mayIn = (session: Session, holder: RightsHolder | undefined, permission: string): boolean =>
  holder?.tenantId === session.workspace_id && holder.can(permission)
