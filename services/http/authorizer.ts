/** Who is it, in which tenant, and may they: session, tenant header, membership, permission, in this order. */
import { type Caller, type Credential, common, type Guard, grantedTo, type Principal } from 'larder/kernel'
import type { Callers } from './callers.ts'
import { credentialOf, TENANT_COOKIE } from './credential.ts'
import { isMutating, isOurs, passesForm, passesSameSite, type Site } from './csrf.ts'
import { http } from './problems.ts'
import { cookie } from './query.ts'
import { addressOf, type Limits, type RouteLimits } from './rate-limiter.ts'
import type { Exchange } from './request-context.ts'

/** How it came in: what counts as coming from our own pages differs. */
export type Way = 'api' | 'page' | 'socket'

export interface Admitted {
  readonly caller: Caller | undefined
  readonly tenantId: string | undefined
  readonly granted: string
}

export type Gate = (x: Exchange, guard: Guard, limits: RouteLimits, way: Way) => Promise<Admitted>

export interface GateDeps {
  readonly callers: Callers
  readonly limits: Limits
  readonly site: Site
}

export function createGate({ callers, limits, site }: GateDeps): Gate {
  async function known(x: Exchange, credential: Credential, guard: Guard, way: Way): Promise<Principal | undefined> {
    // An open route simply does not look at a cookie that another site sent along.
    const foreign = credential.kind === 'cookie' && !fromHere(site, x, way)
    if (foreign && guard.open.length > 0) return undefined
    const principal = await callers.principal(credential)
    if (!principal) return undefined
    if (foreign) throw common.cross_site()
    if (principal.kind === 'apiKey' && !guard.apiKeys) {
      if (guard.open.length > 0) return undefined
      throw http.api_key_refused()
    }
    return principal
  }

  async function inTenant(x: Exchange, principal: Principal, kind: Credential['kind'], guard: Guard, way: Way) {
    const { candidates, insist } = tenantsNamed(x, principal, kind, way)
    for (const tenant of candidates) {
      const member = await callers.member(principal, kind, tenant)
      if (member) return member
    }
    if (guard.tenant && candidates.length === 0) throw common.tenant_required()
    if (guard.tenant || (insist && guard.open.length === 0)) throw common.not_a_member()
    return callers.bare(principal, kind)
  }

  return async (x, guard, routeLimits, way) => {
    for (const consume of routeLimits.address) await consume(x, addressOf(x))
    const credential = credentialOf(x.req.headers)
    const principal = credential && (await known(x, credential, guard, way))
    if (!credential || !principal) return stranger(x, guard, routeLimits)
    const caller = await inTenant(x, principal, credential.kind, guard, way)
    x.caller = caller
    if (way === 'api') await limits.api(x, principal.id)
    for (const consume of routeLimits.principal) await consume(x, principal.id)
    const granted = grantedTo(guard, caller)
    if (granted === undefined) throw forbidden(guard)
    return { caller, tenantId: caller.tenantId, granted }
  }
}

async function stranger(x: Exchange, guard: Guard, limits: RouteLimits): Promise<Admitted> {
  const granted = guard.open[0]
  if (granted === undefined) throw common.unauthenticated()
  for (const consume of limits.principal) await consume(x, addressOf(x))
  return { caller: undefined, tenantId: undefined, granted }
}

function fromHere(site: Site, x: Exchange, way: Way): boolean {
  if (way === 'socket') return isOurs(site, x.req.headers)
  if (!isMutating(x.method)) return true
  return way === 'page' ? passesForm(site, x.req.headers) : passesSameSite(site, x.req.headers)
}

/** `insist`: the caller said it, so that a tenant which is not theirs is an error and not a default to pass over. */
function tenantsNamed(
  x: Exchange,
  principal: Principal,
  kind: Credential['kind'],
  way: Way,
): { candidates: readonly string[]; insist: boolean } {
  const header = x.req.headers['x-tenant-id']
  if (typeof header === 'string' && header !== '') return { candidates: [header.slice(0, 128)], insist: true }
  const home = principal.homeTenantId === null ? [] : [principal.homeTenantId]
  // On a page the cookie says which of the reader's tenants to show; membership is looked up all the same.
  if (way === 'page') {
    const hint = cookie(x.req.headers.cookie, TENANT_COOKIE)
    return { candidates: hint === undefined ? home : [hint, ...home], insist: false }
  }
  return { candidates: kind === 'cookie' ? [] : home, insist: principal.kind === 'apiKey' }
}

function forbidden(guard: Guard) {
  const permission = guard.permissions[0] ?? ''
  return common.forbidden({ permission }, { requiredPermission: permission })
}
