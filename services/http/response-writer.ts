/** Writes answers, and one line of log for each. */

import { pipeline, Readable } from 'node:stream'
import type { Problem } from 'larder/kernel'
import type { Logger } from 'pino'
import { CORS, type RawHeaders } from './headers.ts'
import type { Metrics } from './metrics.ts'
import { type ProblemDocument, problemDocument, toProblem } from './problems.ts'
import type { Exchange } from './request-context.ts'

export type HeaderMap = Readonly<Record<string, string | readonly string[]>>

export interface Answers {
  /** Body as it goes over the wire; undefined for none. */
  send(x: Exchange, status: number, type: string, body: string | Buffer | undefined, headers?: HeaderMap): void
  /** Writes the body as it comes, no faster than the client reads; what fails on the way cuts the connection. */
  stream(x: Exchange, status: number, type: string, body: AsyncIterable<string | Buffer>, headers?: HeaderMap): void
  json(x: Exchange, status: number, body: unknown, headers?: HeaderMap): void
  /** The problem of whatever was thrown; logs it whole when it was not meant for the caller. */
  problem(x: Exchange, error: unknown): Problem
  document(x: Exchange, problem: Problem): ProblemDocument
  fail(x: Exchange, error: unknown): void
  /** For answers that something else writes: the line of log and the measure. */
  finished(x: Exchange, status: number): void
}

export interface AnswersDeps {
  readonly log: Logger
  readonly metrics: Metrics
  readonly publicUrl: string
  readonly base: RawHeaders
  readonly draining: () => boolean
}

export function createAnswers({ log, metrics, publicUrl, base, draining }: AnswersDeps): Answers {
  const names = new Set(base.filter((_, at) => at % 2 === 0))
  /** What the handler says of a header counts instead of what is said of every answer. */
  const baseFor = (headers: HeaderMap | undefined): RawHeaders => {
    if (headers === undefined || !Object.keys(headers).some(name => names.has(name))) return base
    return base.filter((_, at) => headers[base[at - (at % 2)] as string] === undefined)
  }
  function finished(x: Exchange, status: number): void {
    if (x.logged) return
    x.logged = true
    const ms = performance.now() - x.started
    metrics.observe(x.method, x.pattern, status, ms / 1000)
    log.info(lineOf(x, status, ms), 'request')
  }

  function send(
    x: Exchange,
    status: number,
    type: string,
    body: string | Buffer | undefined,
    headers?: HeaderMap,
  ): void {
    const { res } = x
    if (res.headersSent) return
    const length = body === undefined ? 0 : Buffer.byteLength(body)
    const head = headOf(x, baseFor(headers), headers)
    if (body !== undefined) head.push('content-type', type)
    if (status !== 204 && status !== 304) head.push('content-length', String(length))
    if (draining()) head.push('connection', 'close')
    res.writeHead(status, head)
    res.end(x.method === 'HEAD' ? undefined : body)
    finished(x, status)
  }

  function stream(
    x: Exchange,
    status: number,
    type: string,
    body: AsyncIterable<string | Buffer>,
    headers?: HeaderMap,
  ): void {
    const { res } = x
    const head = headOf(x, baseFor(headers), headers)
    head.push('content-type', type)
    if (draining()) head.push('connection', 'close')
    res.writeHead(status, head)
    pipeline(Readable.from(x.method === 'HEAD' ? [] : body), res, error => {
      // A client that went away is no fault of ours.
      if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
        log.error({ err: error, requestId: x.id, method: x.method, path: x.path }, 'an answer was cut off')
      finished(x, status)
    })
  }

  function problem(x: Exchange, error: unknown): Problem {
    const { problem, unexpected } = toProblem(error)
    if (unexpected || problem.status >= 500) {
      const level = unexpected && problem.status < 500 ? 'warn' : 'error'
      log[level]({ err: error, requestId: x.id, method: x.method, path: x.path }, problem.code)
    }
    return problem
  }
  const document = (x: Exchange, problem: Problem) =>
    problemDocument(problem, { publicUrl, path: x.path, requestId: x.id })

  return {
    send,
    stream,
    finished,
    problem,
    document,
    json: (x, status, body, headers) => send(x, status, JSON_TYPE, JSON.stringify(body), headers),
    fail(x, error) {
      const seen = problem(x, error)
      const body = JSON.stringify(document(x, seen))
      send(x, seen.status, 'application/problem+json; charset=utf-8', body, seen.headers)
    },
  }
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** A fresh list of headers. Answers are private to their caller unless the handler says otherwise. */
export function headOf(x: Exchange, base: RawHeaders, headers: HeaderMap | undefined): string[] {
  const head = [...base, 'x-request-id', x.id]
  if (x.req.headers.origin !== undefined) head.push(...CORS)
  if (x.limit !== undefined) {
    const { limit, remaining, reset } = x.limit
    head.push(
      'ratelimit-limit',
      String(limit),
      'ratelimit-remaining',
      String(remaining),
      'ratelimit-reset',
      String(reset),
    )
  }
  if (headers === undefined || headers['cache-control'] === undefined)
    head.push('cache-control', headers?.etag === undefined ? 'no-store' : 'private, no-cache')
  for (const name in headers) {
    const value = headers[name] as string | readonly string[]
    if (typeof value === 'string') head.push(name, value)
    else for (const one of value) head.push(name, one)
  }
  return head
}

/** Who and what, never a secret: the path stands without its query. */
function lineOf(x: Exchange, status: number, ms: number): Record<string, unknown> {
  const { caller } = x
  return {
    method: x.method,
    path: x.path,
    status,
    ms: Math.round(ms * 10) / 10,
    requestId: x.id,
    principal: caller?.principalId,
    tenant: caller?.tenantId,
    trace: x.req.headers.traceparent,
    aborted: x.req.destroyed && !x.req.complete ? true : undefined,
  }
}
