/** Raw routes: admitted like any other, then handed the request as Express knows it. */
import { type AnyRawRoute, checkText, common, guardOf, withContext } from 'larder/kernel'
import type { Gate } from './authorizer.ts'
import { readBytes } from './body.ts'
import { passesForm, type Site } from './csrf.ts'
import type { SecondDoor } from './express-adapter.ts'
import type { Serve } from './pipeline.ts'
import type { Limits } from './rate-limiter.ts'
import type { Exchange } from './request-context.ts'
import { bePatient } from './timeouts.ts'

export interface RawDeps {
  readonly gate: Gate
  readonly limits: Limits
  readonly door: SecondDoor
  readonly site: Site
  readonly fail: (x: Exchange, error: unknown) => void
}

export function createRaw({ gate, limits, door, site, fail }: RawDeps): (route: AnyRawRoute) => Serve {
  return route => {
    const guard = guardOf(route.allow, route.apiKeys)
    const routeLimits = limits.of(route.limits)
    return async (x, params) => {
      try {
        const form = route.from === 'page'
        if (form && !passesForm(site, x.req.headers)) throw common.cross_site()
        const { caller, tenantId, granted } = await gate(x, guard, routeLimits, form ? 'page' : 'api')
        if (route.patience !== undefined) bePatient(x, route.patience)
        checkText(params, 'params')
        for (const consume of routeLimits.body) await consume(x, undefined, params)
        const actor = caller && { actor: { kind: caller.kind, id: caller.principalId } }
        const readBody = (limit: number) => readBytes(x.req, limit)
        const input = { caller, tenantId, granted, request: x, readBody }
        const run = (request: Parameters<AnyRawRoute['handle']>[0], response: Parameters<AnyRawRoute['handle']>[1]) =>
          withContext({ correlationId: x.id, ...actor }, () => route.handle(request, response, input as never))
        door(
          x,
          params,
          (request, response, next) => void run(request, response).catch(next),
          error => fail(x, error),
        )
      } catch (error) {
        fail(x, error)
      }
    }
  }
}
