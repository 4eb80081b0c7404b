/** Who sent a request, and the request itself. */
import type { IncomingMessage } from 'node:http'

/** An authenticated caller. */
export interface Caller {
  readonly kind: 'login' | 'apiKey'
  readonly credential: 'cookie' | 'bearer' | 'apiKey'
  /** `lgn_…` or `key_…`. */
  readonly principalId: string
  readonly userId: string
  /** User ID of the operator who acts as the user. Such a caller has no permissions of scope platform. */
  readonly impersonatedBy?: string | undefined
  /** True if the caller must verify their email address before they use routes with `verifiedEmail`. */
  readonly mustVerifyEmail?: boolean
  /** When the person last proved who they are (RFC 3339). Undefined for an API key. */
  readonly authenticatedAt?: string | undefined
  /** The tenant of this request, if the request names one or the credential is bound to one. */
  readonly tenantId: string | undefined
  readonly memberId: string | undefined
  readonly roles: readonly string[]
  /** In a product of people: true for a member who has no other role than that of the registration. Others are staff. */
  readonly isCustomer?: boolean | undefined
  /** True for a customer whom an operator has suspended. They act only without a tenant, as a person with an account. */
  readonly isSuspended?: boolean | undefined
  /** Permission patterns; prefer `can`. */
  readonly permissions: readonly string[]
  /** Whether the caller has this permission in this request, for both scopes. */
  can(permission: string): boolean
}

/** `Context.share` of what this caller causes; undefined if it is the workspace's. */
export const shareOf = (caller: Pick<Caller, 'isCustomer' | 'memberId'> | undefined): string | undefined =>
  caller?.isCustomer ? caller.memberId : undefined

/** The request, as handlers see it. */
export interface RequestFacts {
  /** As Node.js received it, for libraries that expect a whole request. Its body may have been read. */
  readonly req: IncomingMessage
  /** `x-request-id` of the request, or a new ID. */
  readonly id: string
  readonly ip: string
  readonly method: string
  /** The path excludes the query. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
}
