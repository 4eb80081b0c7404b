/** The operations of the API, as resources refer to them. Pure. */
import { isRecord, type JsonSchema, type Ports, type TSchema } from '@larder-dev/larder/kernel'
import { docsOf, wholeSchema } from '@larder-dev/larder/kernel/internal'

export type Endpoint = ReturnType<Ports['http']['endpoints']>[number]

export interface Operation {
  readonly id: string
  readonly endpoint: Endpoint
  readonly method: string
  /** As in the API document: `/v1/content/pages/{id}`. */
  readonly path: string
  readonly pathParameters: readonly string[]
  /** Schemas; undefined without a query, a body or a JSON reply, and for rows of operations that don't return a list. */
  readonly query: JsonSchema | undefined
  readonly body: JsonSchema | undefined
  readonly reply: JsonSchema | undefined
  readonly row: JsonSchema | undefined
}

export type Operations = ReadonlyMap<string, Operation>

/** Routes and raw routes by the `operationId` that they declare. */
export function operationsOf(endpoints: readonly Endpoint[]): Operations {
  const found = endpoints
    .filter(({ kind }) => kind === 'route' || kind === 'raw')
    .flatMap(endpoint => {
      const id = endpoint.route?.operationId ?? endpoint.operationId
      return id === undefined ? [] : [[id, toOperation(id, endpoint)] as const]
    })
  return new Map(found)
}

function toOperation(id: string, endpoint: Endpoint): Operation {
  const { method, path, route, docs } = endpoint
  const lazily = lazySchema()
  return {
    id,
    endpoint,
    method,
    path: path.replace(/:(\w+)/g, '{$1}'),
    pathParameters: [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string),
    get query() {
      return lazily(route?.query ?? docs?.query)
    },
    get body() {
      return lazily(route?.body ?? Object.values(docs?.body ?? {})[0])
    },
    get reply() {
      return lazily(Object.values(route?.replies ?? {})[0])
    },
    get row() {
      return rowOf(this.reply)
    },
  }
}

/** Schemas are converted when they are needed, because few operations belong to a resource. */
function lazySchema(): (schema: TSchema | null | undefined) => JsonSchema | undefined {
  const made = new Map<TSchema, JsonSchema>()
  return schema => {
    if (!schema) return undefined
    const known = made.get(schema) ?? wholeSchema({ close: false, dialect: '2020-12' }, docsOf(schema) ?? schema)
    made.set(schema, known)
    return known
  }
}

/** The schema of the rows in `{ data: [...] }`. */
function rowOf(list: JsonSchema | undefined): JsonSchema | undefined {
  const data = list && propertyOf(list, 'data', list)
  const items = data && data !== ANY ? data.items : undefined
  return isRecord(items) ? { ...items, $defs: list?.$defs } : undefined
}

/** A value that the schema doesn't describe. */
const ANY: JsonSchema = {}

/** Whether an object of this schema has the property; `a.b` for nested ones. */
export function hasProperty(schema: JsonSchema, path: string): boolean {
  let at: JsonSchema | undefined = schema
  for (const name of path.split('.')) {
    at = at && propertyOf(at, name, schema)
    if (at === ANY) return true
  }
  return at !== undefined
}

/** Whether a query of this schema has the parameter: `status`, `filter[type]`, or a property of an object `filter`. */
export function hasParameter(query: JsonSchema, name: string): boolean {
  const { properties = {} } = query
  if (isRecord(properties) && Object.hasOwn(properties, name)) return true
  const names = name.split(/\[|\]\[|\]$/).filter(part => part !== '')
  return names.length > 1 && hasProperty(query, names.join('.'))
}

/** Names of the properties at the top of an object. */
export function propertyNames(schema: JsonSchema): string[] {
  const own = Object.keys(isRecord(schema.properties) ? schema.properties : {})
  const parts = partsOf(schema, schema).flatMap(propertyNames)
  return [...new Set([...own, ...parts])]
}

/** The schema of a property; `ANY` where an object allows others, undefined where no part of the schema has it. */
function propertyOf(schema: JsonSchema, name: string, root: JsonSchema): JsonSchema | undefined {
  const { properties, items, additionalProperties } = schema
  if (isRecord(properties) && Object.hasOwn(properties, name)) return (properties[name] ?? ANY) as JsonSchema
  for (const part of partsOf(schema, root)) {
    const found = propertyOf(part, name, root)
    if (found) return found
  }
  if (isRecord(items)) return undefined
  const isOpen = additionalProperties === true || isRecord(additionalProperties) || !describesSomething(schema)
  return isOpen && !isRecord(properties) ? ANY : undefined
}

const describesSomething = (schema: JsonSchema): boolean =>
  ['type', 'properties', '$ref', 'anyOf', 'oneOf', 'allOf', 'const', 'enum'].some(key => key in schema)

/** Alternatives of a schema, its parts, and the schema that it refers to. */
export function partsOf(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  const parts = [schema.anyOf, schema.oneOf, schema.allOf].flatMap(list => (Array.isArray(list) ? list : []))
  const { $ref } = schema
  const name = typeof $ref === 'string' ? $ref.replace(/^#\/\$defs\//, '') : undefined
  const target = name !== undefined && isRecord(root.$defs) ? root.$defs[name] : undefined
  return [...parts, target].filter(isRecord)
}

/** Schemas of the bodies that create and change a record. */
export const bodiesOf = (
  operations: Operations,
  ids: { readonly create?: string; readonly update?: string },
): JsonSchema[] =>
  [ids.create, ids.update].flatMap(id => {
    const body = id === undefined ? undefined : operations.get(id)?.body
    return body ? [body] : []
  })
