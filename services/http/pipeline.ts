/** The steps of an API request, assembled once per route. */
import {
  type AnyRoute,
  type CursorMark,
  checkText,
  createCursorMark,
  type Database,
  guardOf,
  isNotModified,
  isReply,
  Problem,
  parseJson,
  type Validator,
  withContext,
} from 'larder/kernel'
import type { Authorized, Authorizer } from './authorizer.ts'
import { formFields, isForm, MAX_BODY_BYTES, MAX_PUBLIC_BODY_BYTES, readBytes, readJsonBody } from './body.ts'
import { isMutating } from './csrf.ts'
import { type EncodedResponse, type Idempotency, idempotencyKey } from './idempotency.ts'
import { parseQuery } from './query.ts'
import type { Limits } from './rate-limiter.ts'
import type { RequestContext } from './request-context.ts'
import { type HeaderMap, JSON_TYPE, type ResponseWriter } from './response-writer.ts'
import { type Serialize, serializerOf } from './serialize.ts'

export type Params = Readonly<Record<string, string>>
export type Serve = (ctx: RequestContext, params: Params) => Promise<void>

export interface PipelineDeps {
  readonly authorize: Authorizer
  readonly limits: Limits
  readonly writer: ResponseWriter
  readonly validator: Validator
  readonly database: Database
  readonly idempotency: Idempotency
}

interface ParsedRequest {
  readonly query: unknown
  readonly body: unknown
  readonly bytes: Buffer | undefined
}
interface Refused {
  readonly refusal: EncodedResponse
}
type Parsed = ParsedRequest | Refused

export function createPipeline(deps: PipelineDeps): (route: AnyRoute) => Serve {
  return route => {
    const guard = guardOf(route.allow, route.apiKeys, route.foreignTenant)
    const limits = deps.limits.of(route.limits)
    const read = createReader(route, deps.validator)
    const refuse = createRefuser(route)
    const run = createRunner(route, deps)
    const options = { cached: true, verifiedEmail: route.verifiedEmail }
    const countsBody = limits.body.length > 0
    /** Kept if the precondition fails, so its statements, which count shared limits, don't carry it. */
    function parse(ctx: RequestContext, params: Params): Parsed | Promise<Parsed> {
      if (!countsBody && !route.body)
        try {
          return read(ctx, params) as ParsedRequest
        } catch (error) {
          return refuse(error, params)
        }
      return withContext({ precondition: undefined }, () => parseBody(ctx, params))
    }
    async function parseBody(ctx: RequestContext, params: Params): Promise<Parsed> {
      let parsed: ParsedRequest
      try {
        parsed = await read(ctx, params)
      } catch (error) {
        return refuse(error, params)
      }
      for (const consume of limits.body) await consume(ctx, parsed.body, params)
      return parsed
    }
    const answer = (ctx: RequestContext, params: Params, given: Authorized, parsed: Parsed) =>
      'refusal' in parsed ? Promise.resolve(parsed.refusal) : run(ctx, params, given, parsed)
    return async (ctx, params) => {
      try {
        const authorizing = deps.authorize(ctx, guard, limits, 'api', options)
        const authorized = authorizing instanceof Promise ? await authorizing : authorizing
        let parsing: Parsed | Promise<Parsed> | undefined
        const respond = (given: Authorized): Promise<EncodedResponse> => {
          parsing ??= parse(ctx, params)
          return parsing instanceof Promise
            ? parsing.then(parsed => answer(ctx, params, given, parsed))
            : answer(ctx, params, given, parsing)
        }
        const { cached } = authorized
        if (!cached) return sendEncoded(deps.writer, ctx, await respond(authorized))
        // Nothing is answered for a cached caller unless its precondition holds. If it doesn't, the request runs again.
        const verified = await deps.database.verified(cached.precondition, () => respond(authorized))
        sendEncoded(deps.writer, ctx, verified.holds ? verified.value : await respond(await cached.renew()))
      } catch (error) {
        deps.writer.fail(ctx, error)
      }
    }
  }
}

