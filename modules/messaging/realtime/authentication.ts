/** Authenticates a socket with the token of its hello or the credential of the upgrade request. */
import { type Credential, type Deps, may, type SocketPeer, scopesOf } from 'larder/kernel'
import type { Hello } from '../domain/frames.ts'
import type { FrameError } from './delivery.ts'
import type { Identity } from './types.ts'

const PERMISSION = 'messaging.conversation.read'
const MESSAGES = {
  unauthenticated: 'A hello needs a valid token, or the cookie of a page of this site.',
  not_a_member: 'You are not a member of this workspace.',
  forbidden: `Requires the permission ${PERMISSION}.`,
}
export type Rejection = FrameError & { readonly code: keyof typeof MESSAGES }
const reject = (code: Rejection['code']): Rejection => ({ code, message: MESSAGES[code] })
export const isRejection = (result: Identity | Rejection): result is Rejection => 'code' in result

export function createAuthentication({ authenticator, access }: Deps<'authenticator' | 'access'>) {
  const scopes = scopesOf(access)

  async function verify(credential: Credential | undefined, tenant: string): Promise<Identity | Rejection> {
    const principal = credential && (await authenticator.identify(credential))
    if (!credential || !principal) return reject('unauthenticated')
    const member = await authenticator.membership(principal, tenant)
    if (!member) return reject('not_a_member')
    if (!may(scopes, principal, member, PERMISSION)) return reject('forbidden')
    return { principal, credential, userId: principal.userId, tenantId: member.tenantId }
  }

  return {
    /** The upgrade request has no credential if its cookie came from another origin or was invalid. */
    authenticate(socket: SocketPeer, { tenantId, token }: Hello): Promise<Identity | Rejection> {
      return verify(token === undefined ? socket.credential : { kind: 'bearer', secret: token }, tenantId)
    },
    /** Verifies the credential and membership again. */
    recheck: ({ credential, tenantId }: Identity): Promise<Identity | Rejection> => verify(credential, tenantId),
  }
}
export type Authentication = ReturnType<typeof createAuthentication>
