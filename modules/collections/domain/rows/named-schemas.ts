/** Named schemas of the bodies and replies of one collection. */
import { documented, type JsonSchema, named, type TSchema, Type } from '@larder-dev/larder/kernel'
import { schemaNames } from '../declarations/api-names.ts'
import type { Collection } from '../declarations/collection.ts'
import { ROW_ID_PATTERN } from '../declarations/naming.ts'
import { createSchema, rowSchema, servedFields, updateSchema } from './row-schemas.ts'
import type { Values } from './row-values.ts'

/** One operation of a batch. */
export type Operation =
  | { readonly action: 'create'; readonly data: Values }
  | { readonly action: 'update'; readonly id: string; readonly data: Values; readonly revision?: number }
  | { readonly action: 'upsert'; readonly by: string; readonly data: Values }
  | { readonly action: 'delete'; readonly id: string; readonly revision?: number }

/** Rows that one request creates. */
export const MAX_ROWS = 500
const MAX_OPERATIONS = 100

const raw = <T>(schema: JsonSchema) => Type.Unsafe<T>(schema)
/** Replies are serialized before the pipeline sees them, because `fields` selects their properties. */
const objectOf = (properties: Record<string, TSchema>, required: readonly string[]) =>
  raw<unknown>({ type: 'object', required, properties })
const listOf = (items: TSchema) => raw<unknown>({ type: 'array', items })
const pageOf = (items: TSchema) =>
  objectOf({ data: listOf(items), nextCursor: raw({ anyOf: [{ type: 'string' }, { type: 'null' }] }) }, [
    'data',
    'nextCursor',
  ])

/** The values of one field in two versions. */
const FieldChange = named('FieldChange', objectOf({ before: raw({}), after: raw({}) }, ['before', 'after']))

/** What visitors get of their row. */
const GuestRow = named('CreatedByVisitor', objectOf({ id: raw({ type: 'string', pattern: ROW_ID_PATTERN }) }, ['id']))

export type RowSchemas = ReturnType<typeof schemasOf>

export function schemasOf(collection: Collection) {
  const names = schemaNames(collection)
  const Row = named(names.row, raw<unknown>(rowSchema(collection)))
  const New = named(names.new, raw<Values>(createSchema(collection)))
  const Change = named(names.change, raw<Values>(updateSchema(collection)))
  const values = raw<unknown>({ type: 'object', additionalProperties: true })
  const Group = named(
    names.group,
    objectOf(
      {
        start: raw({ type: 'string', format: 'date', description: 'First day of the period, with `by`' }),
        group: values,
        count: Type.Integer(),
        sum: values,
        avg: values,
        min: values,
        max: values,
      },
      ['group', 'count'],
    ),
  )
  const CreatedList = named(names.created, objectOf({ data: listOf(Row) }, ['data']))
  const List = named(
    names.list,
    objectOf(
      {
        data: listOf(Row),
        nextCursor: raw({ anyOf: [{ type: 'string' }, { type: 'null' }] }),
        total: raw({ type: 'integer', description: 'With `include=total`' }),
      },
      ['data', 'nextCursor'],
    ),
  )
  const Deleted = named(
    names.deleted,
    raw<unknown>({
      allOf: [Row, objectOf({ deletedAt: raw({ type: 'string', format: 'date-time' }) }, ['deletedAt'])],
    }),
  )
  const Version = named(
    names.version,
    objectOf(
      {
        revision: Type.Integer(),
        changedAt: raw({ type: 'string', format: 'date-time', description: 'When the next revision replaced it' }),
        changedBy: raw({
          anyOf: [{ type: 'string' }, { type: 'null' }],
          description: 'ID of the user who replaced it, or `automation` with its key; null for seeds and jobs',
        }),
        changes: raw({
          type: 'object',
          description: 'Names of the fields that the next revision changed, with both values',
          additionalProperties: FieldChange,
        }),
        row: Row,
      },
      ['revision', 'changedAt', 'changedBy', 'changes', 'row'],
    ),
  )
  return {
    VersionList: named(names.versionList, pageOf(Version)),
    Row,
    DeletedList: named(names.deletedList, pageOf(Deleted)),
    Change,
    New,
    List,
    Groups: objectOf({ data: listOf(Group) }, ['data']),
    CreatedRows: raw<unknown>({ anyOf: [Row, CreatedList, ...(collection.access.guests ? [GuestRow] : [])] }),
    NewRows: newRows(names.newRows, New),
    Batch: batchOf(collection, New, Change),
    BatchRows: objectOf({ data: listOf(raw({ anyOf: [Row, { type: 'null' }] })) }, ['data']),
  }
}

/**
 * Validated by its own shape alone, so that the errors are not those of both. It has a name, because oapi-codegen can't
 * write an alternative without one into a body.
 */
const newRows = (name: string, New: TSchema) =>
  documented(
    named(name, raw({ anyOf: [New, { type: 'array', minItems: 1, maxItems: MAX_ROWS, items: New }] })),
    raw<Values | readonly Values[]>({
      type: ['object', 'array'],
      if: { type: 'array' },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { type: 'array', minItems: 1, maxItems: MAX_ROWS, items: New },
      else: New,
    }),
  )

/** The unique field of an upsert or an import. The names are in the API document only: fields have rights at run time. */
export function bySchema(collection: Collection, description: string) {
  const names = servedFields(collection, ({ unique, private: hidden }) => unique && !hidden).map(({ name }) => name)
  const schema = Type.String({ maxLength: 64, description })
  return names.length === 0
    ? schema
    : documented(Type.Unsafe<string>({ type: 'string', enum: names, description }), schema)
}

function batchOf(collection: Collection, New: TSchema, Change: TSchema) {
  const names = schemaNames(collection)
  const id = { type: 'string', pattern: ROW_ID_PATTERN }
  const revision = { type: 'integer', minimum: 1 }
  const by = bySchema(collection, 'Name of a unique field')
  const variants = [
    variantOf('create', names, { data: New }, ['data']),
    variantOf('update', names, { id, data: Change, revision }, ['id', 'data']),
    variantOf('upsert', names, { by, data: New }, ['by', 'data']),
    variantOf('delete', names, { id, revision }, ['id']),
  ]
  const operation = documented(
    raw({ anyOf: variants.map(({ schema }) => schema) }),
    raw({
      type: 'object',
      required: ['action'],
      properties: { action: { type: 'string', enum: ['create', 'update', 'upsert', 'delete'] } },
      allOf: variants.map(({ action, schema }) => ({
        if: { properties: { action: { const: action } }, required: ['action'], additionalProperties: true },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
        then: schema,
      })),
      additionalProperties: true,
    }),
  )
  return named(
    names.batch,
    raw<{ operations: Operation[] }>({
      type: 'object',
      required: ['operations'],
      properties: { operations: { type: 'array', minItems: 1, maxItems: MAX_OPERATIONS, items: operation } },
    }),
  )
}

function variantOf(
  action: Operation['action'],
  names: ReturnType<typeof schemaNames>,
  properties: Record<string, object>,
  required: readonly string[],
) {
  const schema = raw({
    type: 'object',
    required: ['action', ...required],
    properties: { action: { type: 'string', const: action }, ...properties },
    additionalProperties: false,
  })
  return { action, schema: named(names.batchOperation(action), schema) }
}
