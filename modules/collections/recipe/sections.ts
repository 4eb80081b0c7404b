/** The section `collections` of a recipe. */
import { DURATION_PATTERN, localTextOf, OneOf, SIZE_PATTERN, type Static, Type } from 'larder/kernel'
import { type FieldType, MAX_COLLECTIONS, MAX_FIELDS } from '../domain/collection.ts'
import type { Operators } from '../domain/condition.ts'
import type { DeclaredCollection, DeclaredField } from '../domain/declaration.ts'
import { MAX_EXPRESSION_LENGTH } from '../domain/expression.ts'
import { COLLECTION_NAME_PATTERN, FIELD_NAME_PATTERN, MAX_NAME_LENGTH } from '../domain/reserved.ts'

/** Characters. */
const MAX_TEXT = 1_000_000
const MAX_INLINE_ROWS = 1000
const MAX_HISTORY = 1000
const MAX_CONDITIONS = 20

const Text = localTextOf(Type.String({ minLength: 1, maxLength: 500 }))
const CollectionName = { type: 'string', maxLength: MAX_NAME_LENGTH, pattern: COLLECTION_NAME_PATTERN }
const FieldName = { type: 'string', maxLength: MAX_NAME_LENGTH, pattern: FIELD_NAME_PATTERN }
const RoleKey = { type: 'string', pattern: '^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$', examples: ['tenant.member'] }
const Flag = (description: string) => ({ type: 'boolean', description })
const Roles = (description: string) => ({
  type: 'array',
  minItems: 1,
  maxItems: 50,
  items: RoleKey,
  description,
  examples: [['tenant.member']],
})

/** Options of every type that stores a value. */
const written = {
  required: Flag('Whether a row must have a value'),
  writeOnce: Flag('Set when the row is created, and never changed'),
  readOnly: Flag('Written by hooks and seeds only'),
  write: Roles('Roles that may write the field; all that may write the row by default'),
}
const common = {
  label: { ...Text, description: 'Name of the field in the console, or one per locale', examples: ['Title'] },
  help: { ...Text, description: 'Help text in the console, or one per locale' },
  private: Flag('Never leaves the API: not in replies, filters, sorts, events or exports'),
  read: Roles('Roles that may read the field; all that may read the row by default'),
  was: { ...FieldName, description: 'Earlier name of a renamed field, which keeps its values' },
}
const unique = Flag('Whether a value can occur only once in a workspace')
const index = Flag('Creates an index, for filters and sorting')
const length = (name: string) => ({
  type: 'integer',
  minimum: 0,
  maximum: MAX_TEXT,
  description: `${name} number of characters`,
})
const lengths = { minLength: length('Smallest'), maxLength: length('Largest') }
const textDefault = { type: 'string', description: 'Value of a new row that has none' }
const pattern = {
  type: 'string',
  minLength: 1,
  maxLength: 500,
  description: 'Regular expression (RE2) that values match',
  examples: ['^[A-Z]{3}$'],
}
const keys = { unique, index }
const limits = (value: object) => ({
  min: { ...value, description: 'Smallest value' },
  max: { ...value, description: 'Largest value' },
  default: { ...value, description: 'Value of a new row that has none' },
})
const integer = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
const dateText = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-01-31'] }
const timeText = { type: 'string', format: 'date-time', examples: ['2026-01-31T12:00:00Z'] }
const durationText = { type: 'string', pattern: DURATION_PATTERN, examples: ['90m'] }

