/** Authenticates a request, resolves its tenant and checks `allow`, in this order. */
import { type Caller, type Credential, common, type Guard, type Precondition, type TenantChoice } from 'larder/kernel'
import { type Channel, type Claim, type Decision, judge, type Requirements } from './authorization-decision.ts'
import { hasBody } from './body.ts'
import type { Callers, Known } from './callers.ts'
import { credentialOf, TENANT_COOKIE } from './credential.ts'
import { isMutating, isSameOrigin, isSameOriginForm, isSameSite, type Site } from './csrf.ts'
import { cookie } from './query.ts'
import { addressOf, consumeAll, type Limits, type RouteLimits } from './rate-limiter.ts'
import type { RequestContext } from './request-context.ts'
import { linkedTenant } from './workspace-link.ts'

export interface Authorized {
  readonly caller: Caller | undefined
  readonly tenantId: string | undefined
  readonly granted: string
  /** Set if the caller comes from the cache. */
  readonly cached?: CachedAuthorization
}
export interface CachedAuthorization {
  /** Must hold before anything is answered. */
  readonly precondition: Precondition
  /** Authorizes the request from the current state, after the precondition has failed. Counts no limit again. */
  renew(): Promise<Authorized>
}

export interface AuthorizerOptions {
  /** Whether the caller may come from the cache. */
  readonly cached?: boolean
  readonly verifiedEmail?: boolean | undefined
}

/** Returns at once for a cached caller without limits. Throws the refusal, or rejects with it. */
export type Authorizer = (
  ctx: RequestContext,
  guard: Guard,
  limits: RouteLimits,
  channel: Channel,
  options?: AuthorizerOptions,
) => Authorized | Promise<Authorized>

export interface AuthorizerDeps {
  readonly callers: Callers
  readonly limits: Limits
  readonly site: Site
}

