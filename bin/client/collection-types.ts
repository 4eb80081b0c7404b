/** The types of collections in a generated client. Pure. */
import {
  type ApiDocument,
  type CollectionExtension,
  type CollectionField,
  collectionOf,
  type Operation,
  operationsOf,
  type Schema,
} from './document.ts'
import { errorCodes } from './operations.ts'
import { codesType, type ResourceOptions } from './resources.ts'
import { indent, literal, typeOf, union } from './schema-types.ts'
import { identifier, propertyKey } from './text.ts'

export interface ClientCollection {
  readonly extension: CollectionExtension
  /** `/v1/data/courses`. */
  readonly path: string
  /** Those of the operations list, create, upsert, get, update and delete that the document has. */
  readonly operations: Readonly<Record<string, Operation>>
}

/** The collections of a document, sorted by name. */
export function collectionsOf(document: ApiDocument): ClientCollection[] {
  const found = new Map<string, ClientCollection>()
  const paths = Object.entries(document.paths ?? {}).toSorted(([a], [b]) => a.length - b.length)
  for (const [path, item] of paths) {
    const extension = collectionOf(item)
    if (!extension) continue
    const known = found.get(extension.name)
    const operations = Object.fromEntries(
      operationsOf(item).map(([method, operation]) => [NAMES[`${known ? 'item' : 'base'} ${method}`] ?? '', operation]),
    )
    if (!known) found.set(extension.name, { extension, path, operations })
    else if (isItem(known.path, path))
      found.set(extension.name, { ...known, operations: { ...known.operations, ...operations } })
  }
  return [...found.values()].toSorted((a, b) => (a.extension.name < b.extension.name ? -1 : 1))
}

const NAMES: Readonly<Record<string, string>> = {
  'base get': 'list',
  'base post': 'create',
  'base put': 'upsert',
  'item get': 'get',
  'item patch': 'update',
  'item delete': 'delete',
}

/** True for `/v1/data/courses/{id}` and `/v1/data/courses`. */
const isItem = (base: string, path: string): boolean =>
  path.startsWith(`${base}/`) && /^\{\w+\}$/.test(path.slice(base.length + 1))

/** True for the paths whose calls `CollectionClient` has. */
export const isCorePath = (collections: readonly ClientCollection[], path: string): boolean =>
  collections.some(({ path: base }) => path === base || path === `${base}/aggregate` || isItem(base, path))

/** `Collections`, with the types of each collection. */
export function collectionTypes(
  document: ApiDocument,
  collections: readonly ClientCollection[],
  options: ResourceOptions,
): string {
  if (collections.length === 0) return ''
  const entries = collections.map(
    collection => `${propertyKey(collection.extension.name)}: ${entry(document, collection, options)}`,
  )
  return ['export interface Collections {', ...entries.map(indent), '}'].join('\n')
}

function entry(document: ApiDocument, { extension, operations }: ClientCollection, options: ResourceOptions): string {
  const { fields, schemas, name, expandable } = extension
  const row = rowSchema(operations) ?? component(schemas?.row ?? singular(name))
  const filters = Object.entries(fields).filter(([, { operators }]) => operators !== undefined && operators.length > 0)
  const references = Object.entries(fields).filter(
    ([field, { reference }]) => reference && (expandable?.includes(field) ?? true),
  )
  const sortable = Object.entries(fields).flatMap(([field, { sortable }]) => (sortable ? [literal(field)] : []))
  const codes = (operation: string) =>
    codesType(operations[operation] ? errorCodes(document, operations[operation]) : [], options)
  const rowType = typeOf(row, options)
  return [
    '{',
    `  row: ${indent(rowType).trimStart()}`,
    // The body of the route can also be a list.
    `  create: ${schemas?.create ? typeOf(component(schemas.create), { ...options, input: true }) : indent(bodyType(operations.create, options)).trimStart()}`,
    `  update: ${indent(bodyType(operations.update, options)).trimStart()}`,
    ...block(
      'filter',
      filters.map(
        ([field, { operators = [], ...rest }]) =>
          `${propertyKey(field)}?: FieldFilter<${valueType(field, rest, rowType)}, ${union(operators.map(literal))}> | undefined`,
      ),
    ),
    `  sort: ${union(sortable) || 'never'}`,
    ...(extension.visitors ? ['  visitors: true'] : []),
    ...block(
      'references',
      references.map(
        ([field, { reference }]) => `${propertyKey(field)}: Reference<'${reference?.to}', ${reference?.many ?? false}>`,
      ),
    ),
    ...block(
      'errors',
      ['list', 'get', 'create', 'upsert', 'update', 'delete'].map(operation => `${operation}: ${codes(operation)}`),
    ),
    '}',
  ].join('\n')
}

/** A public collection replies to some people with the ID alone. */
const block = (name: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [`  ${name}: {}`] : [`  ${name}: {`, ...lines.map(line => `    ${line}`), '  }']

const component = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const singular = (name: string): string => identifier(name).replace(/ies$/, 'y').replace(/s$/, '')

function rowSchema({ get }: ClientCollection['operations']): Schema | undefined {
  return get?.responses?.['200']?.content?.['application/json']?.schema
}

function bodyType(operation: Operation | undefined, options: ResourceOptions): string {
  const schema = operation?.requestBody?.content?.['application/json']?.schema
  return schema ? typeOf(schema, { ...options, input: true }) : 'never'
}

/** The type of the field in the row; of one value, if the field is a list of them. */
function valueType(
  field: string,
  { reference }: CollectionField | Omit<CollectionField, 'operators'>,
  row: string,
): string {
  if (reference) return 'string'
  const own = `${/[|&{]/.test(row) ? `(${row})` : row}['${field.replaceAll("'", "\\'")}']`
  return `NonNullable<${own}>`
}
