/** One mounted route as an OpenAPI operation. Pure. */
import type { TSchema } from 'typebox'
import { guardOf } from '../http/allow.ts'
import { type Reader, schemaFor } from '../http/schemas.ts'
import type { Entrance } from '../http/types.ts'
import type { AnyRoute } from '../route.ts'
import { type Documented, problemResponse, usualProblems } from './failures.ts'
import { HEALTH } from './health.ts'

export type Json = Record<string, unknown>
type Titles = ReadonlyMap<string, string>

export function operationFor(entrance: Entrance, schemas: Json, titles: Titles): Json {
  const { route, allow, path, method } = entrance
  const operationId = operationIdOf(method, path)
  const guard = guardOf(allow)
  const reader = (close: boolean): Reader => ({
    close,
    dialect: '2020-12',
    refs: '#/components/schemas/',
    definitions: schemas,
    prefix: `${operationId}.`,
  })
  const responses = HEALTH.get(path) ?? together(replies(entrance, reader(false)), problems(entrance))
  return {
    operationId,
    tags: [tagOf(entrance)],
    ...(route?.summary && { summary: route.summary }),
    description: describe(route, allow, titles),
    security: securityOf(entrance, guard.open.length > 0),
    parameters: [...parameters(entrance, reader(true), guard)],
    ...(route?.body && { requestBody: requestBody(route.body, reader(true)) }),
    responses,
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
  return [route?.description, `Open to: ${needs.join(', ')}.`].filter(Boolean).join('\n\n')
}

function securityOf({ apiKeys }: Entrance, open: boolean): Json[] {
  const keys = apiKeys ? [{ apiKey: [] }] : []
  return [...(open ? [{}] : []), { cookie: [] }, { bearer: [] }, ...keys]
}

function* parameters(
  { path, method, route }: Entrance,
  reader: Reader,
  guard: ReturnType<typeof guardOf>,
): Generator<Json> {
  for (const [, name] of path.matchAll(/:(\w+)/g))
    yield { name, in: 'path', required: true, schema: { type: 'string' } }
  if (path.endsWith('*')) yield { name: 'path', in: 'path', required: true, schema: { type: 'string' } }
  if (guard.permissions.length > 0 || guard.user) yield { $ref: '#/components/parameters/tenant' }
  if (method === 'POST' && route && route.idempotent !== false) yield { $ref: '#/components/parameters/idempotencyKey' }
  if (route?.query) yield* queryParameters(route.query, reader)
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

function requestBody(body: TSchema, reader: Reader): Json {
  const { required } = body as { required?: readonly string[] }
  return { required: (required ?? []).length > 0, content: { 'application/json': { schema: schemaFor(reader, body) } } }
}

function replies({ route }: Entrance, reader: Reader): Json {
  // What a raw route writes is its own affair.
  if (!route) return { default: { description: 'The answer', content: { '*/*': {} } } }
  const made: Json = {}
  for (const [status, schema] of Object.entries(route.replies))
    made[status] = {
      description: MEANINGS[status] ?? 'The answer',
      headers: { 'x-request-id': { schema: { type: 'string' } } },
      ...(schema && { content: { 'application/json': { schema: schemaFor(reader, schema) } } }),
    }
  return made
}

const MEANINGS: Readonly<Record<string, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted, done later',
  204: 'Done',
}

/** A protocol with failures of its own has them beside the problems of the same status: of a missing tenant, say. */
function together(declared: Json, problems: Json): Json {
  const both = Object.keys(declared).filter(status => status in problems)
  const merged = both.map(status => {
    const [reply, problem] = [declared[status] as Response, problems[status] as Response]
    return [status, { ...reply, content: { ...reply.content, ...problem.content } }]
  })
  return { ...declared, ...problems, ...Object.fromEntries(merged) }
}
interface Response {
  readonly content?: Json
}

/** One response a status, naming every code that comes with it. */
function problems(entrance: Entrance): Json {
  const { route } = entrance
  const usual = usualProblems(entrance)
  const byStatus = new Map<number, Documented[]>()
  for (const problem of [...usual, ...(route?.problems ?? [])])
    byStatus.set(problem.status, [...(byStatus.get(problem.status) ?? []), problem])
  const lines = (rows: readonly Documented[]) => [
    ...new Set(rows.map(({ code, sentence }) => `\`${code}\`: ${sentence}`)),
  ]
  return Object.fromEntries([...byStatus].map(([status, rows]) => [status, problemResponse(lines(rows).join('\n\n'))]))
}

/** The area: `/v1/identity/members` → `identity`. */
export const tagOf = ({ path }: Pick<Entrance, 'path'>): string =>
  path.split('/').filter(part => part !== 'v1')[1] ?? 'health'
