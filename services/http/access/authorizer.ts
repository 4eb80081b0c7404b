/** Authenticates a request, resolves its tenant, checks rate limits and authorizes the caller, in this order. */
import {
  type Caller,
  type Clock,
  type Credential,
  common,
  type Guard,
  type Operator,
  type Precondition,
  type Problem,
  type Product,
  readCookie,
  TENANT_COOKIE,
  type TenantChoice,
} from '@larder-dev/larder/kernel/internal'
import { hasBody } from '../api/body.ts'
import { linkedTenant } from '../pages/workspace-link.ts'
import { tracePhase, tracePhaseSync } from '../phases.ts'
import type { RequestContext } from '../request-context.ts'
import { authorize, type Claim, type Decision, type EndpointKind, type Requirements } from './authorization-decision.ts'
import type { Callers, Known } from './callers.ts'
import { credentialOf } from './credential.ts'
import { isMutating, isSameOrigin, isSameOriginForm, isSameSite, type Site } from './csrf.ts'
import { addressOf, consumeAll, type Limits, type RouteLimits } from './rate-limiter.ts'

export interface Authorized {
  readonly caller: Caller | undefined
  readonly tenantId: string | undefined
  readonly granted: string
  /** Set for a cached caller: the condition that must hold before a response is sent. */
  readonly precondition?: Precondition | undefined
}

export interface AuthorizerOptions {
  readonly verifiedEmail?: boolean | undefined
  /** Milliseconds since the person proved who they are, at most. */
  readonly recentAuth?: number | undefined
  readonly refusesImpersonation?: boolean
  /** Whether the caller may come from the cache. */
  readonly mayBeCached?: boolean
  /** The limits of the request are counted already. */
  readonly isCounted?: boolean
}

/** Rejects with the refusal. */
export type Authorizer = (
  ctx: RequestContext,
  guard: Guard,
  limits: RouteLimits,
  endpoint: EndpointKind,
  options?: AuthorizerOptions,
) => Promise<Authorized>

export interface AuthorizerDeps {
  readonly callers: Callers
  readonly clock: Clock
  readonly limits: Limits
  readonly operator: Operator
  readonly product: Pick<Product, 'audience'>
  readonly site: Site
}

