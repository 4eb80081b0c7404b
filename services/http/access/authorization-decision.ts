/** Decides whether a caller may use an endpoint. Pure. */
import {
  type Caller,
  type Credential,
  common,
  type Guard,
  grantedTo,
  MINUTE,
  missingPermission,
  type Problem,
  type TenantChoice,
} from '@larder-dev/larder/kernel/internal'
import { http } from '../problems.ts'
import type { Known } from './callers.ts'

/** The kind of endpoint. Each has its own cross-site rules. */
export type EndpointKind = 'api' | 'page' | 'socket'

/** What a route requires of its caller. */
export interface Requirements {
  readonly guard: Guard
  readonly endpoint: EndpointKind
  readonly verifiedEmail: boolean
  /** Milliseconds since the person proved who they are, at most. */
  readonly recentAuth: number | undefined
  /** Whether an operator who acts as a user is refused. */
  readonly refusesImpersonation: boolean
  /** Milliseconds since 1970. */
  readonly now: number
  /** Whether the request changes something. */
  readonly mutates: boolean
}
export interface Decision {
  readonly known: Known
  readonly granted: string | undefined
  readonly refusal: Problem | undefined
  /** Whether the refusal precedes the limits of the caller. */
  readonly precedesLimits: boolean
}
/** What a request presents. */
export interface Claim {
  readonly credential: Credential
  /** A cookie that another site sent. */
  readonly isForeign: boolean
  readonly choice: TenantChoice
  /** Whether the request names the tenant. */
  readonly named: boolean
}

/** Undefined if the route ignores the credential. */
export function authorize(
  { guard, endpoint, verifiedEmail, recentAuth, refusesImpersonation, now, mutates }: Requirements,
  claim: Claim,
  found: Known,
): Decision | undefined {
  const known = found.suspended ? outsideTenant(guard, found) : found
  const { caller, isMember, principal } = known
  if (claim.isForeign) return refuse(known, common.cross_site(), true)
  if (principal.kind === 'apiKey' && !guard.apiKeys)
    return guard.ignoresRefused ? undefined : refuse(known, http.api_key_refused(), true)
  const ofCustomer = known.suspended === 'customer' ? customerRefusal(guard, known, claim, endpoint) : undefined
  const refusal = isMember ? undefined : (ofCustomer ?? tenantRefusal(guard, known, claim))
  // Who is suspended stays signed in: their pages say so, and show their other workspaces.
  if (refusal) return refuse(known, refusal, !known.suspended)
  const granted = grantedTo(guard, caller)
  if (granted === undefined) return refuse(known, missingPermission(guard.permissions[0] ?? ''), false)
  // Endpoints without a permission concern the person: their account, and the workspaces that they create and join.
  const isPersonal = mutates && granted === 'user' && guard.open.length === 0
  if (principal.impersonatedBy !== undefined && (isPersonal || refusesImpersonation))
    return refuse(known, common.impersonated(), false)
  if (verifiedEmail && caller.mustVerifyEmail) return refuse(known, common.email_not_verified(), false)
  if (recentAuth !== undefined && !isRecent(caller, recentAuth, now))
    return refuse(known, reauthenticationRequired(recentAuth), false)
  return { known, granted, refusal: undefined, precedesLimits: false }
}

/** True for an API key, which isn't a person and has nothing to prove. */
export const isRecent = (caller: Caller | undefined, within: number, now: number): boolean =>
  caller?.kind === 'apiKey' ||
  (caller?.authenticatedAt !== undefined && Date.parse(caller.authenticatedAt) > now - within)

export const reauthenticationRequired = (within: number): Problem =>
  common.reauthentication_required({ minutes: Math.max(1, Math.floor(within / MINUTE)) })

const refuse = (known: Known, refusal: Problem, precedesLimits: boolean): Decision => ({
  known,
  granted: undefined,
  refusal,
  precedesLimits,
})

/** In a suspended tenant, callers act only by a permission of scope platform, or without the tenant. Customers have none. */
const outsideTenant = (guard: Guard, known: Known): Known =>
  guard.permissions.some(permission => known.caller.can(permission))
    ? known
    : { ...known, caller: Object.freeze({ ...known.caller, ...NO_TENANT }), isMember: false }
const NO_TENANT = {
  tenantId: undefined,
  memberId: undefined,
  roles: [],
  isCustomer: undefined,
  permissions: [],
  can: () => false,
}

/** Undefined if the caller may go on without a tenant. */
function tenantRefusal(guard: Guard, { principal, suspended }: Known, { choice, named }: Claim): Problem | undefined {
  const hasCandidate = choice === 'home' || choice === 'last' ? principal.homeTenantId !== null : choice !== 'none'
  if (guard.tenant && !hasCandidate) return common.tenant_required()
  const explicit = named || principal.kind === 'apiKey'
  const isOpen = guard.open.length > 0 && !(suspended && guard.permissions.length > 0)
  const refused = explicit && !isOpen && !guard.foreignTenant
  if (!guard.tenant && !refused) return undefined
  return suspended ? common.tenant_suspended() : common.not_a_member()
}

/**
 * Requests of a product of people mean its tenant without naming it. A suspended customer keeps their account, and sees of
 * pages what visitors see.
 */
function customerRefusal(
  guard: Guard,
  { principal }: Known,
  { named }: Claim,
  endpoint: EndpointKind,
): Problem | undefined {
  const isOpen = guard.open.length > 0 && (guard.permissions.length === 0 || endpoint === 'page')
  const isOfAccount = guard.user && guard.permissions.length === 0 && !named && principal.kind !== 'apiKey'
  return isOpen || isOfAccount ? undefined : common.customer_suspended()
}
