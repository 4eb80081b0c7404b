/** Names of operations and schemas in the API documents. Pure. */
import { type AnyRoute, named, nameOf } from '@larder-dev/larder/kernel/internal'
import type { TSchema } from 'typebox'
import type { Endpoint } from '../../types.ts'
import { assertSameShape, namesIn } from './components.ts'

/** `session_ended`, `session.ended` or `sessionEnded` → `SessionEnded`. */
export const pascalCase = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** Derived from method and path if the route declares none: `GET /v1/forms/:id` → `getFormsById`. */
export const operationIdOf = ({ method, path, route, operationId }: Endpoint): string =>
  route?.operationId ?? operationId ?? derivedId(method, path)

function derivedId(method: string, path: string): string {
  const words = path
    .replace(/^\/v1\//, '/')
    .split(/[^\w:*]+/)
    .filter(Boolean)
    .map(part => (part.startsWith(':') ? `by_${part.slice(1)}` : part === '*' ? 'any' : part))
  return method.toLowerCase() + pascalCase(words.join('_'))
}

/**
 * The JSON body of a route. A body without a name is named after the operation, and differs from it: generators name what is
 * in an operation by its ID, and what is in a schema by its name, for example `CreatePageBody`.
 */
export function bodySchemaOf(operationId: string, { body }: AnyRoute): TSchema | undefined {
  const isNameable = body && ('properties' in body || 'allOf' in body || 'anyOf' in body)
  return isNameable && nameOf(body) === undefined ? named(`${pascalCase(operationId)}Input`, body) : body
}

/** Throws an Error that names both places if two operations have one ID, or if two schemas have one name. */
export function assertUniqueNames(endpoints: readonly Endpoint[]): void {
  const operations = new Map<string, string>()
  const schemas = new Map<string, { schema: TSchema; place: string }>()
  for (const endpoint of endpoints.filter(({ kind }) => kind === 'route' || kind === 'raw')) {
    const place = `${endpoint.method} ${endpoint.path}`
    const operationId = operationIdOf(endpoint)
    const other = operations.get(operationId)
    if (other !== undefined) throw new Error(`Two operations are named '${operationId}': ${other} and ${place}`)
    operations.set(operationId, place)
    for (const root of schemasOf(endpoint, operationId))
      for (const [name, schema] of namesIn(root)) {
        const known = schemas.get(name)
        if (known) assertSameShape(name, known, { schema, place })
        else schemas.set(name, { schema, place })
      }
  }
}

function* schemasOf({ route, docs }: Endpoint, operationId: string): Generator<TSchema> {
  const body = route && bodySchemaOf(operationId, route)
  const media = [docs?.body ?? {}, ...Object.values(docs?.replies ?? {})].flatMap(media => Object.values(media ?? {}))
  for (const schema of [body, route?.query, docs?.query, ...Object.values(route?.replies ?? {}), ...media])
    if (schema) yield schema
}
