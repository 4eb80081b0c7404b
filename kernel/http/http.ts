/** The HTTP side of one kernel: one server, two doors, sockets beside them. */
import { createServer, type IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { openApiDocument } from '../openapi/document.ts'
import { createSockets } from '../sockets/sockets.ts'
import { HOUR, KIB, SECOND } from '../units.ts'
import { createAnswers } from './answers.ts'
import { createCallers } from './callers.ts'
import { createStopper } from './drain.ts'
import { Exchange } from './exchange.ts'
import { createGate } from './gate.ts'
import { securityHeaders } from './headers.ts'
import { createIdempotency, type Idempotency } from './idempotency.ts'
import { createLimits } from './limits.ts'
import { createMetrics } from './metrics.ts'
import { mountAll } from './mount.ts'
import { createPages } from './pages.ts'
import { http as problems } from './problems.ts'
import { createRouter } from './router.ts'
import { createSecondDoor } from './second-door.ts'
import type { Http, HttpOptions } from './types.ts'
import { once } from './validate.ts'

export type { CheckResult, Entrance, Http, HttpOptions, MountedModule, PageTheme } from './types.ts'

/** Node waits a minute for headers and five for a body, and looks every 30 s: too long for a server that is open. */
const PATIENCE = {
  headersTimeout: 10 * SECOND,
  requestTimeout: 30 * SECOND,
  connectionsCheckingInterval: 1 * SECOND,
  keepAliveTimeout: 10 * SECOND,
  maxHeaderSize: 16 * KIB,
}
/** A socket on which nothing moves: a slow reader, a client that is gone. */
const IDLE = 12 * SECOND

/** Mounts everything. Throws an Error that names both where two modules declare one method and path. */
export function createHttp(options: HttpOptions): Http {
  const { settings, log, product, database, bus, access, modules } = options
  const server = createServer(PATIENCE)
  const stopper = createStopper(server)
  const { draining } = stopper
  const metrics = createMetrics()
  const base = securityHeaders(product.publicUrl)
  const answers = createAnswers({ log, metrics, publicUrl: product.publicUrl, base, draining })
  const callers = createCallers(options)
  const limits = createLimits({ on: settings.rateLimits, database, overrides: options.rateLimits ?? {} })
  const site = { origin: new URL(product.publicUrl).origin, trustHost: !settings.production }
  const gate = createGate({ callers, limits, site })
  const idempotency = createIdempotency(database, options.secrets)
  const door = createSecondDoor({ answers, base, draining })
  const hasSignIn = () => router.has('GET', '/sign-in')
  const pages = createPages({ gate, answers, limits, theme: options.theme, product, site, hasSignIn })
  const router = createRouter(answers, async x => pages.fail(x, problems.no_such_address()))
  const inventory = () => router.inventory()
  const openapi = once(() => openApiDocument({ product, version: options.version, access, entrances: inventory() }))
  mountAll({ options, router, gate, limits, answers, pages, door, idempotency, metrics, draining, openapi })
  const sockets = createSockets({ sockets: modules.flatMap(m => m.sockets), gate, answers, bus, log, draining })

  const handle = (req: IncomingMessage, res: ServerResponse) => {
    router.dispatch(new Exchange(req, res, settings.trustProxy))
  }
  const upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    const res = new ServerResponse(req)
    socket.once('close', () => res.emit('close'))
    void sockets.upgrade(new Exchange(req, res, settings.trustProxy), socket, head)
  }
  server.on('request', handle)
  server.on('upgrade', upgrade)
  server.setTimeout(IDLE)
  const sweeper = sweepHourly(idempotency, error => log.warn({ err: error }, 'kept answers were not swept'))

  return {
    server,
    registry: metrics.registry,
    handle,
    upgrade,
    inventory,
    openapi,
    listen: (port, host) => stopper.listen(port, host),
    drain: () => stopper.drain(() => sockets.drain()),
    async close() {
      clearInterval(sweeper)
      sockets.close()
      callers.close()
      metrics.registry.clear()
      await stopper.close()
    },
  }
}

function sweepHourly(idempotency: Idempotency, failed: (error: unknown) => void): NodeJS.Timeout {
  return setInterval(() => void idempotency.sweep().catch(failed), HOUR).unref()
}
