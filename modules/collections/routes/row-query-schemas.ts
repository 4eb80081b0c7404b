/** Schemas of the parameters of lists and aggregates. */
import { documented, type JsonSchema, OneOf, PERIOD_STEPS, type TSchema, Type } from '@larder-dev/larder/kernel'
import { MAX_HOPS } from '../domain/conditions/resolved-condition.ts'
import { type Collection, type Collections, type Field, isOpen } from '../domain/declarations/collection.ts'
import type { ExportFormat, ExportQuery } from '../domain/exports/export-record.ts'
import { isSortable, type Operator, operatorsOf, SYSTEM_SPECS, specOf } from '../domain/fields/field-types.ts'
import type { AggregateParameters } from '../domain/queries/aggregate-query.ts'
import { FILTER_PARAMETER_PATTERN } from '../domain/queries/filters.ts'
import type { ListParameters } from '../domain/queries/list-query.ts'
import { MAX_CURSOR_LENGTH, MAX_SORT_FIELDS } from '../domain/queries/sorting.ts'
import { servedFields } from '../domain/rows/row-schemas.ts'

const Text = (description: string, maxLength = 1000) => Type.Optional(Type.String({ maxLength, description }))
/** Values are parsed with the field. */
const FilterValue = { anyOf: [{ type: 'string' }, { type: 'array', maxItems: 200, items: { type: 'string' } }] }

const shownFields = (collection: Collection) => servedFields(collection, field => !field.private)

const OPERATOR_PHRASES: Readonly<Record<Operator, string>> = {
  eq: 'is',
  ne: 'is not',
  in: 'is one of',
  notIn: 'is none of',
  exists: 'has a value',
  gt: 'is greater than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  contains: 'contains',
  startsWith: 'starts with',
  endsWith: 'ends with',
}
const PARTS: readonly Operator[] = ['contains', 'startsWith', 'endsWith']
const LISTS: readonly Operator[] = ['in', 'notIn']

/** The type of a value in a filter, without the bounds of the field: a value outside of them matches no row. */
function filterValue(schema: JsonSchema, field?: Field): JsonSchema {
  if (field?.values) return { type: 'string', enum: [...field.values] }
  const { type = 'string', format } = schema
  // A part of a URL or of an email address is none itself, and the search for one that is invalid finds nothing.
  return { type, ...((format === 'date' || format === 'date-time') && { format }) }
}

function operatorParameter(
  name: string,
  operator: Operator,
  value: JsonSchema,
  reference: string | undefined,
): [string, JsonSchema] {
  const phrase = `Rows whose ${name} ${OPERATOR_PHRASES[operator]}${operator === 'exists' ? '' : LISTS.includes(operator) ? ' these' : ' this'}`
  const other = reference === undefined ? '' : `. \`filter[${name}.field]\` is a field of the row of ${reference}`
  if (operator === 'eq') return [`filter[${name}]`, { ...value, description: `${phrase}${other}` }]
  const key = `filter[${name}][${operator}]`
  if (operator === 'exists') return [key, { type: 'boolean', description: phrase }]
  if (LISTS.includes(operator))
    return [
      key,
      {
        type: 'array',
        maxItems: 200,
        items: value,
        description: `${phrase}, in repeated parameters or separated by commas`,
      },
    ]
  return [key, { ...(PARTS.includes(operator) ? { type: 'string' } : value), description: phrase }]
}

/** A field that the document names in filters, and its name there: `level`, or `course.teacher.name`. */
interface Named {
  readonly path: string
  readonly field: Field & { readonly former?: string }
}

/** With all of them, a route would have thousands of parameters. Those over the fewest references remain. */
const MAX_PATHS = 40

/** The fields of the rows that references lead to, the nearest first. */
function pathsOf(collection: Collection, collections: Collections): Named[] {
  const found: Named[] = []
  let ends = [{ path: '', at: collection }]
  for (let hop = 0; hop < MAX_HOPS && found.length < MAX_PATHS; hop++) {
    ends = ends.flatMap(({ path, at }) =>
      currentFields(at).flatMap(({ name, reference }) => {
        const to = reference && collections.get(reference.to)
        return to ? [{ path: `${path}${name}.`, at: to }] : []
      }),
    )
    for (const { path, at } of ends)
      found.push(
        ...currentFields(at)
          .filter(field => operatorsOf(field).includes('eq'))
          .map(field => ({ path: `${path}${field.name}`, field })),
      )
  }
  return found.slice(0, MAX_PATHS)
}
const currentFields = (collection: Collection) => shownFields(collection).filter(({ former }) => former === undefined)

