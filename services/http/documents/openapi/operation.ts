/** One mounted route as an OpenAPI operation. Pure. */
import {
  type AnyRoute,
  common,
  guardOf,
  type Media,
  type Reader,
  schemaFor,
  Type,
} from '@larder-dev/larder/kernel/internal'
import type { TSchema } from 'typebox'
import type { Endpoint } from '../../types.ts'
import type { Components, Json } from './components.ts'
import { type ProblemResponses, replayOf } from './failures.ts'
import { HEALTH_RESPONSES, HEALTH_SUMMARIES } from './health.ts'
import { bodySchemaOf, operationIdOf } from './names.ts'

export interface OperationDeps {
  readonly components: Components
  readonly problems: ProblemResponses
  /** Titles of permissions by key. */
  readonly titles: ReadonlyMap<string, string>
}

export function operationFor(endpoint: Endpoint, { components, problems, titles }: OperationDeps): Json {
  const { route, allow, path, method, docs } = endpoint
  const operationId = operationIdOf(endpoint)
  const summary = route?.summary ?? endpoint.summary ?? HEALTH_SUMMARIES.get(path) ?? wordsOf(operationId)
  const body = docs?.body ?? (route && bodyOf(route, bodySchemaOf(operationId, route)))
  const guard = guardOf(allow)
  const reader = (close: boolean) => components.reader(`${method} ${path}`, close)
  const replies = repliesOf(endpoint, reader(false))
  const responses = HEALTH_RESPONSES.get(path) ?? mergeResponses(replies, endpoint, problems)
  return {
    operationId,
    tags: [tagOf(endpoint)],
    summary,
    description: describe(route, allow, titles),
    security: securityOf(endpoint, guard.open.length > 0),
    parameters: [...parameters(endpoint, reader(true), guard)],
    ...(body && { requestBody: requestBody(body, reader(true)) }),
    responses: { ...responses, 431: HEADERS_TOO_LARGE },
    ...route?.extensions,
  }
}

/** `Create note` of `createNote`. Each operation has a summary, because programs show it instead of the ID. */
const wordsOf = (operationId: string): string => {
  const words = operationId.replace(/([a-z\d])([A-Z])/g, (_, before, after) => `${before} ${after.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function describe(route: AnyRoute | undefined, allow: readonly string[], titles: OperationDeps['titles']): string {
  const needs = allow.map(word => (titles.has(word) ? `\`${word}\` (${titles.get(word)})` : `\`${word}\``))
  return [route?.description, `Access: ${needs.join(', ')}.`].filter(Boolean).join('\n\n')
}

function securityOf({ apiKeys }: Endpoint, open: boolean): Json[] {
  const keys = apiKeys ? [{ apiKey: [] }] : []
  return [...(open ? [{}] : []), { cookie: [] }, { bearer: [] }, ...keys]
}

function* parameters(
  { path, method, route, docs }: Endpoint,
  reader: Reader,
  guard: ReturnType<typeof guardOf>,
): Generator<Json> {
  for (const [, name] of path.matchAll(/:(\w+)/g))
    yield { name, in: 'path', required: true, schema: { type: 'string' } }
  if (path.endsWith('*')) yield { name: 'path', in: 'path', required: true, schema: { type: 'string' } }
  if (guard.permissions.length > 0 || guard.user) yield { $ref: '#/components/parameters/tenantId' }
  const replay = replayOf({ method, route, docs })
  if (replay !== 'never')
    yield { $ref: `#/components/parameters/${replay === 'required' ? 'requiredIdempotencyKey' : 'idempotencyKey'}` }
  if (route?.problems?.includes(common.precondition_failed) && route.ifMatch !== false)
    yield { $ref: '#/components/parameters/ifMatch' }
  const query = route?.query ?? docs?.query
  if (query) yield* queryParameters(query, reader)
}

function* queryParameters(query: TSchema, reader: Reader): Generator<Json> {
  const { properties = {}, required = [] } = schemaFor(reader, query) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  for (const [name, schema] of Object.entries(properties)) {
    const { description, ...rest } = schema
    yield {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description ? { description } : {}),
      schema: rest,
    }
  }
}

const JSON_MEDIA = 'application/json'
const FORM_MEDIA = 'application/x-www-form-urlencoded'
/** The description of content without a schema (OpenAPI 3.1, 4.8.14.4). */
const OPAQUE_MEDIA = {}

const bodyOf = ({ forms }: AnyRoute, body: TSchema | undefined): Media | undefined =>
  body && { [JSON_MEDIA]: body, ...(forms === true && { [FORM_MEDIA]: body }) }

const contentOf = (media: Media, reader: Reader): Json =>
  Object.fromEntries(
    Object.entries(media).map(([type, schema]) => [
      type,
      schema ? { schema: schemaFor(reader, schema) } : OPAQUE_MEDIA,
    ]),
  )

/** A body is required if it is bytes or has required fields. */
function requestBody(media: Media, reader: Reader): Json {
  const required = Object.values(media).every(schema => {
    const { required = [], format } = (schema ?? { format: 'binary' }) as {
      required?: readonly string[]
      format?: string
    }
    return required.length > 0 || format === 'binary'
  })
  return { required, content: contentOf(media, reader) }
}

function repliesOf({ route, docs }: Endpoint, reader: Reader): Json {
  const made: Json = {}
  for (const [status, media] of route ? mediaOf(route) : Object.entries(docs?.replies ?? {}))
    made[status] = {
      description: STATUS_DESCRIPTIONS[status] ?? 'The response',
      headers: REPLY_HEADERS,
      ...(media && { content: contentOf(media, reader) }),
    }
  // A raw route without documentation.
  return Object.keys(made).length > 0
    ? made
    : { default: { description: 'The response', content: { '*/*': OPAQUE_MEDIA } } }
}

function mediaOf({ replies, texts = [] }: AnyRoute): [status: string, media: Media | null][] {
  const [first] = Object.keys(replies)
  return Object.entries(replies).map(([status, schema]) => [
    status,
    schema && {
      [JSON_MEDIA]: schema,
      // Without a schema, generators of clients would make the type of the whole reply unknown.
      ...(status === first && Object.fromEntries(texts.map(type => [type, Type.String()]))),
    },
  ])
}

const REPLY_HEADERS = { 'x-request-id': { $ref: '#/components/headers/RequestId' } }
/** Node.js refuses such a request before it reaches a route. */
const HEADERS_TOO_LARGE = { $ref: '#/components/responses/HeadersTooLarge' }

const STATUS_DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted for later processing',
  204: 'Success, without a body',
  206: 'The requested range',
  303: 'Redirect to the URL in Location',
  304: 'Not modified',
}

/** Protocols with their own errors declare replies with the status of a problem: the response has both media types. */
function mergeResponses(replies: Json, endpoint: Endpoint, problems: ProblemResponses): Json {
  const shared = Object.entries(problems.of(endpoint)).filter(([status]) => status in replies)
  const merged = shared.map(([status, problem]) => {
    const reply = replies[status] as { readonly content?: Json }
    return [status, { ...reply, content: { ...reply.content, ...problem.content } }]
  })
  return { ...problems.refsOf(endpoint), ...replies, ...Object.fromEntries(merged) }
}

/** The area: `/v1/identity/members` → `identity`. */
export const tagOf = ({ path }: Pick<Endpoint, 'path'>): string =>
  path.split('/').filter(part => part !== 'v1')[1] ?? 'health'