/** The options of each type. */
const OPTIONS = {
  text: { ...written, ...lengths, ...keys, pattern, default: textDefault },
  longtext: { ...written, ...lengths, default: textDefault },
  markdown: { ...written, ...lengths, default: textDefault },
  slug: {
    ...written,
    ...keys,
    maxLength: lengths.maxLength,
    from: { ...FieldName, description: 'Text field from which a missing slug is made', examples: ['title'] },
  },
  email: { ...written, ...keys, default: textDefault },
  url: { ...written, ...keys, maxLength: lengths.maxLength, default: textDefault },
  integer: { ...written, ...keys, ...limits(integer) },
  number: { ...written, ...keys, ...limits({ type: 'number' }) },
  money: {
    ...written,
    ...keys,
    currency: { type: 'string', pattern: '^[A-Z]{3}$', description: 'ISO 4217', examples: ['EUR'] },
    ...limits({ ...integer }),
  },
  boolean: { ...written, index, default: { type: 'boolean', description: 'Value of a new row that has none' } },
  date: { ...written, ...keys, ...limits(dateText) },
  datetime: { ...written, ...keys, ...limits(timeText) },
  duration: { ...written, ...keys, ...limits(durationText) },
  enum: {
    ...written,
    ...keys,
    values: {
      type: 'array',
      minItems: 1,
      maxItems: 200,
      uniqueItems: true,
      items: { type: 'string', minLength: 1, maxLength: 100 },
      description: 'Allowed values',
      examples: [['draft', 'published']],
    },
    default: textDefault,
  },
  json: {
    ...written,
    schema: { type: 'object', description: 'JSON Schema of the value', examples: [{ type: 'array' }] },
    default: { description: 'Value of a new row that has none' },
  },
  file: {
    ...written,
    accept: {
      type: 'array',
      minItems: 1,
      maxItems: 50,
      items: { type: 'string', pattern: '^[a-z]+/(\\*|[A-Za-z0-9.+-]+)$', examples: ['image/*'] },
      description: 'Media types',
      examples: [['image/*']],
    },
    maxSize: { type: 'string', pattern: SIZE_PATTERN, description: 'Largest size of a file', examples: ['5MB'] },
  },
  member: { ...written, ...keys },
  reference: {
    ...written,
    ...keys,
    to: { ...CollectionName, description: 'The collection that rows refer to', examples: ['categories'] },
    many: Flag('Whether a row refers to several rows'),
    onDelete: OneOf(['restrict', 'clear', 'cascade'], {
      description:
        'When the other row is deleted: refuse, remove the reference, or delete this row; restrict by default',
    }),
  },
  computed: {
    index,
    expression: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_EXPRESSION_LENGTH,
      description: 'Expression over fields of the row',
      examples: ['price * seats'],
    },
    of: OneOf(['text', 'number', 'integer', 'boolean'], { description: 'Type of the result' }),
  },
} satisfies Record<FieldType, Record<string, object>>

const REQUIRED: { readonly [Type in FieldType]?: readonly string[] } = {
  money: ['currency'],
  enum: ['values'],
  reference: ['to'],
  computed: ['expression', 'of'],
}

const type = { type: 'string', enum: Object.keys(OPTIONS), description: 'Type of the field', examples: ['text'] }