export function createAuthorizer({ callers, limits, site }: AuthorizerDeps): Authorizer {
  /** Undefined if the request is anonymous. */
  async function decide(ctx: RequestContext, required: Requirements): Promise<Decision | undefined> {
    const claim = claimOf(ctx, required)
    if (!claim) return undefined
    const { credential, choice, named } = claim
    const known = await callers.find(credential, choice)
    const isHint = typeof choice !== 'string' && !named
    const current = known && !known.isMember && isHint ? await callers.find(credential, 'home') : known
    return current ? judge(required, claim, current) : undefined
  }

  /** A refusal is never based on a cached caller: it may have the right by now. */
  function decideFromCache(
    ctx: RequestContext,
    required: Requirements,
  ): Decision | undefined | Promise<Decision | undefined> {
    const claim = claimOf(ctx, required)
    if (!claim) return undefined
    const found = callers.findCached(claim.credential, claim.choice)
    return found instanceof Promise
      ? found.then(known => judgeCached(ctx, required, claim, known))
      : judgeCached(ctx, required, claim, found)
  }
  function judgeCached(
    ctx: RequestContext,
    required: Requirements,
    claim: Claim,
    known: Known | null,
  ): Decision | undefined | Promise<Decision | undefined> {
    const decision = known ? judge(required, claim, known) : undefined
    return decision?.refusal && decision.known.precondition ? decide(ctx, required) : decision
  }

  /** Undefined without a credential, and for one that the route ignores. */
  function claimOf(ctx: RequestContext, { guard, channel }: Requirements): Claim | undefined {
    const credential = credentialOf(ctx.req.headers)
    if (!credential) return undefined
    const isForeign = credential.kind === 'cookie' && !passesCsrf(site, ctx, channel)
    if (isForeign && guard.ignoresRefused) return undefined
    return { credential, isForeign, ...tenantOf(ctx, credential.kind, channel) }
  }

  async function anonymous(
    ctx: RequestContext,
    guard: Guard,
    routeLimits: RouteLimits,
    channel: Channel,
  ): Promise<Authorized> {
    const granted = guard.open[0]
    if (granted === undefined) throw common.unauthenticated()
    // Signed requests come from few servers.
    const exempt = granted === 'signature' || routeLimits.address.length > 0
    const counted = channel === 'api' && !exempt && hasBody(ctx.req) ? limits.anonymous : []
    await consumeAll(ctx, [...counted, ...routeLimits.principal], addressOf(ctx))
    return { caller: undefined, tenantId: undefined, granted }
  }

  function authorized(ctx: RequestContext, required: Requirements, decision: Decision): Authorized {
    const { known, granted, refusal } = decision
    const { caller, precondition } = known
    ctx.caller = caller
    if (refusal) throw refusal
    const { tenantId } = caller
    if (!precondition) return { caller, tenantId, granted: granted as string }
    const cached = { precondition, renew: () => renew(ctx, required) }
    return { caller, tenantId, granted: granted as string, cached }
  }

  async function renew(ctx: RequestContext, required: Requirements): Promise<Authorized> {
    ctx.caller = undefined
    const decision = await decide(ctx, required)
    if (decision) return authorized(ctx, required, decision)
    const granted = required.guard.open[0]
    if (granted === undefined) throw common.unauthenticated()
    return { caller: undefined, tenantId: undefined, granted }
  }

  /** Counts the limits of the caller, then authorizes the request. */
  function admit(
    ctx: RequestContext,
    required: Requirements,
    routeLimits: RouteLimits,
    decision: Decision | undefined,
  ): Authorized | Promise<Authorized> {
    const { guard, channel } = required
    if (!decision) return anonymous(ctx, guard, routeLimits, channel)
    if (decision.refusal && decision.precedesLimits) throw decision.refusal
    ctx.caller = decision.known.caller
    if (routeLimits.principal.length === 0 && (channel !== 'api' || limits.api.length === 0))
      return authorized(ctx, required, decision)
    const counted = [...(channel === 'api' ? limits.api : []), ...routeLimits.principal]
    return consumeAll(ctx, counted, decision.known.principal.id).then(() => authorized(ctx, required, decision))
  }

  function admitCaller(
    ctx: RequestContext,
    required: Requirements,
    routeLimits: RouteLimits,
    cached: boolean,
  ): Authorized | Promise<Authorized> {
    const decision = cached ? decideFromCache(ctx, required) : decide(ctx, required)
    return decision instanceof Promise
      ? decision.then(decided => admit(ctx, required, routeLimits, decided))
      : admit(ctx, required, routeLimits, decision)
  }

  return (ctx, guard, routeLimits, channel, { cached = false, verifiedEmail = false } = {}) => {
    const required = { guard, channel, verifiedEmail, mutates: isMutating(ctx.method) }
    if (routeLimits.address.length === 0) return admitCaller(ctx, required, routeLimits, cached)
    return consumeAll(ctx, routeLimits.address, addressOf(ctx)).then(() =>
      admitCaller(ctx, required, routeLimits, cached),
    )
  }
}

function passesCsrf(site: Site, ctx: RequestContext, channel: Channel): boolean {
  if (channel === 'socket') return isSameOrigin(site, ctx.req.headers)
  if (!isMutating(ctx.method)) return true
  return channel === 'page' ? isSameOriginForm(site, ctx.req.headers) : isSameSite(site, ctx.req.headers)
}

/** `named`: the caller named the tenant, so one they do not belong to is an error. Defaults are skipped instead. */
function tenantOf(
  ctx: RequestContext,
  kind: Credential['kind'],
  channel: Channel,
): { choice: TenantChoice; named: boolean } {
  const header = ctx.req.headers['x-tenant-id']
  if (typeof header === 'string' && header !== '') return { choice: { named: header.slice(0, 128) }, named: true }
  // The cookie selects one of the reader's tenants; membership is still checked.
  if (channel === 'page') {
    const linked = linkedTenant(ctx)
    if (linked !== undefined) return { choice: { named: linked }, named: true }
    const hint = cookie(ctx.req.headers.cookie, TENANT_COOKIE)
    return { choice: hint === undefined ? 'home' : { named: hint }, named: false }
  }
  return { choice: kind === 'cookie' ? 'none' : 'home', named: false }
}
