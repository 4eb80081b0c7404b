/**
 * What a sign-in with a redirect keeps until the browser returns: the strategy's state and the page to go on to. It is in
 * an encrypted cookie, so that a sign-in that is given up leaves nothing behind.
 */
import { type Deps, MINUTE, SECOND } from '@larder-dev/larder/kernel'
import { flowCookie } from '../domain/cookies.ts'
import { seal, unseal } from '../domain/sealed-values.ts'
import type { ProvedIdentity } from './identities.ts'

export const FLOW_TTL_MS = 10 * MINUTE
const PURPOSE = 'sign_in_flow'

export interface SignInFlow {
  readonly method: string
  /** Path on this site. */
  readonly next: string
  /** `request.session` of the strategy. Values must be JSON. */
  readonly session: Record<string, unknown>
  /** The user who adds the method to their account. */
  readonly linkTo?: string
  /** The person at the provider, until they have signed in to their account. */
  readonly person?: ProvedIdentity & {
    /** The workspace whose provider identified them. */
    readonly tenantId?: string
  }
  readonly held?: HeldLogin
}
/** A login that replaces that of another person in this browser, once the person has agreed. */
export interface HeldLogin {
  readonly loginId: string
  readonly cookie: string
  readonly userId: string
  readonly email: string
  /** The workspace to select. */
  readonly tenantId?: string
}
export interface SignInFlows {
  /** Undefined if the browser started no flow, or if it expired. */
  read(headers: { readonly cookie?: string | undefined }): SignInFlow | undefined
  /** The `Set-Cookie` header. */
  write(flow: SignInFlow): string
  readonly clear: string
}

export function createSignInFlows(deps: Deps<'secrets' | 'clock' | 'product'>): SignInFlows {
  const secure = deps.product.publicUrl.startsWith('https://')
  return {
    read: headers => unseal<SignInFlow>(deps, PURPOSE, flowCookie.read(headers.cookie, secure) ?? ''),
    write: flow => flowCookie.set(seal(deps, PURPOSE, flow, FLOW_TTL_MS), { secure, maxAge: FLOW_TTL_MS / SECOND }),
    clear: flowCookie.set('', { secure, maxAge: 0 }),
  }
}
