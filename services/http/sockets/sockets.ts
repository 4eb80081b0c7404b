/** WebSockets of the modules on the one HTTP server: admitted like a route, then kept in a register. */

import { createRequire } from 'node:module'
import type { Duplex } from 'node:stream'
import {
  type AnySocket,
  type Caller,
  type CallersChanged,
  common,
  type Guard,
  guardOf,
  KIB,
  once,
  type UntypedBus,
} from 'larder/kernel'
import type { Logger } from 'pino'
import type { WebSocketServer } from 'ws'
import type { Gate } from '../authorizer.ts'
import { credentialOf } from '../credential.ts'
import { http } from '../problems.ts'
import { singleValues } from '../query.ts'
import { addressOf, type RouteLimits } from '../rate-limiter.ts'
import type { Exchange } from '../request-context.ts'
import type { Answers } from '../response-writer.ts'
import { type Connection, openConnection } from './connection.ts'
import { refuseUpgrade } from './upgrade.ts'

const require = createRequire(import.meta.url)

const MAX_FRAME = 128 * KIB
/** Sockets that nobody signed in for, open at one time from one address. */
const MAX_STRANGERS = 100
const REVOKED = 4403

export interface Sockets {
  /** Takes over the connection of `x`, or refuses it. */
  upgrade(x: Exchange, socket: Duplex, head: Buffer): Promise<void>
  /** Lets sessions say goodbye; resolves when all sockets are gone. */
  drain(): Promise<void>
  /** Cuts what is left. */
  close(): void
}

export interface SocketsDeps {
  readonly sockets: readonly AnySocket[]
  readonly gate: Gate
  readonly answers: Answers
  readonly bus: UntypedBus
  readonly log: Logger
  readonly draining: () => boolean
  /** Whether strangers are counted. */
  readonly limited?: boolean
}

interface Line {
  readonly socket: AnySocket
  readonly guard: Guard
  /** Made at the first socket: a start does not wait for the library. */
  readonly server: () => WebSocketServer
}

const NO_LIMITS: RouteLimits = { address: [], principal: [], body: [] }

export function createSockets(deps: SocketsDeps): Sockets {
  const { sockets, gate, answers, bus, log, draining, limited = true } = deps
  const lines = new Map<string, Line>(sockets.map(socket => [`/v1${socket.path}`, lineOf(socket)]))
  const open = new Set<Connection>()
  const strangers = new Map<string, number>()
  const unsubscribe = bus.subscribe('sockets.close', message => {
    for (const connection of open)
      if (isMeant((message ?? {}) as CallersChanged, connection.caller)) connection.close(REVOKED, 'revoked')
  })

  /** Counts a stranger; what it returns takes it off the count, once. */
  function count(address: string): () => void {
    strangers.set(address, (strangers.get(address) ?? 0) + 1)
    let counted = true
    return () => {
      if (!counted) return
      counted = false
      const left = (strangers.get(address) ?? 1) - 1
      if (left > 0) strangers.set(address, left)
      else strangers.delete(address)
    }
  }

  function register(connection: Connection, known: () => void): void {
    open.add(connection)
    void connection.closed.then(() => {
      open.delete(connection)
      known()
    })
  }

  async function admit(x: Exchange) {
    const line = lines.get(x.path)
    if (!line) throw http.no_such_address()
    if (draining()) throw common.unavailable({ seconds: 1 })
    x.pattern = x.path
    const { caller } = await gate(x, line.guard, NO_LIMITS, 'socket')
    if (limited && !caller && (strangers.get(addressOf(x)) ?? 0) >= MAX_STRANGERS) throw http.too_many_sockets()
    return { line, caller, query: singleValues(x.search) }
  }

  return {
    async upgrade(x, socket, head) {
      socket.on('error', error => log.debug({ err: error, path: x.path }, 'upgrade failed'))
      try {
        const { line, caller, query } = await admit(x)
        line.server().handleUpgrade(x.req, socket, head, ws => {
          const vouched = caller ? () => {} : count(addressOf(x))
          const credential = caller && credentialOf(x.req.headers)
          const facts = { caller, credential, request: x, query, log, vouched }
          register(openConnection({ ws, stream: socket, socket: line.socket, ...facts }), vouched)
          answers.finished(x, 101)
        })
      } catch (error) {
        const problem = answers.problem(x, error)
        refuseUpgrade(socket, problem, answers.document(x, problem), x.id)
        answers.finished(x, problem.status)
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

function lineOf(socket: AnySocket): Line {
  const maxPayload = socket.maxFrame ?? MAX_FRAME
  const server = once(() => {
    const ws = require('ws') as typeof import('ws')
    const WebSocket = closingWith(ws.WebSocket, socket.codes)
    return new ws.WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload,
      WebSocket,
    })
  })
  return { socket, guard: guardOf(socket.allow), server }
}

const TOO_LARGE = 1009
const NO_UTF8 = 1007

/** A larger frame than `maxPayload`, or one that is no UTF-8, closes the socket inside the library: with its own code here. */
function closingWith(base: typeof import('ws').WebSocket, codes: AnySocket['codes']): typeof base {
  if (!codes) return base
  const own = new Map([
    [TOO_LARGE, codes.tooLarge],
    [NO_UTF8, codes.binary],
  ])
  return class extends base {
    override close(code = 0, reason?: string | Buffer): void {
      super.close(own.get(code) ?? (code || undefined), reason)
    }
  }
}

/** A socket without a tenant may have chosen one in its frames: it is closed, and looked at anew when it comes back. */
function isMeant(message: CallersChanged, caller: Caller | undefined): boolean {
  if (!caller) return false
  const { userId, tenantId, principalId } = message
  if (userId === undefined && tenantId === undefined && principalId === undefined) return false
  return (
    (userId === undefined || userId === caller.userId) &&
    (tenantId === undefined || caller.tenantId === undefined || tenantId === caller.tenantId) &&
    (principalId === undefined || principalId === caller.principalId)
  )
}