/** Generators of clients leave out what is neither a letter nor a digit. */
const nameInClients = (parameter: string): string => parameter.replace(/[^a-z0-9]/gi, '').toLowerCase()
const partsIn = (parameter: string): number => parameter.split(/[[.]/).length

type Parameters = readonly (readonly [name: string, schema: JsonSchema])[]
/** Two of these can have one name in a client: of `filter[notBefore]` and `filter[not][before]`, the shorter one remains. */
function withoutRepeats(parameters: Parameters): Record<string, JsonSchema> {
  const kept = new Map<string, string>()
  for (const [name] of parameters.toSorted(([a], [b]) => partsIn(a) - partsIn(b))) {
    const inClients = nameInClients(name)
    if (!kept.has(inClients)) kept.set(inClients, name)
  }
  return Object.fromEntries(parameters.filter(([name]) => kept.get(nameInClients(name)) === name))
}

/** The API document has a parameter for each field and operator, because OpenAPI can't describe nested brackets. */
function filterParameters(collection: Collection): Parameters {
  const system = Object.entries(SYSTEM_SPECS)
    .filter(([name]) => name !== 'createdBy' || !isOpen(collection))
    .flatMap(([name, { schema, operators }]) =>
      operators.map(operator => operatorParameter(name, operator, filterValue(schema), undefined)),
    )
  const own = shownFields(collection).flatMap(field =>
    operatorsOf(field).map((operator): [string, JsonSchema] => {
      const value = filterValue(specOf(field).schema, field)
      const [name, schema] = operatorParameter(field.name, operator, value, field.reference?.to)
      return [name, field.former === undefined ? schema : { ...schema, deprecated: true }]
    }),
  )
  return [...own, ...system]
}

const pathParameters = (paths: readonly Named[]): Parameters =>
  paths.map(({ path, field }) => operatorParameter(path, 'eq', filterValue(specOf(field).schema, field), undefined))

/** Two alternatives, and what is excluded. Requests can have more groups, and nest them. */
const GROUPS: Readonly<Record<string, string>> = {
  'or[0]': 'Of the groups `or[0]`, `or[1]` and so on, one must match',
  'or[1]': 'Of the groups `or[0]`, `or[1]` and so on, one must match',
  'filter[not]': 'All conditions of `not` together must not match',
}
/** With all operators, a route would have hundreds of parameters. */
const OF_GROUPS: readonly Operator[] = ['eq', 'in', 'gte', 'lte', 'contains']

function groupParameters(collection: Collection, paths: readonly Named[]): Parameters {
  const own = currentFields(collection).flatMap(field =>
    operatorsOf(field)
      .filter(operator => OF_GROUPS.includes(operator) && (operator !== 'contains' || field.reference))
      .map(operator => operatorParameter(field.name, operator, filterValue(specOf(field).schema, field), undefined)),
  )
  return Object.entries(GROUPS).flatMap(([group, description]) =>
    [...own, ...pathParameters(paths)].map(
      ([name, schema]) =>
        [
          name.replace('filter', group),
          { ...schema, description: `${String(schema.description)}. ${description}` },
        ] as const,
    ),
  )
}

const withFilters = <T>(collection: Collection, collections: Collections, properties: Record<string, TSchema>) => {
  const plain = Type.Object(properties)
  const paths = pathsOf(collection, collections)
  const filters = [...filterParameters(collection), ...groupParameters(collection, paths), ...pathParameters(paths)]
  const shown = { ...plain.properties, ...withoutRepeats(filters) }
  return documented(
    Type.Unsafe<T>({ type: 'object', properties: shown }),
    Type.Unsafe<T>({
      type: 'object',
      properties: plain.properties,
      patternProperties: { [FILTER_PARAMETER_PATTERN]: FilterValue },
      additionalProperties: false,
    }),
  )
}

/** A list in one parameter, separated by commas, or in repeated parameters, as generated clients send it. */
const SortParameter = (names: readonly string[]) =>
  Type.Optional(
    documented(
      Type.Unsafe<string | string[]>({
        type: 'array',
        maxItems: MAX_SORT_FIELDS,
        items: { type: 'string', enum: names.flatMap(name => [name, `-${name}`]) },
        description: 'Fields to sort by, `-` for descending. Newest first by default',
      }),
      Type.Unsafe<string | string[]>({
        type: ['string', 'array'],
        maxLength: 300,
        maxItems: MAX_SORT_FIELDS,
        items: { type: 'string', maxLength: 100 },
      }),
    ),
  )

/** An unknown field, which the caller may not be able to read, is refused with a suggestion. */
function TimeParameter(collection: Collection) {
  const times = shownFields(collection).filter(({ type, computed }) => {
    const stored = type === 'computed' ? computed?.of : type
    return stored === 'date' || stored === 'datetime'
  })
  return Type.Optional(
    documented(
      Type.Unsafe<string>({
        type: 'string',
        enum: ['createdAt', 'updatedAt', ...times.map(({ name }) => name)],
        description: 'With `by`: the field of the time; createdAt by default',
      }),
      Type.Unsafe<string>({ type: 'string', maxLength: 100 }),
    ),
  )
}

const Workspace = {
  workspace: Text("For public reads: ID or slug of the workspace; the product's own by default", 128),
}

const ByteOrderMark = {
  bom: Type.Optional(
    Type.Boolean({ description: 'CSV begins with a byte order mark, by which Excel recognizes UTF-8' }),
  ),
}

/** Offered if a row, or one that it refers to, can have Markdown. */
function renderParameter({ fields }: Collection, canRender: boolean): Record<string, TSchema> {
  if (!canRender || ![...fields.values()].some(({ type }) => type === 'markdown' || type === 'reference')) return {}
  const description = '`html` returns Markdown fields, also those of expanded rows, as sanitized HTML'
  return { render: Type.Optional(OneOf(['html'], { description })) }
}

export const listQuerySchema = (collection: Collection, collections: Collections, canRender: boolean) =>
  withFilters<ListParameters>(collection, collections, {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Rows per page' })),
    cursor: Text('nextCursor of the previous page', MAX_CURSOR_LENGTH),
    ...selectionParameters(collection),
    ...ByteOrderMark,
    ...renderParameter(collection, canRender),
    include: Type.Optional(OneOf(['total'], { description: '`total` counts all matching rows' })),
    ...Workspace,
  })

export const exportQuerySchema = (collection: Collection, collections: Collections) =>
  withFilters<ExportQuery & { readonly format?: ExportFormat }>(collection, collections, {
    format: Type.Optional(OneOf(['csv', 'ndjson'], { description: '`csv` by default' })),
    ...selectionParameters(collection),
    ...ByteOrderMark,
  })

/** Which fields of which rows, in which order. */
function selectionParameters(collection: Collection) {
  const sortable = shownFields(collection)
    .filter(isSortable)
    .map(({ name }) => name)
  const systemSortable = Object.entries(SYSTEM_SPECS).flatMap(([name, spec]) => (spec.sortable ? [name] : []))
  const references = shownFields(collection).flatMap(({ name, reference }) => (reference ? [name] : []))
  return {
    sort: SortParameter([...systemSortable, ...sortable]),
    fields: Text('Names of the fields to return beside `id`; all by default', 5000),
    ...(references.length > 0 && { expand: Text(`References to return as rows: ${references.join(', ')}`, 1000) }),
    ...(collection.search.length > 0 && {
      q: Text(`Words to find in ${collection.search.join(', ')}; \`mat*\` finds words that begin with mat`, 500),
    }),
  }
}

/** Query of lists that have one order and no filters. */
export const pageQuerySchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Entries per page' })),
  cursor: Text('nextCursor of the previous page', MAX_CURSOR_LENGTH),
})

