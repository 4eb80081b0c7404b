/** One mounted route as an OpenAPI operation. Pure. */
import { type AnyRoute, common, guardOf, type Media, type Reader, schemaFor } from 'larder/kernel'
import type { TSchema } from 'typebox'
import { publicSentence } from '../problems.ts'
import type { Endpoint } from '../types.ts'
import { commonProblems, type Documented, problemResponse } from './failures.ts'
import { HEALTH_RESPONSES } from './health.ts'

export type Json = Record<string, unknown>
type Titles = ReadonlyMap<string, string>

export function operationFor(endpoint: Endpoint, schemas: Json, titles: Titles): Json {
  const { route, allow, path, method, docs } = endpoint
  const summary = route?.summary ?? endpoint.summary
  const body = docs?.body ?? (route?.body && bodyOf(route, route.body))
  const operationId = operationIdOf(method, path)
  const guard = guardOf(allow)
  const reader = (close: boolean): Reader => ({
    close,
    dialect: '2020-12',
    refs: '#/components/schemas/',
    definitions: schemas,
    prefix: `${operationId}.`,
  })
  const responses = HEALTH_RESPONSES.get(path) ?? mergeResponses(replies(endpoint, reader(false)), problems(endpoint))
  return {
    operationId,
    tags: [tagOf(endpoint)],
    ...(summary && { summary }),
    description: describe(route, allow, titles),
    security: securityOf(endpoint, guard.open.length > 0),
    parameters: [...parameters(endpoint, reader(true), guard)],
    ...(body && { requestBody: requestBody(body, reader(true)) }),
    responses: { ...responses, 431: HEADERS_TOO_LARGE },
  }
}

/** `GET /v1/forms/:id/submissions` → `getFormsByIdSubmissions`. */
export function operationIdOf(method: string, path: string): string {
  const words = path
    .replace(/^\/v1\//, '/')
    .split(/[^\w:*]+/)
    .filter(Boolean)
    .map(part => (part.startsWith(':') ? `by_${part.slice(1)}` : part === '*' ? 'any' : part))
    .flatMap(part => part.split('_'))
  return method.toLowerCase() + words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function describe(route: AnyRoute | undefined, allow: readonly string[], titles: Titles): string {
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
  if (guard.permissions.length > 0 || guard.user) yield { $ref: '#/components/parameters/tenant' }
  if (method === 'POST' && route && route.idempotent !== false) yield { $ref: '#/components/parameters/idempotencyKey' }
  if (route?.problems?.some(({ code }) => code === common.precondition_failed.code))
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
/** For content without a schema (OpenAPI 3.1, 4.8.14.4). */
const OPAQUE_MEDIA = {}

const bodyOf = ({ forms }: AnyRoute, body: TSchema): Media => ({
  [JSON_MEDIA]: body,
  ...(forms === true && { [FORM_MEDIA]: body }),
})

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
    const { required = [] } = (schema ?? { required: ['bytes'] }) as { required?: readonly string[] }
    return required.length > 0
  })
  return { required, content: contentOf(media, reader) }
}

function replies({ route, docs }: Endpoint, reader: Reader): Json {
  const made: Json = {}
  for (const [status, media] of route ? mediaOf(route) : Object.entries(docs?.replies ?? {}))
    made[status] = {
      description: STATUS_DESCRIPTIONS[status] ?? 'The response',
      headers: { 'x-request-id': { schema: { type: 'string' } } },
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
      ...(status === first && Object.fromEntries(texts.map(type => [type, null]))),
    },
  ])
}

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

/** Merges declared replies and problems of the same status, for protocols with their own errors. */
function mergeResponses(declared: Json, problems: Json): Json {
  const both = Object.keys(declared).filter(status => status in problems)
  const mergeLayoutData = both.map(status => {
    const [reply, problem] = [declared[status] as Response, problems[status] as Response]
    return [status, { ...reply, content: { ...reply.content, ...problem.content } }]
  })
  return { ...declared, ...problems, ...Object.fromEntries(mergeLayoutData) }
}
interface Response {
  readonly content?: Json
}

/** One response per status, listing its error codes. */
function problems(endpoint: Endpoint): Json {
  const { route, docs } = endpoint
  const usual = commonProblems(endpoint)
  const byStatus = new Map<number, Documented[]>()
  for (const problem of [...usual, ...(route?.problems ?? []), ...(docs?.problems ?? [])])
    byStatus.set(problem.status, [...(byStatus.get(problem.status) ?? []), problem])
  const lines = (rows: readonly Documented[]) => [
    ...new Set(rows.map(({ code, sentence }) => `\`${code}\`: ${publicSentence(sentence)}`)),
  ]
  return Object.fromEntries([...byStatus].map(([status, rows]) => [status, problemResponse(lines(rows).join('\n\n'))]))
}

/** The area: `/v1/identity/members` → `identity`. */
export const tagOf = ({ path }: Pick<Endpoint, 'path'>): string =>
  path.split('/').filter(part => part !== 'v1')[1] ?? 'health'
