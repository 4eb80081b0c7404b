/** WebSockets of the modules, authorized like routes. */

import type { Duplex } from 'node:stream'
import {
  type AnySocket,
  common,
  type Guard,
  guardOf,
  KIB,
  once,
  type Problem,
  REALTIME_CLOSE_CODE,
  shareOf,
  withContext,
  withHeaders,
} from '@larder-dev/larder/kernel/internal'
import type { WebSocketServer } from 'ws'
import type { Authorizer } from '../access/authorizer.ts'
import { credentialOf } from '../access/credential.ts'
import { addressOf, type RouteLimits } from '../access/rate-limiter.ts'
import { singleValues } from '../api/query.ts'
import { hostProblem } from '../headers.ts'
import { http, unknownAddress } from '../problems.ts'
import type { RequestContext } from '../request-context.ts'
import type { ResponseWriter } from '../response-writer.ts'
import type { HttpOptions } from '../types.ts'
import { type Connection, openConnection } from './connection.ts'
import { isRevoked } from './revocation.ts'
import { refuseUpgrade } from './upgrade.ts'
import { createWebSocketServer } from './web-socket-server.ts'

const MAX_FRAME_BYTES = 128 * KIB
/** Open anonymous sockets per IP address. */
const MAX_ANONYMOUS_PER_ADDRESS = 100

export interface Sockets {
  /** Open sockets of this process. */
  count(): number
  /** Upgrades the connection, or refuses it. */
  upgrade(ctx: RequestContext, socket: Duplex, head: Buffer): Promise<void>
  /** Notifies all sessions; resolves when all sockets are closed. */
  drain(): Promise<void>
  /** Terminates the remaining sockets. */
  close(): void
}

export interface SocketsDeps extends Pick<HttpOptions, 'settings' | 'modules' | 'bus' | 'log'> {
  readonly authorize: Authorizer
  readonly writer: ResponseWriter
  readonly draining: () => boolean
}

interface SocketEndpoint {
  readonly socket: AnySocket
  readonly guard: Guard
  /** Created with the first socket, so that the start doesn't load the library. */
  readonly server: () => WebSocketServer
}

/** Other processes accept sockets. */
const RETRY_AFTER_SECONDS = 1
const stopping = () =>
  withHeaders(common.unavailable({ seconds: RETRY_AFTER_SECONDS }), { 'retry-after': String(RETRY_AFTER_SECONDS) })

const NO_LIMITS: RouteLimits = { address: [], principal: [], body: [] }

export function createSockets(deps: SocketsDeps): Sockets {
  const { settings, modules, authorize, writer, bus, log, draining } = deps
  const sockets = modules.flatMap(module => module.sockets)
  const endpoints = new Map<string, SocketEndpoint>(sockets.map(socket => [`/v1${socket.path}`, endpointOf(socket)]))
  const open = new Set<Connection>()
  const anonymous = new Map<string, number>()
  const unsubscribe = bus.subscribe('sockets.close', message => {
    for (const connection of open)
      if (connection.closeOnRevocation && isRevoked(message, connection.caller))
        connection.close(REALTIME_CLOSE_CODE.revoked, 'revoked')
  })

  /** Counts an anonymous socket. The returned function removes it from the count, once. */
  function count(address: string): () => void {
    anonymous.set(address, (anonymous.get(address) ?? 0) + 1)
    let counted = true
    return () => {
      if (!counted) return
      counted = false
      const left = (anonymous.get(address) ?? 1) - 1
      if (left > 0) anonymous.set(address, left)
      else anonymous.delete(address)
    }
  }

  function register(connection: Connection, known: () => void): void {
    open.add(connection)
    void connection.closed.then(() => {
      open.delete(connection)
      known()
    })
  }

  function refuse(ctx: RequestContext, socket: Duplex, problem: Problem): void {
    refuseUpgrade(socket, problem, writer.document(ctx, problem), ctx.id)
    writer.finished(ctx, problem.status)
  }

  async function authorizeUpgrade(ctx: RequestContext) {
    const problem = hostProblem(ctx.req)
    if (problem) throw problem
    const endpoint = endpoints.get(ctx.path)
    if (!endpoint) throw unknownAddress()
    ctx.pattern = ctx.path
    const { caller } = await authorize(ctx, endpoint.guard, NO_LIMITS, 'socket')
    if (settings.rateLimits && !caller && (anonymous.get(addressOf(ctx)) ?? 0) >= MAX_ANONYMOUS_PER_ADDRESS)
      throw http.too_many_sockets()
    return { endpoint, caller, query: singleValues(ctx.search) }
  }

  return {
    count: () => open.size,
    async upgrade(ctx, socket, head) {
      socket.on('error', error => log.debug({ err: error, path: ctx.path }, 'upgrade failed'))
      // Expected, so not an error for the log.
      if (draining()) return refuse(ctx, socket, stopping())
      try {
        const { endpoint, caller, query } = await authorizeUpgrade(ctx)
        endpoint.server().handleUpgrade(ctx.req, socket, head, ws => {
          const onAuthenticated = caller ? () => {} : count(addressOf(ctx))
          const credential = caller && credentialOf(ctx.req.headers)
          const facts = { caller, credential, request: ctx, query, say: writer.speaker(ctx), log, onAuthenticated }
          // Frames name tenants that the caller of the upgrade request may not belong to.
          const connection = withContext({ refusesSuspended: true, share: shareOf(caller) }, () =>
            openConnection({ ws, socket: endpoint.socket, ...facts }),
          )
          register(connection, onAuthenticated)
          writer.finished(ctx, 101)
        })
      } catch (error) {
        refuse(ctx, socket, writer.problem(ctx, error))
      }
    },
    async drain() {
      await Promise.all([...open].map(connection => connection.drain().catch(() => connection.terminate())))
      await Promise.all([...open].map(connection => connection.closed))
    },
    close() {
      unsubscribe()
      for (const connection of open) connection.terminate()
    },
  }
}

const endpointOf = (socket: AnySocket): SocketEndpoint => ({
  socket,
  guard: guardOf(socket.allow),
  server: once(() => createWebSocketServer(socket.maxFrame ?? MAX_FRAME_BYTES, socket.codes)),
})
