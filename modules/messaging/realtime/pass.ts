/** Who a socket is: by the token of its hello, or the credential that it came with. */
import { type Credential, type Deps, may, type SocketPeer, scopesOf } from 'larder/kernel'
import type { Hello } from '../core/frames.ts'
import type { Refusal } from './post.ts'
import type { Who } from './types.ts'

const READ = 'messaging.conversation.read'
const REFUSED = {
  unauthenticated: 'Say hello with a valid token, or come from a page of ours with its cookie.',
  not_a_member: 'You are not a member of this tenant.',
  forbidden: `Requires the permission ${READ}.`,
}
export type Refused = Refusal & { readonly code: keyof typeof REFUSED }
const refused = (code: Refused['code']): Refused => ({ code, message: REFUSED[code] })
export const isRefused = (pass: Who | Refused): pass is Refused => 'code' in pass

export function createPass({ authenticator, access }: Deps<'authenticator' | 'access'>) {
  const scopes = scopesOf(access)

  async function admit(credential: Credential | undefined, tenant: string): Promise<Who | Refused> {
    const principal = credential && (await authenticator.identify(credential))
    if (!credential || !principal) return refused('unauthenticated')
    const member = await authenticator.membership(principal, tenant)
    if (!member) return refused('not_a_member')
    if (!may(scopes, principal, member, READ)) return refused('forbidden')
    return { principal, credential, userId: principal.userId, tenantId: member.tenantId }
  }

  return {
    /** The gate has looked at the upgrade: a cookie from elsewhere, or a wrong credential, is no caller. */
    of(peer: SocketPeer, { tenantId, token }: Hello): Promise<Who | Refused> {
      return admit(token === undefined ? peer.credential : { kind: 'bearer', secret: token }, tenantId)
    },
    /** Looked at again; what it is now. */
    again: ({ credential, tenantId }: Who): Promise<Who | Refused> => admit(credential, tenantId),
  }
}
export type Pass = ReturnType<typeof createPass>
