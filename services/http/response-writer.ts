/** Writes responses and logs each request. */

import { pipeline, Readable } from 'node:stream'
import {
  acceptedLocale,
  CONSOLE_LANGUAGES,
  createCountedWarnings,
  inEnglish,
  isWording,
  type LocalText,
  once,
  Problem,
  pickText,
  type Wording,
} from '@larder-dev/larder/kernel/internal'
import type { UndeclaredProblems } from './api/undeclared-problems.ts'
import { CHALLENGE, CORS_HEADERS, type RawHeaders } from './headers.ts'
import type { Metrics } from './monitoring/metrics.ts'
import { tracePhaseSync } from './phases.ts'
import { type ProblemDocument, problemDocument, type Say, toProblem } from './problems.ts'
import type { RequestContext } from './request-context.ts'
import type { HttpOptions } from './types.ts'

export type HeaderMap = Readonly<Record<string, string | readonly string[]>>

export interface ResponseWriter {
  /** `body` is already encoded; undefined for none. */
  send(ctx: RequestContext, status: number, type: string, body: string | Buffer | undefined, headers?: HeaderMap): void
  /** Streams the body with backpressure. An error in the stream cuts the connection. */
  stream(
    ctx: RequestContext,
    status: number,
    type: string,
    body: AsyncIterable<string | Buffer>,
    headers?: HeaderMap,
  ): void
  json(ctx: RequestContext, status: number, body: unknown, headers?: HeaderMap): void
  /** Maps an error to a problem. Logs unexpected ones in full. */
  problem(ctx: RequestContext, error: unknown): Problem
  /** The problem in this language, by default in that of `Accept-Language`. */
  document(ctx: RequestContext, problem: Problem, locale?: string): ProblemDocument
  fail(ctx: RequestContext, error: unknown): void
  /** Words errors in the language of `Accept-Language`. */
  speaker(ctx: RequestContext): Say
  /** Logs and measures a response that something else wrote. */
  finished(ctx: RequestContext, status: number): void
}

export interface ResponseWriterDeps extends Pick<HttpOptions, 'log' | 'product' | 'theme' | 'access'> {
  readonly metrics: Metrics
  readonly base: RawHeaders
  readonly draining: () => boolean
  readonly undeclared: UndeclaredProblems
}

/** Other origins may show the response in a frame. `X-Frame-Options`, which can't name them, would contradict. */
const allowsFrames = (headers: HeaderMap): boolean =>
  /frame-ancestors (?!'(?:none|self)'(?:;|$))/.test(String(headers['content-security-policy'] ?? ''))

