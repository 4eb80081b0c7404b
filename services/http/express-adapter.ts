/**
 * The Express application behind raw routes, pages, assets and mounted applications. Express needs about 70 µs to find
 * a route and to wrap the response, so find-my-way matches first and JSON routes never get here.
 */

import { createRequire } from 'node:module'
import { once } from '@larder-dev/larder/kernel'
import type { Express, Router as ExpressRouter, Request, RequestHandler } from 'express'
import type { Serve } from './api/pipeline.ts'
import type { Params } from './api/request-reader.ts'
import { CORS_HEADERS, type RawHeaders } from './headers.ts'
import { unknownAddress } from './problems.ts'
import type { RequestContext } from './request-context.ts'
import type { ResponseWriter } from './response-writer.ts'
import type { Endpoint } from './types.ts'

const require = createRequire(import.meta.url)

export interface ExpressAdapter {
  /** Adds a route to the Express router of its module. Returns the entry point for requests of this route. */
  route(endpoint: Pick<Endpoint, 'module' | 'method' | 'path'>, handler: RequestHandler): Serve
  /** Mounts handlers below a path, for all methods. Returns the entry point for requests below it. */
  mount(path: string, handlers: readonly RequestHandler[]): Serve
}

export interface ExpressAdapterDeps {
  /** Answers errors, and requests that no handler answered. */
  readonly fail: (ctx: RequestContext, error: unknown) => void
}

interface Call {
  readonly ctx: RequestContext
  readonly params: Params
  /** The matched route; undefined for a mounted application. */
  readonly route: Route | undefined
}
interface Route {
  readonly module: string
  readonly method: Lowercase<string>
  readonly path: string
  readonly handler: RequestHandler
}
interface Mount {
  readonly path: string
  readonly handlers: readonly RequestHandler[]
}

const calls = new WeakMap<object, Call>()

/** The context of a request that Express handles. */
export const contextOf = (request: Request): RequestContext => (calls.get(request) as Call).ctx

export function createExpressAdapter({ fail }: ExpressAdapterDeps): ExpressAdapter {
  const routes: Route[] = []
  const mounts: Mount[] = []
  // Loading Express takes 60 ms: the first request that needs it waits, not the start.
  const app = once(() => createApp(routes, mounts))
  const dispatcher =
    (route: Route | undefined): Serve =>
    async (ctx, params) => {
      const { req, res } = ctx
      calls.set(req, { ctx, params, route })
      app()(req as Request, res as never, (error?: unknown) => {
        if (res.headersSent) res.destroy()
        else fail(ctx, error ?? unknownAddress())
      })
    }
  return {
    route({ module, method, path }, handler) {
      const route = { module, method: method.toLowerCase() as Lowercase<string>, path: expressPath(path), handler }
      routes.push(route)
      return dispatcher(route)
    },
    mount(path, handlers) {
      mounts.push({ path, handlers })
      return dispatcher(undefined)
    },
  }
}

/** Each module has one router. Its routes handle only requests that find-my-way matched with them. */
function createApp(routes: readonly Route[], mounts: readonly Mount[]): Express {
  const express = require('express') as typeof import('express')
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  for (const { path, handlers } of mounts) app.use(path, ...handlers)
  const routers = new Map<string, ExpressRouter>()
  for (const route of routes) {
    const { module, method, path, handler } = route
    const router = routers.get(module) ?? express.Router()
    routers.set(module, router)
    router[method as 'get'](path, (request, response, next) => {
      const call = calls.get(request)
      if (call?.route !== route) return next()
      // As the outer router decoded them: Express names the wildcard and splits its value.
      request.params = { ...call.params }
      return handler(request, response, next)
    })
  }
  app.use((request, response, next) => {
    const router = routers.get(calls.get(request)?.route?.module ?? '')
    if (router) router(request, response, next)
    else next()
  })
  return app
}

/** From find-my-way's `/assets/*` to Express's `/assets/{*path}`. Throws an Error on syntax that the two don't share. */
function expressPath(path: string): string {
  if (/[()[\]{}?+!]|\*(?!$)/.test(path))
    throw new Error(`${path}: a path consists of plain segments, :parameters and a final *`)
  return path.replace(/\*$/, '{*path}')
}

export interface ExpressResponseDeps {
  readonly writer: ResponseWriter
  readonly base: RawHeaders
  readonly draining: () => boolean
}

/** Prepares a response that a handler of Express writes: the headers of every response, and its line in the log. */
export function createResponsePreparer({ writer, base, draining }: ExpressResponseDeps): (ctx: RequestContext) => void {
  return ctx => {
    const { req, res } = ctx
    setHeaders(ctx, base)
    if (req.headers.origin !== undefined) setHeaders(ctx, CORS_HEADERS)
    res.setHeader('x-request-id', ctx.id)
    if (draining()) res.setHeader('connection', 'close')
    res.once('close', () => writer.finished(ctx, res.statusCode))
  }
}

export function setHeaders({ res }: RequestContext, headers: RawHeaders): void {
  for (let at = 0; at < headers.length; at += 2) res.setHeader(headers[at] as string, headers[at + 1] as string)
}
