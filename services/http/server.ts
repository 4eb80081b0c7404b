/** The HTTP server: JSON routes, Express and WebSockets on one port. */

import { createServer, type IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { HOUR, once } from '@larder-dev/larder/kernel'
import { createValidator } from '@larder-dev/larder/kernel/internal'
import { createAuthorizer } from './access/authorizer.ts'
import { createCallers } from './access/callers.ts'
import { createLimits } from './access/rate-limiter.ts'
import { createIdempotency, type Idempotency } from './api/idempotency.ts'
import { createUndeclaredFields } from './api/undeclared-fields.ts'
import { createUndeclaredProblems } from './api/undeclared-problems.ts'
import { asyncApiDocument } from './documents/openapi/asyncapi.ts'
import { openApiDocument } from './documents/openapi/document.ts'
import { createServerLifecycle, type ServerLifecycle } from './drain.ts'
import { createExpressAdapter, createResponsePreparer } from './express-adapter.ts'
import { securityHeaders } from './headers.ts'
import { monitoringEndpoints } from './monitoring/endpoints.ts'
import { createMetrics } from './monitoring/metrics.ts'
import { baseUrl, createMonitoringPort } from './monitoring/own-port.ts'
import { mountAll } from './mount.ts'
import { createLayoutData } from './pages/layout-data.ts'
import { createPages } from './pages/pages.ts'
import { createSites } from './pages/sites.ts'
import { RequestContext } from './request-context.ts'
import { createResponseWriter } from './response-writer.ts'
import { createRouter } from './router.ts'
import { createSockets } from './sockets/sockets.ts'
import { asksForWebSocket, ignoreUpgrade } from './sockets/upgrade.ts'
import { enforceIdleTimeout, SERVER_TIMEOUTS } from './timeouts.ts'
import type { Http, HttpOptions, MetricSource } from './types.ts'

export type { CheckResult, Endpoint, Http, HttpOptions, MountedModule } from './types.ts'

/** Mounts all endpoints. Throws an Error that names both modules if two declare the same method and path. */
export function createHttp(options: HttpOptions): Http {
  const { settings, log } = options
  const server = createServer(SERVER_TIMEOUTS)
  const lifecycle = createServerLifecycle(server, settings.shutdownDelayMs)
  const assembled = assemble(options, lifecycle)
  const { metrics, router, sockets, idempotency, openapi, asyncapi, monitoringPort } = assembled
  let url = ''
  const watch = enforceIdleTimeout(server)
  const lastResponses = new WeakMap<Duplex, ServerResponse>()
  const handle = (req: IncomingMessage, res: ServerResponse) => {
    lastResponses.set(req.socket, res)
    watch(req, res)
    router.dispatch(new RequestContext(req, res, settings.trustProxy))
  }
  const upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!asksForWebSocket(req)) {
      const ignore = () => ignoreUpgrade(server, req, socket, head)
      const last = lastResponses.get(socket)
      // A pipelined request is answered after those before it.
      if (!last || last.closed) ignore()
      else {
        // Node has taken its listeners off the socket, and the response before still needs them.
        const onError = () => undefined
        const onDrain = () => void last.emit('drain')
        const onTimeout = () => void server.emit('timeout', socket)
        socket.on('error', onError).on('drain', onDrain).on('timeout', onTimeout)
        last.once('close', () => {
          socket.off('drain', onDrain).off('timeout', onTimeout)
          if (!socket.destroyed) socket.off('error', onError)
          ignore()
        })
      }
      return
    }
    const res = new ServerResponse(req)
    socket.once('close', () => res.emit('close'))
    void sockets.upgrade(new RequestContext(req, res, settings.trustProxy), socket, head)
  }
  server.on('request', handle)
  server.on('upgrade', upgrade)
  const sweeper = sweepHourly(idempotency, error => log.warn({ err: error }, 'sweeping idempotent responses failed'))

  return {
    server,
    get url() {
      return url
    },
    get registry() {
      return metrics.registry()
    },
    responseTimes: metrics.responseTimes,
    handle,
    upgrade,
    endpoints: router.endpoints,
    openapi,
    asyncapi,
    undeclaredProblems: assembled.undeclaredProblems,
    undeclaredFields: assembled.undeclaredFields,
    async listen(port, host) {
      const bound = await lifecycle.listen(port, host)
      url = baseUrl(host, bound.port)
      return bound
    },
    get monitoringUrl() {
      return monitoringPort.url
    },
    listenForMonitoring: monitoringPort.listen,
    drain: () => lifecycle.drain(sockets.drain),
    async close() {
      clearInterval(sweeper)
      sockets.close()
      await monitoringPort.close()
      metrics.close()
      await lifecycle.close()
    },
  }
}

/** Creates and mounts everything behind the server. Each step adds what the next one uses. */
function assemble(options: HttpOptions, { stopping, draining }: ServerLifecycle) {
  const { settings, log, product, access, modules, version, openapiParts, authenticator } = options
  const openSockets: MetricSource = {
    name: 'larder_sockets',
    help: 'Open WebSockets of this process',
    type: 'gauge',
    perProcess: true,
    read: async () => [{ labels: {}, value: sockets.count() }],
  }
  /** Undefined if the recipe has no such page. */
  const pageOf = (path: string | undefined): string | undefined =>
    path !== undefined && router.has('GET', path) ? path : undefined
  const undeclared = createUndeclaredProblems(log)
  const basics = {
    ...options,
    stopping,
    draining,
    undeclared,
    undeclaredFields: settings.production ? undefined : createUndeclaredFields(log),
    metrics: createMetrics([openSockets, ...(options.metrics ?? [])], log),
    base: securityHeaders(product.publicUrl),
    site: { origin: new URL(product.publicUrl).origin, trustHost: !settings.production },
    validator: createValidator(),
    layoutData: createLayoutData(modules),
    idempotency: createIdempotency(options),
    limits: createLimits(options),
    callers: createCallers(options),
    signInPath: () => pageOf(authenticator?.signInPath),
    reauthenticationPath: () => pageOf(authenticator?.reauthenticationPath),
  }
  const answering = { ...basics, writer: createResponseWriter(basics) }
  const guarded = { ...answering, authorize: createAuthorizer(basics), prepare: createResponsePreparer(answering) }
  const rendering = { ...guarded, pages: createPages(guarded) }
  const router = createRouter(rendering.writer, createSites(rendering), options.secrets)
  const openapi = once(() =>
    openApiDocument({
      product,
      version,
      access,
      endpoints: router.endpoints(),
      parts: openapiParts ?? [],
      problems: modules.map(({ problems }) => problems),
    }),
  )
  const asyncapi = once(() => asyncApiDocument({ product, version, endpoints: router.endpoints() }))
  const monitoring = monitoringEndpoints(rendering)
  mountAll({ ...rendering, router, express: createExpressAdapter(rendering.pages), openapi, asyncapi, monitoring })
  const sockets = createSockets(guarded)
  const { metrics, idempotency, undeclaredFields } = basics
  return {
    metrics,
    router,
    sockets,
    idempotency,
    openapi,
    asyncapi,
    monitoringPort: createMonitoringPort({ ...rendering, endpoints: monitoring, trustProxy: settings.trustProxy }),
    undeclaredProblems: undeclared.list,
    undeclaredFields: () => undeclaredFields?.list() ?? [],
  }
}

function sweepHourly(idempotency: Idempotency, failed: (error: unknown) => void): NodeJS.Timeout {
  return setInterval(() => void idempotency.sweep().catch(failed), HOUR).unref()
}
