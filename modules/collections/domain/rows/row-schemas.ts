/** JSON Schemas of the rows of a collection, for the API document and for validation. Pure. */
import { documented, type JsonSchema, pickText } from '@larder-dev/larder/kernel'
import { schemaNames } from '../declarations/api-names.ts'
import { type Collection, type Collections, type Field, isOpen } from '../declarations/collection.ts'
import { formerNames } from '../declarations/former-names.ts'
import { ROW_ID_PATTERN } from '../declarations/naming.ts'
import { isFilled } from '../fields/defaults.ts'
import { isSortable, operatorsOf, SYSTEM_SPECS, specOf } from '../fields/field-types.ts'

/** References of one row to many. */
const MAX_LINKS = 500

/** The value of a field, never null. */
function valueSchema(field: Field): JsonSchema {
  const { schema } = specOf(field)
  const { reference, values, type } = field
  if (reference?.many) return { type: 'array', items: schema, maxItems: MAX_LINKS, uniqueItems: true }
  if (type === 'enum' && values) return { type: 'string', enum: [...values] }
  if (type === 'json') return {}
  return { ...schema, ...boundsOf(field, schema) }
}

/** Bounds that JSON Schema has a keyword for. Others are checked with the value. */
function boundsOf({ minLength, maxLength, min, max }: Field, { type }: JsonSchema): JsonSchema {
  if (type === 'string')
    return { ...(minLength !== undefined && { minLength }), ...(maxLength !== undefined && { maxLength }) }
  const isNumber = type === 'integer' || type === 'number'
  return isNumber
    ? { ...(typeof min === 'number' && { minimum: min }), ...(typeof max === 'number' && { maximum: max }) }
    : {}
}

const nullable = (schema: JsonSchema): JsonSchema =>
  typeof schema.type === 'string' ? { anyOf: [schema, { type: 'null' }] } : schema

/** A field under one of its names. */
interface ServedField extends Field {
  /** The current name, if this one is the former. */
  readonly former?: string
}

/** The fields under their names, and the renamed ones under their former names, too. */
export const servedFields = (collection: Collection, accepts: (field: Field) => boolean): ServedField[] => [
  ...[...collection.fields.values()].filter(accepts),
  ...[...formerNames(collection)].flatMap(([name, field]) =>
    accepts(field) ? [{ ...field, name, former: field.name }] : [],
  ),
]

const described = (field: ServedField, schema: JsonSchema): JsonSchema => ({
  ...schema,
  ...(field.former !== undefined && { deprecated: true }),
  title: pickText(field.label, 'en', 'en'),
  ...(field.help !== undefined && { description: pickText(field.help, 'en', 'en') }),
  ...(field.former !== undefined && { description: `Former name of \`${field.former}\`` }),
})

const SYSTEM: Readonly<Record<string, JsonSchema>> = {
  createdAt: { type: 'string', format: 'date-time' },
  updatedAt: { type: 'string', format: 'date-time' },
  createdBy: {
    anyOf: [{ type: 'string' }, { type: 'null' }],
    description:
      'User ID; null for seeds and jobs. Absent for those who read only rows that `anyone` or `signedIn` opens',
  },
  revision: { type: 'integer', description: 'Starts at 1' },
}

/** A row as the API returns it, without expansion. Fields that only some callers read are optional. */
export function rowSchema(collection: Collection): JsonSchema {
  const shown = servedFields(collection, field => !field.private)
  const fields = shown.map(field => [field.name, described(field, replySchema(field))] as const)
  return {
    type: 'object',
    required: [
      'id',
      ...Object.keys(SYSTEM).filter(name => name !== 'createdBy' || !isOpen(collection)),
      ...shown.filter(({ readRoles }) => readRoles === undefined).map(({ name }) => name),
    ],
    properties: {
      id: { type: 'string', pattern: ROW_ID_PATTERN },
      ...SYSTEM,
      ...Object.fromEntries(fields),
    },
  }
}

/** A row with its private fields, as code of the product reads it. */
export function wholeRowSchema(collection: Collection): JsonSchema {
  const fields = servedFields(collection, () => true).map(field => [field.name, replySchema(field)] as const)
  return {
    type: 'object',
    required: ['id', ...Object.keys(SYSTEM), ...fields.map(([name]) => name)],
    properties: { id: { type: 'string' }, ...SYSTEM, ...Object.fromEntries(fields) },
  }
}

function replySchema(field: Field): JsonSchema {
  const { reference, required, type, values } = field
  const { schema } = specOf(field)
  if (reference?.many) return { type: 'array', items: { type: 'string' } }
  const { type: name, format } = schema
  const plain =
    type === 'enum'
      ? { type: 'string', enum: [...(values ?? [])] }
      : { ...(name !== undefined && { type: name }), ...(format !== undefined && { format }) }
  // A required reference is null for callers who can't read the row that it leads to.
  return required && !reference ? plain : nullable(plain)
}

/** Values of a new row. */
export function createSchema(collection: Collection): JsonSchema {
  const fields = writable(collection)
  // A field with two names can have its value under either of them.
  const hasTwoNames = new Set([...formerNames(collection).values()].map(({ name }) => name))
  const isRequired = (field: ServedField) =>
    field.required && !isFilled(field) && field.former === undefined && !hasTwoNames.has(field.name)
  return {
    type: 'object',
    required: fields.filter(isRequired).map(({ name }) => name),
    properties: Object.fromEntries(fields.map(field => [field.name, writtenSchema(field)])),
    additionalProperties: false,
  }
}

