/** The server of `METRICS_PORT`, which processes without a public port have too. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { SECOND, type Secrets } from '@larder-dev/larder/kernel'
import { unknownAddress } from '../problems.ts'
import { RequestContext } from '../request-context.ts'
import type { ResponseWriter } from '../response-writer.ts'
import { createRouter } from '../router.ts'
import { enforceIdleTimeout, SERVER_TIMEOUTS } from '../timeouts.ts'
import type { MonitoringEndpoints } from './endpoints.ts'

/** How long a scrape in progress may take at the end of the process. */
const CLOSE_TIMEOUT_MS = 1 * SECOND

export interface MonitoringPort {
  /** The base URL; undefined before `listen`. */
  readonly url: string | undefined
  /** A second call does nothing: a process that serves and works calls it for both. */
  listen(port: number, host: string): Promise<void>
  close(): Promise<void>
}

export interface MonitoringPortDeps {
  readonly endpoints: MonitoringEndpoints
  readonly writer: ResponseWriter
  readonly secrets: Secrets
  readonly trustProxy: number
}

export function createMonitoringPort({ endpoints, writer, secrets, trustProxy }: MonitoringPortDeps): MonitoringPort {
  const router = createRouter(writer, async ctx => writer.fail(ctx, unknownAddress()), secrets)
  for (const [path, serve] of endpoints.onOwnPort)
    router.add({ kind: 'kernel', module: 'kernel', method: 'GET', path, allow: ['public'], apiKeys: true }, serve)
  const server = createServer(SERVER_TIMEOUTS)
  const watch = enforceIdleTimeout(server)
  server.on('request', (req, res) => {
    watch(req, res)
    router.dispatch(new RequestContext(req, res, trustProxy))
  })
  let url: string | undefined
  return {
    get url() {
      return url
    },
    async listen(port, host) {
      if (url !== undefined) return
      server.listen(port, host)
      await once(server, 'listening')
      url = baseUrl(host, (server.address() as AddressInfo).port)
    },
    async close() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      const over = new AbortController()
      const timeout = pause(CLOSE_TIMEOUT_MS, undefined, { signal: over.signal }).catch(() => undefined)
      await Promise.race([closed, timeout])
      over.abort()
      server.closeAllConnections()
      await closed
    },
  }
}

export const baseUrl = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`
