/** Authenticates a request, resolves its tenant and checks `allow`, in this order. */
import { type Caller, type Credential, common, type Guard, grantedTo, type Principal } from 'larder/kernel'
import { hasBody } from './body.ts'
import type { Callers } from './callers.ts'
import { credentialOf, TENANT_COOKIE } from './credential.ts'
import { isMutating, isSameOrigin, isSameOriginForm, isSameSite, type Site } from './csrf.ts'
import { http } from './problems.ts'
import { cookie } from './query.ts'
import { addressOf, type Limits, type RouteLimits } from './rate-limiter.ts'
import type { RequestContext } from './request-context.ts'
import { linkedTenant } from './workspace-link.ts'

/** The kind of endpoint. Each has its own cross-site rules. */
export type Channel = 'api' | 'page' | 'socket'

export interface Authorized {
  readonly caller: Caller | undefined
  readonly tenantId: string | undefined
  readonly granted: string
}

export type Authorizer = (
  ctx: RequestContext,
  guard: Guard,
  limits: RouteLimits,
  channel: Channel,
) => Promise<Authorized>

export interface AuthorizerDeps {
  readonly callers: Callers
  readonly limits: Limits
  readonly site: Site
}

export function createAuthorizer({ callers, limits, site }: AuthorizerDeps): Authorizer {
  async function identify(
    ctx: RequestContext,
    credential: Credential,
    guard: Guard,
    channel: Channel,
  ): Promise<Principal | undefined> {
    const foreign = credential.kind === 'cookie' && !passesCsrf(site, ctx, channel)
    if (foreign && guard.ignoresRefused) return undefined
    const principal = await callers.principal(credential)
    if (!principal) return undefined
    if (foreign) throw common.cross_site()
    if (principal.kind === 'apiKey' && !guard.apiKeys) {
      if (guard.ignoresRefused) return undefined
      throw http.api_key_refused()
    }
    return principal
  }

  async function callerInTenant(
    ctx: RequestContext,
    principal: Principal,
    kind: Credential['kind'],
    guard: Guard,
    channel: Channel,
  ) {
    const { candidates, explicit } = tenantCandidates(ctx, principal, kind, channel)
    for (const tenant of candidates) {
      const member = await callers.member(principal, kind, tenant)
      if (member) return member
    }
    if (guard.tenant && candidates.length === 0) throw common.tenant_required()
    const refused = explicit && guard.open.length === 0 && !guard.foreignTenant
    if (guard.tenant || refused) throw common.not_a_member()
    return callers.withoutTenant(principal, kind)
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
    if (channel === 'api' && !exempt && hasBody(ctx.req)) await limits.anonymous(ctx, addressOf(ctx))
    for (const consume of routeLimits.principal) await consume(ctx, addressOf(ctx))
    return { caller: undefined, tenantId: undefined, granted }
  }

  return async (ctx, guard, routeLimits, channel) => {
    for (const consume of routeLimits.address) await consume(ctx, addressOf(ctx))
    const credential = credentialOf(ctx.req.headers)
    const principal = credential && (await identify(ctx, credential, guard, channel))
    if (!credential || !principal) return anonymous(ctx, guard, routeLimits, channel)
    const caller = await callerInTenant(ctx, principal, credential.kind, guard, channel)
    ctx.caller = caller
    if (channel === 'api') await limits.api(ctx, principal.id)
    for (const consume of routeLimits.principal) await consume(ctx, principal.id)
    const granted = grantedTo(guard, caller)
    if (granted === undefined) throw forbidden(guard)
    return { caller, tenantId: caller.tenantId, granted }
  }
}

function passesCsrf(site: Site, ctx: RequestContext, channel: Channel): boolean {
  if (channel === 'socket') return isSameOrigin(site, ctx.req.headers)
  if (!isMutating(ctx.method)) return true
  return channel === 'page' ? isSameOriginForm(site, ctx.req.headers) : isSameSite(site, ctx.req.headers)
}

/** `explicit`: the caller named the tenant, so one they do not belong to is an error. Defaults are skipped instead. */
function tenantCandidates(
  ctx: RequestContext,
  principal: Principal,
  kind: Credential['kind'],
  channel: Channel,
): { candidates: readonly string[]; explicit: boolean } {
  const header = ctx.req.headers['x-tenant-id']
  if (typeof header === 'string' && header !== '') return { candidates: [header.slice(0, 128)], explicit: true }
  const home = principal.homeTenantId === null ? [] : [principal.homeTenantId]
  // The cookie selects one of the reader's tenants; membership is still checked.
  if (channel === 'page') {
    const linked = linkedTenant(ctx)
    if (linked !== undefined) return { candidates: [linked], explicit: true }
    const hint = cookie(ctx.req.headers.cookie, TENANT_COOKIE)
    return { candidates: hint === undefined ? home : [hint, ...home], explicit: false }
  }
  return { candidates: kind === 'cookie' ? [] : home, explicit: principal.kind === 'apiKey' }
}

function forbidden(guard: Guard) {
  const permission = guard.permissions[0] ?? ''
  return common.forbidden({ permission }, { requiredPermission: permission })
}
