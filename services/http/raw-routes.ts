/** Raw routes: admitted like any other, then handed the request as Express knows it. */
import { type AnyRawRoute, checkText, common, guardOf, withContext } from 'larder/kernel'
import type { Authorizer } from './authorizer.ts'
import { readBytes } from './body.ts'
import { isSameOriginForm, type Site } from './csrf.ts'
import type { ExpressAdapter } from './express-adapter.ts'
import type { Serve } from './pipeline.ts'
import type { Limits } from './rate-limiter.ts'
import type { RequestContext } from './request-context.ts'
import { extendBodyTimeout } from './timeouts.ts'

export interface RawHandlerDeps {
  readonly authorize: Authorizer
  readonly limits: Limits
  readonly express: ExpressAdapter
  readonly site: Site
  readonly fail: (ctx: RequestContext, error: unknown) => void
}

export function createRawHandler({
  authorize,
  limits,
  express,
  site,
  fail,
}: RawHandlerDeps): (route: AnyRawRoute) => Serve {
  return route => {
    const guard = guardOf(route.allow, route.apiKeys)
    const routeLimits = limits.of(route.limits)
    return async (ctx, params) => {
      try {
        const form = route.from === 'page'
        if (form && !isSameOriginForm(site, ctx.req.headers)) throw common.cross_site()
        const { caller, tenantId, granted } = await authorize(ctx, guard, routeLimits, form ? 'page' : 'api')
        if (route.timeoutMs !== undefined) extendBodyTimeout(ctx, route.timeoutMs)
        checkText(params, 'params')
        for (const consume of routeLimits.body) await consume(ctx, undefined, params)
        const actor = caller && { actor: { kind: caller.kind, id: caller.principalId } }
        const readBody = (limit: number) => readBytes(ctx.req, limit)
        const input = { caller, tenantId, granted, request: ctx, readBody }
        const run = (request: Parameters<AnyRawRoute['handle']>[0], response: Parameters<AnyRawRoute['handle']>[1]) =>
          withContext({ correlationId: ctx.id, ...actor }, () => route.handle(request, response, input as never))
        express(
          ctx,
          params,
          (request, response, next) => void run(request, response).catch(next),
          error => fail(ctx, error),
        )
      } catch (error) {
        fail(ctx, error)
      }
    }
  }
}
