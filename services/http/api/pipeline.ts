/** The steps of an API request, assembled once per route. */

import { createRequire } from 'node:module'
import {
  type AnyRoute,
  type CursorMark,
  common,
  createCursorMark,
  type Database,
  guardOf,
  idempotencyKey,
  isNotModified,
  isReply,
  milliseconds,
  once,
  Problem,
  type Validator,
  wholeSchema,
  withContext,
} from '@larder-dev/larder/kernel/internal'
import type { TSchema } from 'typebox'
import type { Authorized, Authorizer } from '../access/authorizer.ts'
import { isMutating } from '../access/csrf.ts'
import type { Limits } from '../access/rate-limiter.ts'
import { sendCompressed } from '../documents/encoded-response.ts'
import { tracePhase, tracePhaseSync } from '../phases.ts'
import { changeContext, inShareOf, type RequestContext } from '../request-context.ts'
import { type HeaderMap, JSON_TYPE, type ResponseWriter } from '../response-writer.ts'
import type { EncodedResponse, Idempotency } from './idempotency.ts'
import { createReader, type Params, type ParsedRequest } from './request-reader.ts'
import type { UndeclaredFields } from './undeclared-fields.ts'

const require = createRequire(import.meta.url)

type Serialize = (value: unknown) => string
type Build = (schema: object) => Serialize

/** Compiled on first use. Throws a TypeError for a value that matches no branch of a union. */
function serializerOf(schema: TSchema): Serialize {
  const compiled = once(() => {
    const build = require('fast-json-stringify') as Build
    return build(wholeSchema({ close: false, dialect: 'draft-07' }, schema))
  })
  return value => compiled()(value)
}

/** Settles once the request is answered, or returns nothing and handles its errors itself. */
export type Serve = (ctx: RequestContext, params: Params) => Promise<void> | undefined

export interface PipelineDeps {
  readonly authorize: Authorizer
  readonly limits: Limits
  readonly writer: ResponseWriter
  readonly validator: Validator
  readonly database: Database
  readonly idempotency: Idempotency
  /** Outside production. */
  readonly undeclaredFields: UndeclaredFields | undefined
}

interface Refused {
  readonly refusal: EncodedResponse
}

export function createPipeline(deps: PipelineDeps): (route: AnyRoute) => Serve {
  return route => {
    const guard = guardOf(route.allow, route.apiKeys, route.foreignTenant)
    const limits = deps.limits.of(route.limits)
    const read = createReader(route, deps.validator)
    const refuse = createRefuser(route)
    const run = createRunner(route, deps)
    const { verifiedEmail } = route
    const recentAuth = route.recentAuth === undefined ? undefined : milliseconds(route.recentAuth)
    const requires = { verifiedEmail, recentAuth, refusesImpersonation: route.impersonation === false }
    const mutates = isMutating(route.method.toUpperCase())
    async function parse(ctx: RequestContext, params: Params): Promise<ParsedRequest | Refused> {
      try {
        return await read(ctx, params)
      } catch (error) {
        return refuse(error, params)
      }
    }
    async function answer(ctx: RequestContext, params: Params): Promise<EncodedResponse> {
      const authorized = await deps.authorize(ctx, guard, limits, 'api', { ...requires, mayBeCached: !mutates })
      const parsed = await parse(ctx, params)
      if ('refusal' in parsed) return parsed.refusal
      for (const consume of limits.body) await tracePhase('limits', ctx, () => consume(ctx, parsed.body, params))
      const respond = (given: Authorized) => run(ctx, params, given, parsed)
      if (!authorized.precondition) return respond(authorized)
      // If the rights of a cached caller have changed, no response is sent, and the request reads them again.
      const verified = await deps.database.verified(authorized.precondition, () => respond(authorized))
      if (verified.holds) return verified.value
      return respond(await deps.authorize(ctx, guard, limits, 'api', { ...requires, isCounted: true }))
    }
    return async (ctx, params) => {
      try {
        const answered = await answer(ctx, params)
        const { status, type, body: text, headers } = answered
        if (route.compressed && status === 200 && typeof text === 'string')
          await sendCompressed(deps.writer, ctx, { status, type, text, headers })
        else sendEncoded(deps.writer, ctx, answered)
      } catch (error) {
        deps.writer.fail(ctx, error)
      }
    }
  }
}

/** Rethrows the error unless the route's `refuse` returns a reply for it. */
function createRefuser(route: AnyRoute): (error: unknown, params: Params) => Refused {
  const encode = createEncoder(route)
  return (error, params) => {
    const reply = Problem.is(error) ? route.refuse?.(error, params) : undefined
    if (reply === undefined) throw error
    return { refusal: encode(reply) }
  }
}