export function rowQuerySchema(collection: Collection, canRender: boolean) {
  const references = shownFields(collection).flatMap(({ name, reference }) => (reference ? [name] : []))
  return Type.Unsafe<Pick<ListParameters, 'fields' | 'expand' | 'workspace' | 'render'>>(
    Type.Object({
      fields: Text('Names of the fields to return beside `id`; all by default', 5000),
      ...(references.length > 0 && { expand: Text(`References to return as rows: ${references.join(', ')}`, 1000) }),
      ...renderParameter(collection, canRender),
      ...Workspace,
    }),
  )
}

const Day = (description: string) =>
  Type.Optional(Type.String({ format: 'date', description, examples: ['2026-11-01'] }))

export const aggregateQuerySchema = (collection: Collection, collections: Collections) =>
  withFilters<AggregateParameters>(collection, collections, {
    group: Text('Up to three fields', 300),
    by: Type.Optional(
      OneOf([...PERIOD_STEPS], {
        description:
          'Periods instead of groups: all of them, the oldest first, also those without rows. Weeks begin on Monday',
      }),
    ),
    time: TimeParameter(collection),
    from: Day('With `by`: a day of the first period; by default 30 days, 12 weeks or 12 months ago'),
    to: Day('With `by`: a day of the last period, which is today by default'),
    timeZone: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'With `by`: IANA name of the time zone of the periods; UTC by default',
        examples: ['Europe/Berlin'],
      }),
    ),
    count: Type.Optional(Type.String({ maxLength: 5, description: 'Groups are always counted' })),
    sum: Text('Number fields to add up', 1000),
    avg: Text('Number fields to average', 1000),
    min: Text('Fields whose smallest value is returned', 1000),
    max: Text('Fields whose largest value is returned', 1000),
    // Without a default, which would be there beside `by`.
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, description: 'Groups, largest first; 100 by default' }),
    ),
    ...Workspace,
  })
