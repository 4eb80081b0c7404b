/** The API document. The browser revalidates it by its ETag, so that it is sent once for each version of the product. */
import { useQuery } from '@tanstack/react-query'
import { callApi } from './api.ts'
import type { Collection, CollectionField } from './collection.ts'
import type { Loaded } from './get.ts'
import { keys } from './keys.ts'
import { type JsonSchema, resolveSchema, type Schemas } from './schema.ts'

interface Parameter {
  readonly $ref?: string
  readonly name?: string
  readonly in?: string
  readonly description?: string
  readonly schema?: JsonSchema
}
interface DocumentedOperation {
  readonly operationId?: string
  readonly summary?: string
  readonly 'x-larder-collection'?: Collection
  readonly 'x-larder-fields'?: Readonly<Record<string, Pick<CollectionField, 'type' | 'reference' | 'currency'>>>
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>> }
  readonly responses?: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>> }>
  >
}
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components?: { readonly schemas?: Schemas }
}

export interface QueryParameter {
  readonly name: string
  readonly description: string | undefined
  readonly schema: JsonSchema
}
export interface ApiDocument {
  readonly schemas: Schemas
  has(operationId: string): boolean
  /** Schema of the JSON body; undefined for operations without one. */
  body(operationId: string): JsonSchema | undefined
  /** Schema of the first successful JSON reply. */
  reply(operationId: string): JsonSchema | undefined
  queryParameters(operationId: string): readonly QueryParameter[]
  summary(operationId: string): string | undefined
  /** The collection of an operation that lists or returns its rows. */
  collection(operationId: string): Collection | undefined
  /** Fields of the body that are those of a collection, such as amounts and references. */
  fields(operationId: string): Readonly<Record<string, CollectionField>> | undefined
}

function readDocument({ paths, components = {} }: OpenApi): ApiDocument {
  const schemas = components.schemas ?? {}
  const byId = new Map<string, DocumentedOperation>()
  for (const operations of Object.values(paths))
    for (const operation of Object.values(operations))
      if (operation.operationId) byId.set(operation.operationId, operation)
  const json = (content: Readonly<Record<string, { readonly schema?: JsonSchema }>> | undefined) =>
    content?.['application/json']?.schema
  const resolved = (schema: JsonSchema | undefined) => schema && resolveSchema(schema, schemas)
  return {
    schemas,
    has: id => byId.has(id),
    body: id => resolved(json(byId.get(id)?.requestBody?.content)),
    reply(id) {
      const replies = Object.entries(byId.get(id)?.responses ?? {})
      return resolved(json(replies.find(([status]) => status.startsWith('2'))?.[1].content))
    },
    queryParameters: id =>
      (byId.get(id)?.parameters ?? []).flatMap(({ name, in: place, description, schema = {} }) =>
        place === 'query' && name ? [{ name, description, schema: resolveSchema(schema, schemas) }] : [],
      ),
    summary: id => byId.get(id)?.summary,
    collection: id => byId.get(id)?.['x-larder-collection'],
    fields: id => {
      const fields = byId.get(id)?.['x-larder-fields']
      return (
        fields &&
        Object.fromEntries(
          Object.entries(fields).map(([name, field]) => [name, { operators: [], sortable: false, ...field }]),
        )
      )
    },
  }
}

export const useDocument = (): Loaded<ApiDocument> =>
  useQuery<ApiDocument>({
    queryKey: keys.document,
    queryFn: async ({ signal }) => {
      const { body } = await callApi<OpenApi>({ path: '/v1/platform/openapi.json', signal })
      return readDocument(body)
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
