/** Express, for what handles bytes itself: raw routes, pages, files. It never routes: the router has done that. */

import { createRequire } from 'node:module'
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express'
import { once } from 'larder/kernel'
import { CORS_HEADERS, type RawHeaders } from './headers.ts'
import type { RequestContext } from './request-context.ts'
import type { ResponseWriter } from './response-writer.ts'

const require = createRequire(import.meta.url)

/** Runs `handler` on Express; the answer is written by it, the log line by us. Its errors go to `failed`. */
export type ExpressAdapter = (
  ctx: RequestContext,
  params: Readonly<Record<string, string>>,
  handler: RequestHandler,
  failed: (error: unknown) => void,
) => void

export interface ExpressAdapterDeps {
  readonly writer: ResponseWriter
  readonly base: RawHeaders
  readonly draining: () => boolean
}

interface Visit {
  readonly handler: RequestHandler
  readonly params: Readonly<Record<string, string>>
}

export function createExpressAdapter({ writer, base, draining }: ExpressAdapterDeps): ExpressAdapter {
  const visits = new WeakMap<object, Visit>()
  // Express takes 60 ms to load, which a start does not wait for.
  const app = once(() => createApp(visits))
  return (ctx, params, handler, failed) => {
    const { req, res } = ctx
    visits.set(req, { handler, params })
    setAll(ctx, base)
    if (req.headers.origin !== undefined) setAll(ctx, CORS_HEADERS)
    res.setHeader('x-request-id', ctx.id)
    if (draining()) res.setHeader('connection', 'close')
    res.once('close', () => writer.finished(ctx, res.statusCode))
    const over = (error?: unknown) => (res.headersSent ? res.destroy() : failed(error))
    ;(app() as unknown as (req: unknown, res: unknown, next: (error?: unknown) => void) => void)(req, res, over)
  }
}

function setAll({ res }: RequestContext, headers: RawHeaders): void {
  for (let at = 0; at < headers.length; at += 2) res.setHeader(headers[at] as string, headers[at + 1] as string)
}

function createApp(visits: WeakMap<object, Visit>): Express {
  const express = require('express') as () => Express
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use((request: Request, response: Response, next: NextFunction) => {
    const { handler, params } = visits.get(request) as Visit
    request.params = { ...params }
    return handler(request, response, next)
  })
  return app
}