export function createAuthorizer({ callers, clock, limits, operator, product, site }: AuthorizerDeps): Authorizer {
  /** A product of people has one workspace, which is meant without a name. */
  const onlyTenant = product.audience === 'people' ? operator.tenantId : undefined

  /** Undefined if the request is anonymous, or has a credential that is invalid or that the route ignores. */
  async function authenticate(
    ctx: RequestContext,
    required: Requirements,
    mayBeCached: boolean,
  ): Promise<Decision | undefined> {
    const { guard, endpoint } = required
    const credential = credentialOf(ctx.req.headers)
    if (!credential) return undefined
    const isForeign = credential.kind === 'cookie' && !passesCsrf(site, ctx, endpoint)
    if (isForeign && guard.ignoresRefused) return undefined
    const tenant = tracePhaseSync('tenant', ctx, () => resolveTenant(ctx, credential.kind, endpoint, onlyTenant))
    const claim: Claim = { credential, isForeign, ...tenant }
    const find = mayBeCached ? callers.findCached : callers.find
    const found = await tracePhase('authenticate', ctx, () => find(credential, claim.choice))
    const decision = found ? authorize(required, claim, found) : undefined
    // A request is never refused because of a cached caller, who may have gained the permission since then.
    const known = decision?.refusal && found?.precondition ? await callers.find(credential, claim.choice) : found
    const isHint = typeof claim.choice !== 'string' && !claim.named
    const current =
      known && !known.isMember && isHint ? await callers.find(credential, defaultTenant(credential.kind)) : known
    return current ? authorize(required, claim, current) : undefined
  }

  function checkRateLimits(
    ctx: RequestContext,
    endpoint: EndpointKind,
    routeLimits: RouteLimits,
    caller: Known,
  ): Promise<void> {
    const counted = endpoint === 'api' ? limits.api : []
    return consume(ctx, [...counted, ...routeLimits.principal], caller.principal.id)
  }

  async function anonymous(
    ctx: RequestContext,
    guard: Guard,
    endpoint: EndpointKind,
    routeLimits: RouteLimits | undefined,
  ): Promise<Authorized> {
    const [open] = guard.open
    const granted = allow(ctx, open === undefined ? common.unauthenticated() : undefined, open)
    if (!routeLimits) return { caller: undefined, tenantId: undefined, granted }
    // Signed requests come from few servers.
    const isExempt = granted === 'signature' || routeLimits.address.length > 0
    const counted = endpoint === 'api' && !isExempt && hasBody(ctx.req) ? limits.anonymous : []
    await consume(ctx, [...counted, ...routeLimits.principal], addressOf(ctx))
    return { caller: undefined, tenantId: undefined, granted }
  }

  return async (ctx, guard, routeLimits, endpoint, options = {}) => {
    const {
      verifiedEmail = false,
      refusesImpersonation = false,
      recentAuth,
      mayBeCached = false,
      isCounted = false,
    } = options
    if (!isCounted) await consume(ctx, routeLimits.address, addressOf(ctx))
    const called = { now: clock.now(), mutates: isMutating(ctx.method) }
    const required = { guard, endpoint, verifiedEmail, recentAuth, refusesImpersonation, ...called }
    const decision = await authenticate(ctx, required, mayBeCached)
    if (!decision) {
      ctx.caller = undefined
      if (recentAuth !== undefined) allow(ctx, common.unauthenticated())
      return anonymous(ctx, guard, endpoint, isCounted ? undefined : routeLimits)
    }
    const { known, granted, refusal, precedesLimits } = decision
    if (precedesLimits) allow(ctx, refusal)
    ctx.caller = known.caller
    if (!isCounted) await checkRateLimits(ctx, endpoint, routeLimits, known)
    const { caller, precondition } = known
    return { caller, tenantId: caller.tenantId, granted: allow(ctx, refusal, granted), precondition }
  }
}

/** The phase that ends with the refusal, or with what grants the call. */
function allow(ctx: RequestContext, refusal: Problem | undefined, granted?: string): string {
  return tracePhaseSync('allow', ctx, () => {
    if (refusal) throw refusal
    return granted as string
  })
}

const consume: typeof consumeAll = (ctx, limits, key) =>
  limits.length === 0 ? Promise.resolve() : tracePhase('limits', ctx, () => consumeAll(ctx, limits, key))

function passesCsrf(site: Site, ctx: RequestContext, endpoint: EndpointKind): boolean {
  if (endpoint === 'socket') return isSameOrigin(site, ctx.req.headers)
  if (!isMutating(ctx.method)) return true
  return endpoint === 'page' ? isSameOriginForm(site, ctx.req.headers) : isSameSite(site, ctx.req.headers)
}

/** The tenant of a page if none is selected. That of a token doesn't follow the browser of its owner. */
const defaultTenant = (kind: Credential['kind']): 'last' | 'home' => (kind === 'cookie' ? 'last' : 'home')

/** `named`: the caller named the tenant, so one they do not belong to is an error. Defaults are skipped instead. */
function resolveTenant(
  ctx: RequestContext,
  kind: Credential['kind'],
  endpoint: EndpointKind,
  onlyTenant: string | undefined,
): { choice: TenantChoice; named: boolean } {
  const header = ctx.req.headers['x-tenant-id']
  if (typeof header === 'string' && header !== '') return { choice: { named: header.slice(0, 128) }, named: true }
  // The cookie selects one of the reader's tenants; membership is still checked.
  if (endpoint === 'page') {
    const linked = linkedTenant(ctx)
    if (linked !== undefined) return { choice: { named: linked }, named: true }
    const hint = readCookie(ctx.req.headers.cookie, TENANT_COOKIE)
    return { choice: hint === undefined ? defaultTenant(kind) : { named: hint }, named: false }
  }
  if (onlyTenant !== undefined) return { choice: { named: onlyTenant }, named: false }
  return { choice: kind === 'cookie' ? 'none' : 'home', named: false }
}