/** Values of a change. Fields that are left out keep their values. */
export const updateSchema = (collection: Collection): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    writable(collection)
      .filter(({ writeOnce }) => !writeOnce)
      .map(field => [field.name, writtenSchema(field)]),
  ),
  additionalProperties: false,
})

/** Values that code of the product writes, with fields that are read-only for callers. */
export function codeSchema(collection: Collection, action: 'create' | 'update'): JsonSchema {
  const accepts = ({ type, sequence, writeOnce }: Field) =>
    type !== 'computed' && sequence === undefined && !(action === 'update' && writeOnce)
  const fields = [...collection.fields.values()].filter(accepts)
  const isRequired = (field: Field) => action === 'create' && field.required && !isFilled(field)
  return {
    type: 'object',
    required: fields.filter(isRequired).map(({ name }) => name),
    properties: Object.fromEntries(
      fields.map(field => {
        const values = action === 'create' ? (field.states?.initial ?? field.values) : field.values
        return [field.name, writtenSchema({ ...field, values })]
      }),
    ),
  }
}

/** Schemas of a profile. A required value can be null until the person gives it. @param needed of a new person */
export function profileSchemas(fields: readonly Field[], needed: readonly Field[]) {
  const of = (schema: (field: Field) => JsonSchema, chosen = fields): JsonSchema => ({
    type: 'object',
    properties: Object.fromEntries(chosen.map(field => [field.name, described(field, schema(field))])),
  })
  const own = fields.filter(({ readOnly }) => !readOnly)
  const names = (chosen: readonly Field[]) => chosen.map(({ name }) => name)
  return {
    values: {
      ...of(field => nullable(replySchema(field))),
      required: names(fields),
      'x-larder-fields': Object.fromEntries(
        fields.map(field => [field.name, { ...fieldExtension(field), label: field.label }]),
      ),
    },
    changes: { ...of(inputSchema), additionalProperties: false },
    ownChanges: { ...of(inputSchema, own), additionalProperties: false },
    created: { ...of(inputSchema, own), required: names(needed), additionalProperties: false },
  }
}

const writable = (collection: Collection): ServedField[] =>
  servedFields(collection, ({ type, readOnly }) => type !== 'computed' && !readOnly)

const inputSchema = (field: Field): JsonSchema => (field.required ? valueSchema(field) : nullable(valueSchema(field)))

/**
 * A required text that shows nothing is missing. The value check finds it, with the code `required`; the API document says
 * it with a pattern, without the classes of invisible characters, which other languages lack.
 */
function writtenSchema(field: ServedField): JsonSchema {
  const schema = described(field, inputSchema(field))
  const isText = field.required && schema.type === 'string' && schema.enum === undefined && schema.format === undefined
  if (!isText) return schema
  return documented({ pattern: '\\S', ...schema, minLength: Math.max(1, field.minLength ?? 0) }, schema)
}

/** What a client generator has to know about a collection: `x-larder-collection`. */
export function collectionExtension(collection: Collection, collections: Collections): JsonSchema {
  const shown = [...collection.fields.values()].filter(field => !field.private)
  const references = shown.filter(({ reference }) => reference && collections.has(reference.to))
  const { row, new: create, change: update } = schemaNames(collection)
  return {
    name: collection.name,
    schemas: { row, create, update },
    fields: {
      ...Object.fromEntries(
        Object.entries(SYSTEM_SPECS).map(([name, { operators, sortable }]) => [
          name,
          { type: SYSTEM_TYPES[name], operators, sortable },
        ]),
      ),
      ...Object.fromEntries(shown.map(field => [field.name, fieldExtension(field)])),
    },
    expandable: references.map(({ name }) => name),
    searchable: collection.search.length > 0,
    ...(collection.access.guests && { visitors: true }),
  }
}

const SYSTEM_TYPES: Readonly<Record<string, string>> = {
  id: 'text',
  createdAt: 'datetime',
  updatedAt: 'datetime',
  createdBy: 'user',
  revision: 'integer',
}

/**
 * What a form shows of a default: a value, a variable, or that it follows from other values. A form sends the value back, so
 * it isn't shown of a field that not everybody may write.
 */
function defaultExtension({ default: standard, defaultFrom, writeRoles }: Field): JsonSchema {
  if (defaultFrom) return { defaultFrom: 'variable' in defaultFrom ? defaultFrom.variable : 'expression' }
  return standard === undefined || writeRoles ? {} : { default: standard }
}

const fieldExtension = (field: Field): JsonSchema => ({
  type: field.type === 'computed' ? field.computed?.of : field.type,
  operators: operatorsOf(field),
  sortable: isSortable(field),
  ...(field.reference && { reference: { to: field.reference.to, many: field.reference.many } }),
  ...(field.currency !== undefined && { currency: field.currency }),
  ...(field.accept && { accept: field.accept }),
  ...defaultExtension(field),
  ...(field.sequence !== undefined && { sequence: field.sequence }),
  ...(field.onUpdate && { onUpdate: field.onUpdate }),
  ...(field.states && {
    states: {
      initial: field.states.initial,
      transitions: Object.fromEntries(field.states.transitions),
      roles: Object.fromEntries(field.states.roles),
    },
  }),
})
