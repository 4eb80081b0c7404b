/** The parts of an OpenAPI 3.1 document that the client generator reads. */

/** A JSON Schema object. `true` and `{}` accept any value, `false` none. */
export interface Schema {
  readonly [keyword: string]: unknown
}

export interface MediaType {
  readonly schema?: Schema
}

export interface Response {
  readonly $ref?: string
  readonly description?: string
  readonly content?: Readonly<Record<string, MediaType>>
}

export interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
}

export interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content?: Readonly<Record<string, MediaType>> }
  readonly responses?: Readonly<Record<string, Response>>
}

export type PathItem = { readonly [key: string]: unknown }

export interface ApiDocument {
  readonly info?: { readonly title?: string; readonly version?: string }
  readonly paths?: Readonly<Record<string, PathItem>>
  readonly webhooks?: Readonly<Record<string, PathItem>>
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>
    readonly responses?: Readonly<Record<string, Response>>
    readonly parameters?: Readonly<Record<string, Parameter>>
  }
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
export type Method = (typeof METHODS)[number]

/** The operations of a path, in the order of `METHODS`. */
export const operationsOf = (item: PathItem): (readonly [Method, Operation])[] =>
  METHODS.flatMap(method => (item[method] ? [[method, item[method] as Operation] as const] : []))

/** The referenced value for `{ $ref }`, otherwise the value itself. Throws for a reference that leads nowhere. */
export function resolve<T extends object>(document: ApiDocument, value: T): T {
  const reference = (value as { $ref?: unknown }).$ref
  if (typeof reference !== 'string') return value
  let found: unknown = document
  for (const key of reference.replace(/^#\//, '').split('/'))
    found = (found as Record<string, unknown> | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')]
  if (typeof found !== 'object' || found === null) throw new Error(`The API document has no ${reference}.`)
  return resolve(document, found as T)
}

/** Fields of collections, in the extension `x-larder-collection` of a path or an operation. */
export interface CollectionField {
  readonly type: string
  /** Operators of `filter[field][operator]`; missing for a field that can't be filtered. */
  readonly operators?: readonly string[]
  readonly sortable?: boolean
  readonly reference?: { readonly to: string; readonly many?: boolean }
}

export interface CollectionExtension {
  readonly name: string
  readonly fields: Readonly<Record<string, CollectionField>>
  /** Names of references that `expand` accepts; all references by default. */
  readonly expandable?: readonly string[]
  readonly searchable?: boolean
  /** Whether people who are not signed in may create rows. */
  readonly visitors?: true
  readonly schemas?: { readonly row?: string; readonly create?: string; readonly update?: string }
}

export function collectionOf(item: PathItem): CollectionExtension | undefined {
  const own = item['x-larder-collection']
  const inner = operationsOf(item).map(([, operation]) => (operation as PathItem)['x-larder-collection'])
  return [own, ...inner].find(value => value !== undefined) as CollectionExtension | undefined
}
