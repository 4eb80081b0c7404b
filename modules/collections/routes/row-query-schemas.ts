/** Schemas of the parameters of lists and aggregates. */
import { type JsonSchema, OneOf, type TSchema, Type } from '@larder-dev/larder/kernel'
import type { AggregateParameters } from '../domain/aggregate-query.ts'
import type { Collection, Field } from '../domain/collection.ts'
import type { ExportFormat, ExportQuery } from '../domain/export-record.ts'
import { isSortable, operatorsOf, SYSTEM_SPECS, specOf } from '../domain/field-types.ts'
import { FILTER_PARAMETER_PATTERN } from '../domain/filters.ts'
import type { ListParameters } from '../domain/list-query.ts'
import { MAX_CURSOR_LENGTH } from '../domain/sorting.ts'

const Text = (description: string, maxLength = 1000) => Type.Optional(Type.String({ maxLength, description }))
/** Values are parsed with the field. */
const FilterValue = { anyOf: [{ type: 'string' }, { type: 'array', maxItems: 200, items: { type: 'string' } }] }

const shownFields = ({ fields }: Collection): Field[] => [...fields.values()].filter(field => !field.private)

/** For the API document: a request has `filter[level]=beginner` or `filter[price][lte]=1000`. */
function filterSchema(collection: Collection): JsonSchema {
  const operators = (schema: JsonSchema, names: readonly string[]) => ({
    type: 'object',
    properties: Object.fromEntries(names.map(name => [name, name === 'exists' ? { type: 'boolean' } : schema])),
    additionalProperties: false,
  })
  const own = shownFields(collection).map(field => {
    const { type, enum: words } = { type: 'string', enum: field.values ? [...field.values] : undefined }
    const value = { type: specOf(field).schema.type ?? type, ...(words && { enum: words }) }
    return [field.name, operators(value, operatorsOf(field))] as const
  })
  const system = Object.entries(SYSTEM_SPECS).map(([name, { schema, operators: names }]) => [
    name,
    operators({ type: schema.type }, names),
  ])
  return {
    type: 'object',
    description:
      'Conditions that must all match: `filter[level]=beginner`, `filter[price][lte]=1000`, `filter[category.name]=Math`',
    properties: Object.fromEntries([...own, ...system]),
    additionalProperties: { type: 'object' },
  }
}

const Alternatives = {
  type: 'array',
  maxItems: 10,
  items: { type: 'object' },
  description: 'Conditions of which one group must match: `or[0][level]=beginner&or[1][price][lte]=1000`',
}

const withFilters = <T>(collection: Collection, properties: Record<string, TSchema>) => {
  const { properties: given } = Type.Object(properties)
  const optional = { filter: filterSchema(collection), or: Alternatives }
  return Type.Unsafe<T>({
    type: 'object',
    properties: { ...given, ...optional },
    patternProperties: { [FILTER_PARAMETER_PATTERN]: FilterValue },
    additionalProperties: false,
  })
}

const Workspace = {
  workspace: Text("For public reads: ID or slug of the workspace; the product's own by default", 128),
}

const ByteOrderMark = {
  bom: Type.Optional(
    Type.Boolean({ description: 'CSV begins with a byte order mark, by which Excel recognizes UTF-8' }),
  ),
}

export const listQuerySchema = (collection: Collection) =>
  withFilters<ListParameters>(collection, {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Rows per page' })),
    cursor: Text('nextCursor of the previous page', MAX_CURSOR_LENGTH),
    ...selectionParameters(collection),
    ...ByteOrderMark,
    include: Type.Optional(OneOf(['total'], { description: '`total` counts all matching rows' })),
    ...Workspace,
  })

export const exportQuerySchema = (collection: Collection) =>
  withFilters<ExportQuery & { readonly format?: ExportFormat }>(collection, {
    format: Type.Optional(OneOf(['csv', 'ndjson'], { description: '`csv` by default' })),
    ...selectionParameters(collection),
    ...ByteOrderMark,
  })

/** Which fields of which rows, in which order. */
function selectionParameters(collection: Collection) {
  const sortable = shownFields(collection)
    .filter(isSortable)
    .map(({ name }) => name)
  const references = shownFields(collection).flatMap(({ name, reference }) => (reference ? [name] : []))
  return {
    sort: Text(`Up to three of ${['createdAt', 'updatedAt', ...sortable].join(', ')}; \`-\` for descending`, 300),
    fields: Text('Names of the fields to return; all by default', 5000),
    ...(references.length > 0 && { expand: Text(`References to return as rows: ${references.join(', ')}`, 1000) }),
    ...(collection.search.length > 0 && { q: Text(`Words to find in ${collection.search.join(', ')}`, 500) }),
  }
}

/** Of lists that have one order and no filters. */
export const pageQuerySchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Entries per page' })),
  cursor: Text('nextCursor of the previous page', MAX_CURSOR_LENGTH),
})

export function rowQuerySchema(collection: Collection) {
  const references = shownFields(collection).flatMap(({ name, reference }) => (reference ? [name] : []))
  return Type.Unsafe<Pick<ListParameters, 'fields' | 'expand' | 'workspace'>>(
    Type.Object({
      fields: Text('Names of the fields to return; all by default', 5000),
      ...(references.length > 0 && { expand: Text(`References to return as rows: ${references.join(', ')}`, 1000) }),
      ...Workspace,
    }),
  )
}

export const aggregateQuerySchema = (collection: Collection) =>
  withFilters<AggregateParameters>(collection, {
    group: Text('Up to three fields', 300),
    count: Type.Optional(Type.String({ maxLength: 5, description: 'Groups are always counted' })),
    sum: Text('Number fields to add up', 1000),
    avg: Text('Number fields to average', 1000),
    min: Text('Fields whose smallest value is returned', 1000),
    max: Text('Fields whose largest value is returned', 1000),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Groups, largest first' }),
    ),
    ...Workspace,
  })
