/** The operations of an API document, as the generated client calls them. Pure. */
import {
  type ApiDocument,
  type MediaType,
  type Method,
  type Operation,
  operationsOf,
  type Parameter,
  type Response,
  resolve,
  type Schema,
} from './document.ts'
import { keyOf, methodNames } from './names.ts'

export interface ClientOperation {
  readonly method: Method
  readonly path: string
  /** `['content', 'pages', 'list']`. */
  readonly names: readonly string[]
  readonly summary: string
  readonly query: readonly Parameter[]
  readonly body: RequestBody | undefined
  readonly reply: Reply
  /** True if the response is one page of a list. */
  readonly hasPages: boolean
  readonly codes: readonly string[]
  readonly takesTenant: boolean
  readonly takesIdempotencyKey: boolean
  readonly takesIfMatch: boolean
}

export interface RequestBody {
  readonly kind: 'json' | 'form' | 'bytes'
  readonly required: boolean
  readonly schema?: Schema
}

export interface Reply {
  readonly kind: 'json' | 'text' | 'response'
  /** Schemas of the successful responses with a body. */
  readonly schemas: readonly Schema[]
  /** True if a successful response may have no body. */
  readonly mayBeEmpty: boolean
}

/** Operations below `/v1/`, sorted by name. @param isShown leaves out paths that have their own types. */
export function clientOperations(
  document: ApiDocument,
  isShown: (path: string) => boolean = () => true,
): ClientOperation[] {
  const listed = Object.entries(document.paths ?? {})
    .filter(([path]) => path.startsWith('/v1/') && isShown(path))
    .flatMap(([path, item]) => operationsOf(item).map(([method, operation]) => ({ method, path, operation })))
  const models = listed.map(({ method, path, operation }) => ({
    method,
    path,
    ...modelOf(document, operation, method),
  }))
  const names = methodNames(
    models.map(({ method, path, reply }) => ({ method, path, isList: isList(document, reply) })),
  )
  return models
    .map(model => ({ ...model, names: names.get(keyOf(model)) ?? [] }))
    .toSorted((a, b) => (a.names.join('.') < b.names.join('.') ? -1 : 1))
}

function modelOf(document: ApiDocument, operation: Operation, method: Method) {
  const parameters = (operation.parameters ?? []).map(parameter => resolve(document, parameter))
  const hasHeader = (name: string) =>
    parameters.some(other => other.in === 'header' && other.name.toLowerCase() === name)
  const reply = replyOf(document, operation)
  const query = parameters.filter(({ in: place }) => place === 'query')
  return {
    summary: operation.summary ?? '',
    query,
    body: bodyOf(operation),
    reply,
    hasPages: method === 'get' && query.some(({ name }) => name === 'cursor') && hasCursor(document, reply),
    codes: errorCodes(document, operation),
    takesTenant: hasHeader('x-tenant-id'),
    takesIdempotencyKey: hasHeader('idempotency-key'),
    takesIfMatch: hasHeader('if-match'),
  }
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/

function bodyOf({ requestBody }: Operation): RequestBody | undefined {
  if (!requestBody) return undefined
  const content = Object.entries(requestBody.content ?? {})
  const required = requestBody.required ?? false
  const json = content.find(([type]) => JSON_TYPE.test(type))
  if (json) return { kind: 'json', required, ...(json[1].schema && { schema: json[1].schema }) }
  const isForm = content.some(([type]) => type === 'multipart/form-data')
  return { kind: isForm ? 'form' : 'bytes', required }
}

const isSuccess = (status: string): boolean => /^2/.test(status)

function replyOf(document: ApiDocument, { responses = {} }: Operation): Reply {
  const replies = Object.entries(responses).filter(([status]) => isSuccess(status))
  const contents = replies.map(([, response]) => Object.entries(resolve(document, response).content ?? {}))
  const media = contents.flat()
  const json = media.filter(([type]) => JSON_TYPE.test(type))
  const mayBeEmpty = contents.some(content => content.length === 0)
  if (json.length > 0)
    return { kind: 'json', schemas: unique(json.map(([, { schema = {} }]: [string, MediaType]) => schema)), mayBeEmpty }
  if (media.length > 0 && media.every(([type]) => type.startsWith('text/')))
    return { kind: 'text', schemas: [], mayBeEmpty }
  return media.length > 0
    ? { kind: 'response', schemas: [], mayBeEmpty }
    : { kind: 'json', schemas: [], mayBeEmpty: true }
}

const unique = (schemas: readonly Schema[]): Schema[] => [
  ...new Map(schemas.map(schema => [JSON.stringify(schema), schema])).values(),
]

const isList = (document: ApiDocument, reply: Reply): boolean => listSchema(document, reply) !== undefined

function listSchema(document: ApiDocument, { schemas: [schema] }: Reply): Schema | undefined {
  const properties = schema && (resolve(document, schema).properties as Readonly<Record<string, Schema>> | undefined)
  const data = properties?.data && resolve(document, properties.data)
  return data?.type === 'array' ? properties : undefined
}

function hasCursor(document: ApiDocument, reply: Reply): boolean {
  const properties = listSchema(document, reply)
  return properties !== undefined && ('nextCursor' in properties || 'next_cursor' in properties)
}

/** The codes in the schemas of problem documents; those in the descriptions where a schema has none. */
export function errorCodes(document: ApiDocument, { responses = {} }: Operation): string[] {
  const failures = Object.entries(responses).filter(([status]) => /^[45]/.test(status) || status === 'default')
  const codes = failures.flatMap(([, reference]) => {
    const response = resolve(document, reference)
    const declared = codesIn(document, response)
    return declared.length > 0 ? declared : described(response)
  })
  return [...new Set(codes)].sort()
}

const described = ({ description = '' }: Response): string[] =>
  [...description.matchAll(/^`(\w+)`:/gm)].map(([, code = '']) => code)

function codesIn(document: ApiDocument, { content = {} }: Response): string[] {
  const schemas = Object.entries(content).flatMap(([type, { schema }]) =>
    JSON_TYPE.test(type) && schema ? [schema] : [],
  )
  return schemas.flatMap(schema => codesOf(document, schema))
}

function codesOf(document: ApiDocument, schema: Schema): string[] {
  const { properties, allOf, anyOf, oneOf } = resolve(document, schema)
  const code = (properties as Readonly<Record<string, Schema>> | undefined)?.code
  const found = code && resolve(document, code)
  const own = found?.enum ?? []
  const inner = [allOf, anyOf, oneOf].flatMap(part => (part ?? []) as Schema[])
  return [...(own as string[]), ...inner.flatMap(part => codesOf(document, part))]
}