/** One alternative per type, chosen by `type`, so that only the errors of that type are reported. */
const variant = ([name, options]: [string, object]) => ({
  if: { properties: { type: { const: name } }, required: ['type'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: {
    type: 'object',
    properties: { type: { const: name }, ...options, ...common },
    required: REQUIRED[name as FieldType] ?? [],
    additionalProperties: false,
  },
})
const Field = Type.Unsafe<DeclaredField>({
  type: 'object',
  required: ['type'],
  properties: { type },
  allOf: Object.entries(OPTIONS).map(variant),
  examples: [{ type: 'text', required: true }],
})

const scalar = { type: ['string', 'number', 'boolean'], maxLength: 1000 }
const text = { type: 'string', minLength: 1, maxLength: 1000 }
const comparable = { type: ['number', 'string'], maxLength: 1000 }
const scalars = { type: 'array', minItems: 1, maxItems: 1000, items: scalar }
const operators: Record<keyof Operators, object> = {
  eq: scalar,
  ne: scalar,
  in: scalars,
  notIn: scalars,
  gt: comparable,
  gte: comparable,
  lt: comparable,
  lte: comparable,
  contains: scalar,
  startsWith: text,
  endsWith: text,
  exists: { type: 'boolean' },
}
const Rule = {
  type: ['boolean', 'object'],
  minProperties: 1,
  maxProperties: MAX_CONDITIONS,
  additionalProperties: {
    type: ['string', 'number', 'boolean', 'object'],
    maxLength: 1000,
    minProperties: 1,
    additionalProperties: false,
    properties: operators,
  },
  description: 'true for every row, or conditions on fields that must all match',
  examples: [true],
}
const rules = (action: string, example: object) => ({
  type: 'object',
  additionalProperties: Rule,
  description: `Roles that may ${action} rows, with the rows they may ${action}`,
  examples: [example],
})
const Access = {
  type: 'object',
  additionalProperties: false,
  properties: {
    read: {
      ...rules('read', { 'tenant.member': true }),
      description:
        'Roles that may read rows, with the rows they may read; anyone includes people who are not signed in',
    },
    create: rules('create', { 'tenant.member': true }),
    update: rules('update', { 'tenant.member': { createdBy: '$user' } }),
    delete: rules('delete', { 'tenant.owner': true }),
  },
  description: 'Who may read and write rows; owners may by default',
}

const FieldNames = (description: string, example: readonly string[]) => ({
  type: 'array',
  minItems: 1,
  maxItems: MAX_FIELDS,
  uniqueItems: true,
  items: { type: 'string', minLength: 1, maxLength: 100 },
  description,
  examples: [example],
})

const CollectionSchema = Type.Unsafe<DeclaredCollection>({
  type: 'object',
  required: ['fields'],
  additionalProperties: false,
  properties: {
    label: { ...Text, description: 'Name of one row in the console, or one per locale', examples: ['Course'] },
    help: { ...Text, description: 'Help text in the console, or one per locale' },
    scope: OneOf(['tenant', 'shared'], {
      description:
        'tenant: rows belong to a workspace. shared: rows belong to the operator, every workspace reads them',
    }),
    fields: {
      type: 'object',
      minProperties: 1,
      maxProperties: MAX_FIELDS,
      propertyNames: FieldName,
      additionalProperties: Field,
      description: 'Fields by name',
      examples: [{ title: { type: 'text' } }],
    },
    unique: {
      type: 'array',
      maxItems: 20,
      items: { ...FieldNames('Fields of one key', ['course', 'member']), minItems: 2, maxItems: 8 },
      description: 'Combinations of fields that can occur only once in a workspace',
      examples: [[['course', 'member']]],
    },
    search: FieldNames('Text fields that the search covers, most important first', ['title']),
    limit: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      description: 'Entitlement of kind gauge that limits the number of rows',
      examples: ['courses.count'],
    },
    access: Access,
    trash: {
      type: 'string',
      pattern: DURATION_PATTERN,
      description: 'How long deleted rows can be restored',
      examples: ['30d'],
    },
    history: {
      type: 'integer',
      minimum: 0,
      maximum: MAX_HISTORY,
      description: 'Number of former versions that are kept per row',
      examples: [50],
    },
    rows: {
      type: 'array',
      maxItems: MAX_INLINE_ROWS,
      items: { type: 'object' },
      description: 'Rows for development, and for shared collections',
    },
    seed: {
      type: 'string',
      minLength: 1,
      maxLength: 500,
      description: 'CSV file with rows',
      examples: ['./courses.csv'],
    },
    was: { ...CollectionName, description: 'Earlier name of a renamed collection, which keeps its rows' },
  },
})

export const sections = {
  collections: Type.Unsafe<Record<string, DeclaredCollection>>({
    type: 'object',
    propertyNames: CollectionName,
    additionalProperties: CollectionSchema,
    maxProperties: MAX_COLLECTIONS,
    description: "The product's own data: collections of rows with an API, by name",
  }),
}
export type Sections = { [K in keyof typeof sections]: Static<(typeof sections)[K]> }