type Run = (
  ctx: RequestContext,
  params: Params,
  authorized: Authorized,
  parsed: ParsedRequest,
) => Promise<EncodedResponse>

function createRunner(route: AnyRoute, deps: PipelineDeps): Run {
  const encode = createEncoder(route, deps.undeclaredFields)
  const handle = route.handle as (input: unknown) => Promise<unknown>
  const mark = markOf(route)
  const call: Run = (ctx, params, { caller, tenantId, granted }, { query, body }) => {
    const given = { params, query: mark ? mark.take(query) : query, body, caller, tenantId, granted, request: ctx }
    return tracePhase('handle', ctx, () => Promise.resolve(handle(given))).then(value =>
      tracePhaseSync('serialize', ctx, () => encode(value, mark && (page => mark.put(page, query)))),
    )
  }
  if (!isMutating(route.method.toUpperCase()))
    return (ctx, params, authorized, parsed) =>
      inShareOf(authorized.caller, () => call(ctx, params, authorized, parsed))

  const replayable = route.method === 'post' && route.idempotent !== false
  const isRequired = route.idempotent === 'required'
  const { unit = 'request' } = route
  return (ctx, params, authorized, parsed) => {
    const { caller, tenantId } = authorized
    const key = replayable ? idempotencyKey(ctx.req.headers) : undefined
    if (isRequired && key === undefined) throw common.idempotency_key_required()
    // Encoded inside the unit: a reply that doesn't match its schema rolls the unit back.
    const work = () => call(ctx, params, authorized, parsed)
    return withContext(changeContext(ctx, caller), () => {
      if (key !== undefined)
        return tracePhase('unit', ctx, () =>
          deps.idempotency.run({ ...attemptOf(ctx, key, authorized, parsed), isAcross: unit === 'across' }, work),
        )
      if (unit !== 'request' || tenantId === undefined) return work()
      return tracePhase('unit', ctx, () => deps.database.tenant(tenantId).transaction(work))
    })
  }
}

const attemptOf = (ctx: RequestContext, key: string, { caller, tenantId }: Authorized, { body }: ParsedRequest) => ({
  key,
  tenantId,
  caller: caller?.principalId ?? '',
  method: ctx.method,
  path: ctx.path,
  query: ctx.search,
  body,
})

const NO_HEADERS: HeaderMap = Object.freeze({})

/** Binds cursors of lists to this route and its filters. */
function markOf({ method, path, query }: AnyRoute): CursorMark | undefined {
  const { properties = {} } = (query ?? {}) as { properties?: object }
  return 'cursor' in properties ? createCursorMark(`${method} ${path}`) : undefined
}

/** Encodes what the handler returned. Throws an Error for a status that `replies` doesn't have. */
function createEncoder(
  route: AnyRoute,
  undeclared?: UndeclaredFields,
): (value: unknown, mark?: (page: unknown) => unknown) => EncodedResponse {
  const replies = new Map<number, Serialize | null>()
  for (const [status, schema] of Object.entries(route.replies))
    replies.set(Number(status), schema === null ? null : serializerOf(schema))
  const [defaultStatus = 200] = replies.keys()
  const mutates = isMutating(route.method.toUpperCase())
  return (value, mark) => {
    const reply = isReply(value) ? value : { status: defaultStatus, body: value, headers: NO_HEADERS }
    const serialize = replies.get(reply.status)
    if (serialize === undefined)
      throw new Error(`${route.method} ${route.path} returned ${reply.status}, which its replies don't list`)
    const { status, headers } = reply
    const type = headers['content-type']
    if (typeof type === 'string' && typeof reply.body === 'string') return { status, type, body: reply.body, headers }
    if (typeof type === 'string' && isStream(reply.body) && !mutates)
      return { status, type, body: undefined, stream: reply.body, headers }
    const body = serialize === null ? undefined : serialize(mark ? mark(reply.body) : reply.body)
    if (body !== undefined) undeclared?.check(route, status, reply.body, body)
    return { status, type: JSON_TYPE, body, headers }
  }
}

const isStream = (body: unknown): body is AsyncIterable<string | Buffer> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body

function sendEncoded(
  writer: ResponseWriter,
  ctx: RequestContext,
  { status, type, body, stream, headers }: EncodedResponse,
): void {
  const { etag } = headers
  if (stream) writer.stream(ctx, status, type, stream, headers)
  else if (
    status === 200 &&
    typeof etag === 'string' &&
    !isMutating(ctx.method) &&
    isNotModified(ctx.req.headers, etag)
  )
    writer.send(ctx, 304, type, undefined, headers)
  else writer.send(ctx, status, type, body, headers)
}
