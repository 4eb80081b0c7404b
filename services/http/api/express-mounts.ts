/** Express routers and applications that modules mount below `/x/<module>`. */

import { common, formatSize, guardOf, Problem, withContext } from '@larder-dev/larder/kernel/internal'
import type { ErrorRequestHandler, Request, RequestHandler } from 'express'
import type { Authorizer } from '../access/authorizer.ts'
import { addressOf, consumeAll, type Limits } from '../access/rate-limiter.ts'
import { contextOf, setHeaders } from '../express-adapter.ts'
import type { RawHeaders } from '../headers.ts'
import { unknownAddress } from '../problems.ts'
import { changeContext, type RequestContext } from '../request-context.ts'
import { buildHeaders, type ResponseWriter } from '../response-writer.ts'
import type { MountedHandler } from '../types.ts'
import { discard, MAX_BODY_BYTES } from './body.ts'

export interface ExpressMountDeps {
  readonly authorize: Authorizer
  readonly limits: Limits
  readonly writer: ResponseWriter
  readonly base: RawHeaders
  readonly draining: () => boolean
}

export const mountPath = (module: string): string => `/x/${module}`

/** The handlers of one mount: identification and limits, the application, then 404 and errors as problem documents. */
export function createMountHandlers(deps: ExpressMountDeps): (app: MountedHandler) => readonly RequestHandler[] {
  const { authorize, limits, writer, base, draining } = deps
  const guard = guardOf('public')
  const noLimits = limits.of(undefined)

  const identify: RequestHandler = async (request, response, next) => {
    const ctx = contextOf(request)
    const { caller, tenantId } = await authorize(ctx, guard, noLimits, 'api')
    if (!caller) await consumeAll(ctx, limits.api, addressOf(ctx))
    limitBody(ctx, problem => writer.fail(ctx, problem))
    Object.assign(request, { caller, tenantId, requestContext: ctx })
    setHeaders(ctx, buildHeaders(ctx, base, undefined))
    if (draining()) response.setHeader('connection', 'close')
    response.once('close', () => writer.finished(ctx, response.statusCode))
    withContext(changeContext(ctx, caller), async () => next()).catch(next)
  }
  const notFound: RequestHandler = (_request, _response, next) => next(unknownAddress())
  const onError: ErrorRequestHandler = (error, request, response, _next) => {
    if (!response.headersSent) writer.fail(contextOf(request as Request), problemOf(error))
    else if (!response.writableEnded) response.destroy()
  }
  return app => [identify, app, notFound, onError as unknown as RequestHandler]
}

/** Bodies have the limit of routes. A larger one is refused when it is announced, or cut off when it exceeds the limit. */
function limitBody({ req, res }: RequestContext, refuse: (problem: Problem) => void): void {
  const limit = MAX_BODY_BYTES
  if (Number(req.headers['content-length'] ?? 0) > limit) {
    discard(req)
    throw common.body_too_large({ limit: formatSize(limit) })
  }
  // Node holds a body to its Content-Length; only a chunked one needs counting.
  if (req.headers['transfer-encoding'] === undefined) return
  let size = 0
  const count = (chunk: Buffer) => {
    size += chunk.length
    if (size <= limit) return
    req.off('data', count)
    res.once('finish', () => req.destroy())
    if (res.headersSent) req.destroy()
    else refuse(common.body_too_large({ limit: formatSize(limit) }))
  }
  // A listener of `data` starts the stream, so it must not come before the first of the application.
  const onListener = (event: string | symbol) => {
    if (event !== 'data' && event !== 'readable') return
    req.off('newListener', onListener)
    req.on('data', count)
  }
  req.on('newListener', onListener)
}

const CODES: Readonly<Record<number, string>> = {
  401: common.unauthenticated.code,
  403: common.forbidden.code,
  404: common.not_found.code,
  405: common.method_not_allowed.code,
  409: common.conflict.code,
  413: common.body_too_large.code,
  415: common.unsupported_media_type.code,
  422: common.validation_failed.code,
  429: common.rate_limited.code,
}

/** Middleware sets `status` on its errors, and `expose` where the client may read the message (http-errors). */
function problemOf(error: unknown): unknown {
  if (Problem.is(error) || !(error instanceof Error)) return error
  const { status, expose, message } = error as Error & { readonly status?: unknown; readonly expose?: unknown }
  if (typeof status !== 'number' || status < 400 || status > 499 || expose !== true) return error
  return new Problem(CODES[status] ?? common.malformed.code, status, message)
}
