/** The way of an API request, put together once for each route. */
import {
  type AnyRoute,
  type CursorMark,
  checkText,
  createCursorMark,
  type Database,
  guardOf,
  isHeld,
  isReply,
  Problem,
  parseJson,
  type Validator,
  withContext,
} from 'larder/kernel'
import type { Admitted, Gate } from './authorizer.ts'
import { BODY_LIMIT, formFields, isForm, readBytes, readJsonBody } from './body.ts'
import { isMutating } from './csrf.ts'
import { type Answer, type Idempotency, idempotencyKey } from './idempotency.ts'
import { parseQuery } from './query.ts'
import type { Limits } from './rate-limiter.ts'
import type { Exchange } from './request-context.ts'
import { type Answers, type HeaderMap, JSON_TYPE } from './response-writer.ts'
import { type Serialize, serializerOf } from './serialize.ts'

export type Params = Readonly<Record<string, string>>
export type Serve = (x: Exchange, params: Params) => Promise<void>

export interface PipelineDeps {
  readonly gate: Gate
  readonly limits: Limits
  readonly answers: Answers
  readonly validator: Validator
  readonly database: Database
  readonly idempotency: Idempotency
}

interface Question {
  readonly query: unknown
  readonly body: unknown
  readonly bytes: Buffer | undefined
}

export function createPipeline(deps: PipelineDeps): (route: AnyRoute) => Serve {
  return route => {
    const guard = guardOf(route.allow, route.apiKeys)
    const limits = deps.limits.of(route.limits)
    const read = createReader(route, deps.validator)
    const refuse = createRefuser(route)
    const run = createRunner(route, deps)
    return async (x, params) => {
      try {
        const admitted = await deps.gate(x, guard, limits, 'api')
        const question = await read(x, params).catch(error => refuse(error, params))
        if ('refusal' in question) return sendAnswer(deps.answers, x, question.refusal)
        for (const consume of limits.body) await consume(x, question.body, params)
        const answer = await run(x, params, admitted, question)
        sendAnswer(deps.answers, x, answer)
      } catch (error) {
        deps.answers.fail(x, error)
      }
    }
  }
}

/** Path, query and body, checked against the route's schemas. */
function createReader(route: AnyRoute, validator: Validator): (x: Exchange, params: Params) => Promise<Question> {
  const checkQuery = validator.query(route.query ?? ({ type: 'object', properties: {} } as never))
  const checkBody = route.body && validator.body(route.body)
  const takesQuery = route.query !== undefined
  return async (x, params) => {
    checkText(params, 'params')
    let query: unknown
    if (takesQuery || x.search !== '') {
      const given = { ...parseQuery(x.search) }
      query = checkQuery(given)
      checkText(given, 'query')
    }
    if (!checkBody) return { query: takesQuery ? query : undefined, body: undefined, bytes: undefined }
    const form = route.forms === true && isForm(x.req)
    const bytes = form
      ? await readBytes(x.req, route.bodyLimit ?? BODY_LIMIT)
      : await readJsonBody(x.req, route.bodyLimit)
    const given = bytes && (form ? givenFields(bytes) : parseJson(bytes))
    const body = checkBody(given)
    return { query: takesQuery ? query : undefined, body, bytes }
  }
}

function givenFields(bytes: Buffer): Record<string, string> {
  const fields = Object.fromEntries(Object.entries(formFields(bytes)).filter(([, value]) => value !== ''))
  checkText(fields, 'body')
  return fields
}

/** Throws the error again where the route has no answer of its own to it. */
function createRefuser(route: AnyRoute): (error: unknown, params: Params) => { readonly refusal: Answer } {
  const toAnswer = createAnswerer(route)
  return (error, params) => {
    const said = Problem.is(error) ? route.refuse?.(error, params) : undefined
    if (said === undefined) throw error
    return { refusal: toAnswer(said) }
  }
}

