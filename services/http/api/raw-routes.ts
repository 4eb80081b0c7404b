/** Raw routes: authorized like any other route, then handled with the request and response of Express. */

import { type AnyRawRoute, checkText, common, guardOf, withContext } from '@larder-dev/larder/kernel/internal'
import type { RequestHandler } from 'express'
import type { Authorizer } from '../access/authorizer.ts'
import { isMutating, isSameOriginForm, type Site } from '../access/csrf.ts'
import type { Limits } from '../access/rate-limiter.ts'
import { encodeText } from '../documents/encoded-response.ts'
import { contextOf } from '../express-adapter.ts'
import { changeContext, type RequestContext } from '../request-context.ts'
import { extendBodyTimeout } from '../timeouts.ts'
import { readBytes } from './body.ts'
import type { Params } from './request-reader.ts'

export interface RawHandlerDeps {
  readonly authorize: Authorizer
  readonly limits: Limits
  readonly site: Site
  readonly prepare: (ctx: RequestContext) => void
}

export function createRawHandler(deps: RawHandlerDeps): (route: AnyRawRoute) => RequestHandler {
  const { authorize, limits, site, prepare } = deps
  return route => {
    const guard = guardOf(route.allow, route.apiKeys)
    const routeLimits = limits.of(route.limits)
    return async (request, response) => {
      const ctx = contextOf(request)
      const params = request.params as Params
      const form = route.from === 'page'
      if (form && isMutating(ctx.method) && !isSameOriginForm(site, ctx.headers)) throw common.cross_site()
      const { caller, tenantId, granted } = await authorize(ctx, guard, routeLimits, form ? 'page' : 'api')
      if (route.timeoutMs !== undefined) extendBodyTimeout(ctx, route.timeoutMs)
      checkText(params, 'params')
      for (const consume of routeLimits.body) await consume(ctx, undefined, params)
      Object.assign(request, { caller, tenantId, requestContext: ctx })
      prepare(ctx)
      const readBody = (limit: number) => readBytes(ctx.req, limit)
      const encode = (text: string) => encodeText(ctx.req.headers['accept-encoding'], text)
      const input = { caller, tenantId, granted, request: ctx, readBody, encode }
      await withContext(changeContext(ctx, caller), () => route.handle(request, response, input as never))
    }
  }
}
