/** One request and its response. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type Actor,
  type Caller,
  type Context,
  clientAddress,
  newId,
  type RequestFacts,
  shareOf,
  withContext,
} from '@larder-dev/larder/kernel/internal'
import type { Endpoint } from './types.ts'

export interface LimitState {
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until the window ends. */
  readonly reset: number
}

/** What all channels of a request publish: the same object, to which a subscriber can attach what it knows of the request. */
export interface TracedRequest {
  readonly id: string
  readonly method: string
  /** The pattern of the endpoint, such as `/v1/forms/:id`; empty for a path without one. */
  readonly route: string
  readonly module: string | undefined
  /** With `traceparent`, and with credentials. */
  readonly headers: IncomingMessage['headers']
  /** The status of the response, once it is sent. */
  readonly status: number
}
/** A class with getters, so that values few handlers read are computed on demand. */
export class RequestContext implements RequestFacts {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly id: string
  readonly method: string
  readonly path: string
  /** The query string without the question mark. */
  readonly search: string
  /** performance.now() at arrival, milliseconds. */
  readonly started = performance.now()
  /** The matched endpoint. */
  endpoint: Endpoint | undefined = undefined
  /** Pattern of the matched route, for metrics; empty before the match. */
  pattern = ''
  caller: Caller | undefined = undefined
  limit: LimitState | undefined = undefined
  /** What tracing channels publish, once one of them has a subscriber. */
  traced: TracedRequest | undefined = undefined
  /** True once the request is logged. */
  logged = false
  readonly #hops: number
  #abort: AbortController | undefined

  constructor(req: IncomingMessage, res: ServerResponse, hops: number) {
    const url = req.url ?? '/'
    const parsed = url.indexOf('?')
    this.req = req
    this.res = res
    this.method = req.method ?? 'GET'
    this.path = parsed < 0 ? url : url.slice(0, parsed)
    this.search = parsed < 0 ? '' : url.slice(parsed + 1)
    this.id = requestId(req.headers['x-request-id'])
    this.#hops = hops
  }

  get headers(): IncomingMessage['headers'] {
    return this.req.headers
  }

  get ip(): string {
    return clientAddress(this.req.socket.remoteAddress, this.req.headers, this.#hops)
  }

  get signal(): AbortSignal {
    if (this.#abort) return this.#abort.signal
    const abort = new AbortController()
    this.#abort = abort
    const { res } = this
    if (res.destroyed) abort.abort()
    else res.once('close', () => res.writableFinished || abort.abort())
    return abort.signal
  }
}

/** The async context of what a caller changes. */
export const changeContext = ({ id }: RequestContext, caller: Caller | undefined): Context => ({
  correlationId: id,
  ...(caller && { actor: actorOf(caller) }),
  share: shareOf(caller),
})

const actorOf = ({ kind, principalId: id, userId, impersonatedBy }: Caller): Actor =>
  kind === 'login' ? { kind, id, userId, ...(impersonatedBy && { impersonatedBy }) } : { kind, id }

/** Runs `work` in the share of the caller. */
export function inShareOf<T>(caller: Caller | undefined, work: () => T): T {
  const share = shareOf(caller)
  return share === undefined ? work() : withContext({ share }, work)
}

const requestId = (given: string | string[] | undefined): string =>
  typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : newId('req')