export function createResponseWriter(deps: ResponseWriterDeps): ResponseWriter {
  const { log, metrics, product, theme, access, base, draining, undeclared } = deps
  const { publicUrl, locales } = product
  const languages = [...locales.available, ...CONSOLE_LANGUAGES]
  const rejected = createCountedWarnings({ log, first: 'requests are rejected', more: 'requests were rejected' })
  const names = new Set(base.filter((_, at) => at % 2 === 0))
  /** Headers of the handler replace those of every response. */
  const baseFor = (headers: HeaderMap | undefined): RawHeaders => {
    if (headers === undefined || !Object.keys(headers).some(name => names.has(name))) return base
    const isFramed = allowsFrames(headers)
    return base.filter((_, at) => {
      const name = base[at - (at % 2)] as string
      return headers[name] === undefined && !(isFramed && name === 'x-frame-options')
    })
  }
  function finished(ctx: RequestContext, status: number): void {
    if (ctx.logged) return
    ctx.logged = true
    const ms = performance.now() - ctx.started
    metrics.observe(ctx.method, ctx.pattern, status, ms / 1000)
    log.info(logFields(ctx, status, ms), 'request')
  }

  function send(
    ctx: RequestContext,
    status: number,
    type: string,
    body: string | Buffer | undefined,
    headers?: HeaderMap,
  ): void {
    const { res } = ctx
    if (res.headersSent) return
    const length = body === undefined ? 0 : Buffer.byteLength(body)
    // Node writes Latin-1 faster. ASCII is the same in both.
    const encoding = body?.length === length ? 'latin1' : 'utf8'
    const head = buildHeaders(ctx, baseFor(headers), headers)
    if (status === 401 && headers?.['www-authenticate'] === undefined) head.push(...CHALLENGE)
    if (body !== undefined) head.push('content-type', type)
    if (status !== 204 && status !== 304) head.push('content-length', String(length))
    if (draining()) head.push('connection', 'close')
    tracePhaseSync('send', ctx, () => {
      res.writeHead(status, head)
      res.end(ctx.method === 'HEAD' ? undefined : body, encoding)
    })
    finished(ctx, status)
  }

  function stream(
    ctx: RequestContext,
    status: number,
    type: string,
    body: AsyncIterable<string | Buffer>,
    headers?: HeaderMap,
  ): void {
    const { res } = ctx
    const head = buildHeaders(ctx, baseFor(headers), headers)
    head.push('content-type', type)
    if (draining()) head.push('connection', 'close')
    res.writeHead(status, head)
    pipeline(Readable.from(ctx.method === 'HEAD' ? [] : body), res, error => {
      // Disconnecting clients are not errors.
      if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
        log.error({ err: error, requestId: ctx.id, method: ctx.method, path: ctx.path }, 'response stream failed')
      finished(ctx, status)
    })
  }

  function problem(ctx: RequestContext, error: unknown): Problem {
    const { problem, unexpected } = toProblem(error)
    if (!unexpected) undeclared.check(ctx.endpoint, problem)
    if (!unexpected && problem.status === 503)
      rejected(problem.code, { err: error, requestId: ctx.id, method: ctx.method, path: ctx.path })
    else if (unexpected || problem.status >= 500) {
      const level = unexpected && problem.status < 500 ? 'warn' : 'error'
      log[level]({ err: error, requestId: ctx.id, method: ctx.method, path: ctx.path }, problem.code)
    }
    return problem
  }
  /** Undefined for English. */
  const acceptedLanguage = (ctx: RequestContext): string | undefined => {
    const locale = acceptedLocale(ctx.req.headers['accept-language'], languages)
    return locale === undefined || /^en\b/.test(locale) ? undefined : locale
  }
  // Modules are created after the service, so their permissions are read on first use.
  const titles = once(() => new Map(access.permissions().map(({ key, title }) => [key, title])))
  /** People read the title of a permission; programs read its key, `requiredPermission`. */
  const wordingOf = ({ wording, extras }: Problem, say: (title: LocalText) => string): Wording => {
    const title = typeof extras.requiredPermission === 'string' ? titles().get(extras.requiredPermission) : undefined
    return title === undefined ? wording : { ...wording, values: { ...wording.values, permission: say(title) } }
  }
  const speakerOf = (locale: string | undefined): Say => {
    const say = (each: LocalText | Wording): string => {
      if (locale !== undefined) return theme.text(locale, each)
      return isWording(each) ? inEnglish(each) : pickText(each, 'en', 'en')
    }
    return each => say(Problem.is(each) ? wordingOf(each, say) : each)
  }
  const document = (ctx: RequestContext, problem: Problem, locale = acceptedLanguage(ctx)) =>
    problemDocument(problem, { publicUrl, path: ctx.path, requestId: ctx.id }, speakerOf(locale))

  return {
    send,
    stream,
    finished,
    problem,
    document,
    speaker: ctx => speakerOf(acceptedLanguage(ctx)),
    json: (ctx, status, body, headers) => send(ctx, status, JSON_TYPE, JSON.stringify(body), headers),
    fail(ctx, error) {
      const seen = problem(ctx, error)
      const locale = acceptedLanguage(ctx)
      const body = JSON.stringify(document(ctx, seen, locale))
      const headers = locale === undefined ? seen.headers : { 'content-language': locale, ...seen.headers }
      send(ctx, seen.status, 'application/problem+json; charset=utf-8', body, headers)
    },
  }
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Builds the header list. Responses are private to their caller unless the handler sets `cache-control`. */
export function buildHeaders(ctx: RequestContext, base: RawHeaders, headers: HeaderMap | undefined): string[] {
  const head = [...base, 'x-request-id', ctx.id]
  if (ctx.req.headers.origin !== undefined) head.push(...CORS_HEADERS)
  if (ctx.limit !== undefined) {
    const { limit, remaining, reset } = ctx.limit
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
    // The type of a response is not among these.
    if (name === 'content-type') continue
    const value = headers[name] as string | readonly string[]
    if (typeof value === 'string') head.push(name, value)
    else for (const one of value) head.push(name, one)
  }
  return head
}

/** Contains no secrets: the query is left out. */
function logFields(ctx: RequestContext, status: number, ms: number): Record<string, unknown> {
  const { caller } = ctx
  return {
    method: ctx.method,
    path: ctx.path,
    status,
    ms: Math.round(ms * 10) / 10,
    requestId: ctx.id,
    principal: caller?.principalId,
    tenant: caller?.tenantId,
    trace: ctx.req.headers.traceparent,
    aborted: ctx.req.destroyed && !ctx.req.complete ? true : undefined,
  }
}