type Run = (x: Exchange, params: Params, admitted: Admitted, question: Question) => Promise<Answer>

function createRunner(route: AnyRoute, deps: PipelineDeps): Run {
  const toAnswer = createAnswerer(route)
  const handle = route.handle as (input: unknown) => Promise<unknown>
  const mark = markOf(route)
  const call: Run = async (x, params, { caller, tenantId, granted }, { query, body }) => {
    const given = { params, query: mark ? mark.take(query) : query, body, caller, tenantId, granted, request: x }
    return toAnswer(await handle(given), mark)
  }
  if (!isMutating(route.method.toUpperCase())) return call

  const replayable = route.method === 'post' && route.idempotent !== false
  const inUnit = route.unit !== 'own'
  return (x, params, admitted, question) => {
    const { caller, tenantId } = admitted
    const actor = caller && ({ kind: caller.kind, id: caller.principalId } as const)
    const key = replayable ? idempotencyKey(x.req.headers) : undefined
    // The answer is written inside the unit: one that does not fit its schema takes its effect back.
    const work = () => call(x, params, admitted, question)
    return withContext({ correlationId: x.id, ...(actor && { actor }) }, () => {
      if (key !== undefined) return deps.idempotency.run(attemptOf(x, key, admitted, question), work)
      return inUnit && tenantId !== undefined ? deps.database.tenant(tenantId).transaction(work) : work()
    })
  }
}

const attemptOf = (x: Exchange, key: string, { caller, tenantId }: Admitted, { bytes }: Question) => ({
  key,
  tenantId,
  caller: caller?.principalId ?? '',
  method: x.method,
  path: x.path,
  query: x.search,
  body: bytes,
})

const NO_HEADERS: HeaderMap = Object.freeze({})

/** Of a list: what takes a cursor. */
function markOf({ method, path, query }: AnyRoute): CursorMark | undefined {
  const { properties = {} } = (query ?? {}) as { properties?: object }
  return 'cursor' in properties ? createCursorMark(`${method} ${path}`) : undefined
}

/** From what the handler returned to what goes over the wire. Throws an Error on a status that `replies` lacks. */
function createAnswerer(route: AnyRoute): (value: unknown, mark?: CursorMark) => Answer {
  const replies = new Map<number, Serialize | null>()
  for (const [status, schema] of Object.entries(route.replies))
    replies.set(Number(status), schema === null ? null : serializerOf(schema))
  const [usual = 200] = replies.keys()
  return (value, mark) => {
    const said = isReply(value) ? value : { status: usual, body: value, headers: NO_HEADERS }
    const serialize = replies.get(said.status)
    if (serialize === undefined)
      throw new Error(`${route.method} ${route.path} answered ${said.status}, which its replies do not name`)
    const type = said.headers['content-type']
    if (typeof type === 'string' && isStream(said.body) && !isMutating(route.method.toUpperCase())) {
      const headers = without(said.headers, 'content-type')
      return { status: said.status, type, body: undefined, stream: said.body, headers }
    }
    if (typeof type === 'string' && typeof said.body === 'string')
      return { status: said.status, type, body: said.body, headers: without(said.headers, 'content-type') }
    const body = serialize === null ? undefined : serialize(mark ? mark.put(said.body) : said.body)
    return { status: said.status, type: JSON_TYPE, body, headers: said.headers }
  }
}

const isStream = (body: unknown): body is AsyncIterable<string | Buffer> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body

const without = (headers: HeaderMap, name: string): HeaderMap =>
  Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name))

function sendAnswer(answers: Answers, x: Exchange, { status, type, body, stream, headers }: Answer): void {
  const { etag } = headers
  if (stream) answers.stream(x, status, type, stream, headers)
  else if (status === 200 && typeof etag === 'string' && !isMutating(x.method) && isHeld(x.req.headers, etag))
    answers.send(x, 304, type, undefined, headers)
  else answers.send(x, status, type, body, headers)
}
