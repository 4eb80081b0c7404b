/** Generates requests to one operation after another. Most of them are valid or nearly valid. */

import type { Random } from './fixtures.ts'
import type { Document } from './fuzz.ts'
import { createValueGenerator, MALICIOUS_VALUES, type Schema, type ValueGenerator } from './schema-values.ts'
import type { ValuePool } from './value-pool.ts'

export interface Caller {
  readonly name: string
  /** Relative frequency. */
  readonly weight: number
  readonly headers: Readonly<Record<string, string>>
}
export interface GeneratedRequest {
  /** `GET /v1/things/{id}` */
  readonly operation: string
  readonly method: string
  readonly path: string
  /** Path and query. */
  readonly target: string
  readonly caller: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
  /** False if the path may not match this operation. */
  readonly routed: boolean
}
interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly schema: Schema
}
interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: Schema | undefined
}

/** These end the caller's credential, so they are sent less often. */
const CREDENTIAL_ENDING = [
  'POST /v1/auth/logout',
  'POST /v1/auth/password/change',
  'DELETE /v1/identity/tenants/{id}',
  'DELETE /v1/auth/sessions/{id}',
]
export interface RequestGenerator {
  readonly operations: number
  next(callers: readonly Caller[]): GeneratedRequest
}

export function createRequestGenerator(document: Document, random: Random, pool: ValuePool): RequestGenerator {
  const operations = operationsOf(document)
  const values = createValueGenerator(random, document.components.schemas, pool)
  let turn = 0
  const nextOperation = (): Operation => {
    const operation = operations[turn++ % operations.length] as Operation
    return CREDENTIAL_ENDING.includes(operation.name) && random.chance(0.9) ? nextOperation() : operation
  }
  return {
    operations: operations.length,
    next(callers) {
      const operation = nextOperation()
      const caller = random.pick(callers.flatMap(one => Array<Caller>(one.weight).fill(one)))
      const { target, routed } = createTarget(operation, random, values, pool)
      const { body, type } = createBody(operation, random, values)
      const headers = { ...caller.headers, ...(type && { 'content-type': type }), ...createHeaders(operation, random) }
      const { name, method, path } = operation
      return { operation: name, method, path, target, caller: caller.name, headers, body, routed }
    },
  }
}

function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, given]) => {
      const { parameters = [], requestBody } = given as unknown as {
        parameters?: Parameter[]
        requestBody?: { content: Record<string, { schema: Schema }> }
      }
      const name = `${method.toUpperCase()} ${path}`
      const body = requestBody?.content['application/json']?.schema
      return { name, method: method.toUpperCase(), path, parameters: parameters.filter(p => p.in), body }
    }),
  )
}

const RAW_SEGMENTS = ['%00', '%ff', '%', '..%2f..', '%ED%A0%80', 'x'.repeat(600), '', '%2e%2e', 'a%0d%0ab']

function createTarget({ path, parameters }: Operation, random: Random, values: ValueGenerator, pool: ValuePool) {
  let routed = true
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string, at: number) => {
    const records = pool.records(path.slice(0, at - 1))
    if (records.length > 0 && random.chance(0.7)) return encode(random.pick(records))
    if (random.chance(0.2)) return encode(random.pick([...pool.valuesOf(name), 'x']))
    if (random.chance(0.5)) return encode(random.pick(['xxx_00000000000000000000000000', 'a.b', 'me']))
    routed = false
    return random.chance(0.5) ? random.pick(RAW_SEGMENTS) : encode(random.pick(MALICIOUS_VALUES))
  })
  const query = parameters.filter(parameter => parameter.in === 'query' && random.chance(0.4))
  const pairs = query.map(({ name, schema }) => {
    const value = random.chance(0.7)
      ? values.valid(schema, name === 'cursor' ? 'nextCursor' : name)
      : random.pick(MALICIOUS_VALUES)
    return `${encodeURIComponent(name)}=${encode(value)}`
  })
  if (random.chance(0.05))
    pairs.push(random.pick(['nope=1', 'sort=secret', 'limit=1&limit=2', '__proto__=1', '=', '%ff=1', 'filter[x]=1']))
  return { target: filled + (pairs.length > 0 ? `?${pairs.join('&')}` : ''), routed }
}

/** Replaces lone surrogates, which encodeURIComponent rejects. */
const encode = (value: unknown): string =>
  encodeURIComponent((typeof value === 'object' ? JSON.stringify(value) : String(value)).replace(/\p{Cs}/gu, '\ufffd'))

function createBody(
  { method, body }: Operation,
  random: Random,
  values: ValueGenerator,
): { body: GeneratedRequest['body']; type?: string } {
  if (method === 'GET') return { body: undefined }
  const type = 'application/json'
  if (!body)
    return random.chance(0.8) ? { body: undefined } : { body: JSON.stringify(random.pick(MALICIOUS_VALUES)), type }
  const kind = random.next()
  if (kind < 0.55) return { body: JSON.stringify(values.valid(body)), type }
  if (kind < 0.9) return { body: JSON.stringify(values.invalid(body)) ?? 'null', type }
  const text = JSON.stringify(values.valid(body))
  return random.pick<{ body: GeneratedRequest['body']; type?: string }>([
    { body: undefined },
    { body: text.slice(0, random.below(text.length)), type },
    { body: text.replace('{', '{"a":1,"a":2,'), type },
    { body: text.replace('{', '{"__proto__":{"roles":["*"]},'), type },
    { body: text.replace('{', '{"a":1e400,'), type },
    { body: '['.repeat(49_000), type },
    { body: `{"a":${'['.repeat(49_000)}${']'.repeat(49_000)}}`, type },
    { body: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), type },
    { body: text, type: 'text/plain' },
    { body: text, type: 'application/json; charset=utf-16' },
    { body: text, type: 'multipart/form-data' },
  ])
}

function createHeaders({ method }: Operation, random: Random): Record<string, string> {
  const key = random.pick(['a', 'b', `k${random.below(1e6)}`, 'x'.repeat(256), 'é'])
  return {
    ...(method === 'POST' && random.chance(0.2) && { 'idempotency-key': key }),
    ...(random.chance(0.04) && {
      'x-tenant-id': random.pick(['', 'nope', 'ten_x', 'é', 'operator', '*', 'x'.repeat(300)]),
    }),
    ...(random.chance(0.04) && { 'content-encoding': random.pick(['gzip', 'identity', 'br, gzip']) }),
    ...(random.chance(0.04) && { 'x-request-id': random.pick(['', 'a b', 'x'.repeat(300), '<x>']) }),
    ...(random.chance(0.04) && { 'accept-language': random.pick(['de', '*', ';;q=', 'x'.repeat(300)]) }),
    ...(random.chance(0.02) && { 'sec-fetch-site': 'cross-site' }),
  }
}
