/** Operations by path and method as one type, for callers that write the path. Pure. */
import type { ClientOperation } from './operations.ts'
import { comment, indent, type TypeOptions, typeOf, union } from './schema-types.ts'
import { propertyKey } from './text.ts'

/** `{ '/v1/sessions/{id}': { get: { query?: …, response: Session } } }`. Path parameters are in the path. */
export function pathTypes(operations: readonly ClientOperation[], options: TypeOptions): string {
  const paths = [...new Set(operations.map(({ path }) => path))].sort()
  const lines = paths.map(path => {
    const members = operations
      .filter(operation => operation.path === path)
      .map(operation => `${operation.method}: ${operationType(operation, options)}`)
      .sort()
    return `${propertyKey(path)}: ${block(members)}`
  })
  const described = [...comment('Operations of the API by path and method.'), `export interface Paths ${block(lines)}`]
  return [...platformTypes(operations), ...described].join('\n')
}

const BODIES = { form: 'FormData', bytes: 'Blob' } as const

/** A product may compile the types without the library of browsers, which has these names. */
function platformTypes(operations: readonly ClientOperation[]): string[] {
  const kinds = new Set(operations.flatMap(({ body }) => (body && body.kind !== 'json' ? body.kind : [])))
  return [...kinds].sort().map(kind => {
    const name = BODIES[kind]
    return `type Platform${name} = typeof globalThis extends { ${name}: { prototype: infer T } } ? T : unknown`
  })
}

const block = (members: readonly string[]): string => ['{', ...members.map(indent), '}'].join('\n')

function operationType({ query, body, reply }: ClientOperation, options: TypeOptions): string {
  const input = { ...options, input: true }
  const isQueryRequired = query.some(({ required }) => required)
  const members = [
    ...(query.length > 0 ? [`query${isQueryRequired ? '' : '?'}: ${queryType(query, input)}`] : []),
    ...(body ? [`body${body.required ? '' : '?'}: ${bodyType(body, input)}`] : []),
    `response: ${responseType(reply, options)}`,
  ]
  return block(members)
}

/** By the names that the URL has, such as `filter[status]`. */
const queryType = (query: ClientOperation['query'], options: TypeOptions): string =>
  block(
    query.map(({ name, schema, required }) => {
      const type = typeOf(schema, options)
      return `${propertyKey(name)}${required ? '' : '?'}: ${required ? type : union([type, 'undefined'])}`
    }),
  )

function bodyType({ kind, schema }: NonNullable<ClientOperation['body']>, options: TypeOptions): string {
  return kind === 'json' ? typeOf(schema, options) : `Platform${BODIES[kind]}`
}

function responseType({ kind, schemas, mayBeEmpty }: ClientOperation['reply'], options: TypeOptions): string {
  if (kind === 'text') return 'string'
  if (kind === 'response') return 'unknown'
  const types = schemas.map(schema => typeOf(schema, options))
  return union([...types, ...(mayBeEmpty || types.length === 0 ? ['undefined'] : [])])
}