/** Validates path, query and body against the schemas of the route. Returns at once if the route has no body. */
function createReader(
  route: AnyRoute,
  validator: Validator,
): (ctx: RequestContext, params: Params) => ParsedRequest | Promise<ParsedRequest> {
  const checkQuery = validator.query(route.query ?? ({ type: 'object', properties: {} } as never))
  const checkBody = route.body && validator.body(route.body)
  const takesQuery = route.query !== undefined
  const isPublic = guardOf(route.allow).open.length > 0
  const limit = route.bodyLimit ?? (isPublic ? MAX_PUBLIC_BODY_BYTES : MAX_BODY_BYTES)
  function readQuery(ctx: RequestContext): unknown {
    if (!takesQuery && ctx.search === '') return undefined
    const given = { ...parseQuery(ctx.search) }
    const query = checkQuery(given)
    checkText(given, 'query')
    return takesQuery ? query : undefined
  }
  async function readBody(ctx: RequestContext, query: unknown, check: (given: unknown) => unknown) {
    const form = route.forms === true && isForm(ctx.req)
    const bytes = await (form ? readBytes(ctx.req, limit) : readJsonBody(ctx.req, limit))
    const given = bytes && (form ? givenFields(bytes) : parseJson(bytes))
    return { query, body: check(given), bytes }
  }
  return (ctx, params) => {
    checkText(params, 'params')
    const query = readQuery(ctx)
    return checkBody ? readBody(ctx, query, checkBody) : { query, body: undefined, bytes: undefined }
  }
}

function givenFields(bytes: Buffer): Record<string, string> {
  const fields = Object.fromEntries(Object.entries(formFields(bytes)).filter(([, value]) => value !== ''))
  checkText(fields, 'body')
  return fields
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
  const encode = createEncoder(route)
  const handle = route.handle as (input: unknown) => Promise<unknown>
  const mark = markOf(route)
  const call: Run = async (ctx, params, { caller, tenantId, granted }, { query, body }) => {
    const given = { params, query: mark ? mark.take(query) : query, body, caller, tenantId, granted, request: ctx }
    return encode(await handle(given), mark)
  }
  if (!isMutating(route.method.toUpperCase())) return call

  const replayable = route.method === 'post' && route.idempotent !== false
  const inUnit = route.unit !== 'own'
  return (ctx, params, authorized, parsed) => {
    const { caller, tenantId } = authorized
    const actor = caller && ({ kind: caller.kind, id: caller.principalId } as const)
    const key = replayable ? idempotencyKey(ctx.req.headers) : undefined
    // Encoded inside the unit: a reply that doesn't match its schema rolls the unit back.
    const work = () => call(ctx, params, authorized, parsed)
    return withContext({ correlationId: ctx.id, ...(actor && { actor }) }, () => {
      if (key !== undefined) return deps.idempotency.run(attemptOf(ctx, key, authorized, parsed), work)
      return inUnit && tenantId !== undefined ? deps.database.tenant(tenantId).transaction(work) : work()
    })
  }
}

const attemptOf = (ctx: RequestContext, key: string, { caller, tenantId }: Authorized, { bytes }: ParsedRequest) => ({
  key,
  tenantId,
  caller: caller?.principalId ?? '',
  method: ctx.method,
  path: ctx.path,
  query: ctx.search,
  body: bytes,
})

const NO_HEADERS: HeaderMap = Object.freeze({})

/** For lists: binds cursors to this route. */
function markOf({ method, path, query }: AnyRoute): CursorMark | undefined {
  const { properties = {} } = (query ?? {}) as { properties?: object }
  return 'cursor' in properties ? createCursorMark(`${method} ${path}`) : undefined
}

/** Encodes what the handler returned. Throws an Error for a status that `replies` doesn't have. */
function createEncoder(route: AnyRoute): (value: unknown, mark?: CursorMark) => EncodedResponse {
  const replies = new Map<number, Serialize | null>()
  for (const [status, schema] of Object.entries(route.replies))
    replies.set(Number(status), schema === null ? null : serializerOf(schema))
  const [usual = 200] = replies.keys()
  return (value, mark) => {
    const reply = isReply(value) ? value : { status: usual, body: value, headers: NO_HEADERS }
    const serialize = replies.get(reply.status)
    if (serialize === undefined)
      throw new Error(`${route.method} ${route.path} returned ${reply.status}, which its replies don't list`)
    const type = reply.headers['content-type']
    if (typeof type === 'string' && isStream(reply.body) && !isMutating(route.method.toUpperCase())) {
      const headers = without(reply.headers, 'content-type')
      return { status: reply.status, type, body: undefined, stream: reply.body, headers }
    }
    if (typeof type === 'string' && typeof reply.body === 'string')
      return { status: reply.status, type, body: reply.body, headers: without(reply.headers, 'content-type') }
    const body = serialize === null ? undefined : serialize(mark ? mark.put(reply.body) : reply.body)
    return { status: reply.status, type: JSON_TYPE, body, headers: reply.headers }
  }
}

const isStream = (body: unknown): body is AsyncIterable<string | Buffer> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body

const without = (headers: HeaderMap, name: string): HeaderMap =>
  Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name))

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
