/** Statements that write rows. Their texts depend on the collection alone, so they are prepared once. Pure. */
import type { Step } from '@larder-dev/larder/kernel'
import type { Collection, Field, UniqueKey } from '../declarations/collection.ts'
import { historyTableName, joinTableName } from '../declarations/naming.ts'
import { columnType } from '../fields/column-types.ts'
import { computedFields, databaseFields, manyFields, writtenFields } from '../fields/field-lists.ts'
import { specOf } from '../fields/field-types.ts'
import { whereSql } from '../tables/key-condition.ts'
import { quoteName } from '../tables/sql-literals.ts'
import type { Values } from './row-values.ts'

/** Columns of a row that no field sets. Times are milliseconds since 1970. */
export interface RowFacts {
  readonly id: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly createdBy: string | null
  readonly revision: number
  /** Whether people who are not signed in create the row. */
  readonly guest?: boolean
}

export function columnValue(field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (field.type === 'json') return JSON.stringify(value)
  const { parse, toColumn } = specOf(field)
  const parsed = parse(value)
  return parsed === undefined ? null : toColumn(parsed)
}

const SYSTEM_COLUMNS = ['tenant_id', 'id', 'created_at', 'updated_at', 'created_by', 'revision']
/** What PostgreSQL makes, after `returning`. A date is a text. */
const returnedSql = (field: Field): string => {
  const column = quoteName(field.column)
  return `${columnType(field) === 'date' ? `${column}::text` : column} as ${quoteName(field.name)}`
}

const inserts = new WeakMap<Collection, string>()
const RETURNING = ' returning '

function insertText(collection: Collection): string {
  const known = inserts.get(collection)
  if (known !== undefined) return known
  const own = writtenFields(collection).map(({ column }) => column)
  const columns = [...SYSTEM_COLUMNS, ...(collection.access.guests ? ['_guest'] : []), ...own].map(quoteName)
  const returned = databaseFields(collection).map(returnedSql)
  const text = `insert into ${quoteName(collection.table)} (${columns.join(', ')})
    values (${columns.map((_, at) => `$${at + 1}`).join(', ')})${returned.length > 0 ? `${RETURNING}${returned.join(', ')}` : ''}`
  inserts.set(collection, text)
  return text
}

/** Returns the computed fields, and the number of the row. */
export const insertStep = (tenantId: string, collection: Collection, row: RowFacts, values: Values): Step => [
  insertText(collection),
  [
    tenantId,
    row.id,
    new Date(row.createdAt).toISOString(),
    new Date(row.updatedAt).toISOString(),
    row.createdBy,
    row.revision,
    ...(collection.access.guests ? [row.guest ?? false] : []),
    ...writtenFields(collection).map(field => storedValue(field, values[field.name])),
  ],
]

/** The parameter for a value of `newValues`, which has the form of its column, except for JSON and durations. */
const storedValue = (field: Field, value: unknown): unknown =>
  field.type === 'json' || field.type === 'duration' ? columnValue(field, value) : (value ?? null)

/** Inserts the row of a visitor, or none if it violates a key: an error would end the surrounding unit. */
export function insertUnlessTaken(tenantId: string, collection: Collection, row: InsertedRow): Step {
  const [text, values] = insertStep(tenantId, collection, row.facts, row.values)
  const [insert = '', returned] = text.split(RETURNING)
  return [`${insert} on conflict do nothing${returned === undefined ? '' : `${RETURNING}${returned}`}`, values]
}

/** Inserts the links of references to many rows. */
export const linkSteps = (tenantId: string, collection: Collection, id: string, values: Values): Step[] =>
  manyFields(collection).flatMap(({ name }) => {
    const targets = (values[name] ?? []) as readonly string[]
    if (targets.length === 0) return []
    const text = `insert into ${quoteName(joinTableName(collection.name, name))} (tenant_id, row_id, target_id, position)
      select $1, $2, target, position from unnest($3::text[]) with ordinality as given (target, position)`
    return [[text, [tenantId, id, targets]] as const]
  })

/** A new row. */
export interface InsertedRow {
  readonly facts: RowFacts
  readonly values: Values
}

/** Inserts rows with their links. The first statement returns the computed fields, and the ID if there are several rows. */
export function insertSteps(tenantId: string, collection: Collection, rows: readonly InsertedRow[]): Step[] {
  const [only] = rows
  if (only && rows.length === 1)
    return [
      insertStep(tenantId, collection, only.facts, only.values),
      ...linkSteps(tenantId, collection, only.facts.id, only.values),
    ]
  return [insertListStep(tenantId, collection, rows), ...linkListSteps(tenantId, collection, rows)]
}

const listInserts = new WeakMap<Collection, string>()

/** One statement for any number of rows, which arrive as JSON: `f0`, `f1`, … are the values of fields. */
function insertListText(collection: Collection): string {
  const known = listInserts.get(collection)
  if (known !== undefined) return known
  const fields = writtenFields(collection)
  const given = [
    'id text',
    'created_at timestamptz',
    'updated_at timestamptz',
    'created_by text',
    'revision integer',
    ...fields.map((field, at) => `f${at} ${columnType(field)}`),
  ]
  const columns = [...SYSTEM_COLUMNS, ...fields.map(({ column }) => column)].map(quoteName)
  const returned = databaseFields(collection).map(returnedSql)
  const text = `insert into ${quoteName(collection.table)} (${columns.join(', ')})
    select $1, given.* from json_to_recordset($2::json) as given (${given.join(', ')})${returned.length > 0 ? ` returning id, ${returned.join(', ')}` : ''}`
  listInserts.set(collection, text)
  return text
}

function insertListStep(tenantId: string, collection: Collection, rows: readonly InsertedRow[]): Step {
  const fields = writtenFields(collection)
  const given = rows.map(({ facts, values }) => {
    const row: Record<string, unknown> = {
      id: facts.id,
      created_at: new Date(facts.createdAt),
      updated_at: new Date(facts.updatedAt),
      created_by: facts.createdBy,
      revision: facts.revision,
    }
    for (const [at, field] of fields.entries())
      row[`f${at}`] = field.type === 'json' ? values[field.name] : storedValue(field, values[field.name])
    return row
  })
  return [insertListText(collection), [tenantId, JSON.stringify(given)]]
}

function linkListSteps(tenantId: string, collection: Collection, rows: readonly InsertedRow[]): Step[] {
  return manyFields(collection).flatMap(({ name }): Step[] => {
    const links = rows.flatMap(({ facts, values }) =>
      ((values[name] ?? []) as readonly string[]).map((target, at) => ({ row: facts.id, target, position: at + 1 })),
    )
    if (links.length === 0) return []
    const text = `insert into ${quoteName(joinTableName(collection.name, name))} (tenant_id, row_id, target_id, position)
      select $1, given.row, given.target, given.position
      from json_to_recordset($2::json) as given (row text, target text, position integer)`
    return [[text, [tenantId, JSON.stringify(links)]]]
  })
}

const updates = new WeakMap<Collection, string>()

/** Sets every column, so that one text serves all changes. PostgreSQL writes a whole row in any case. */
function updateText(collection: Collection): string {
  const known = updates.get(collection)
  if (known !== undefined) return known
  const sets = writtenFields(collection).map(({ column }, at) => `${quoteName(column)} = $${at + 4}`)
  const returned = computedFields(collection).map(returnedSql)
  const text = `update ${quoteName(collection.table)} set ${['updated_at = $3', 'revision = revision + 1', ...sets].join(', ')}
    where tenant_id = $1 and id = $2${returned.length > 0 ? ` returning ${returned.join(', ')}` : ''}`
  updates.set(collection, text)
  return text
}

export interface Update {
  readonly id: string
  /** All values after the change. */
  readonly after: Values
  /** Names of the changed fields. */
  readonly changed: readonly string[]
  readonly updatedAt: number
}

/** Returns the computed fields. */
export function updateSteps(
  tenantId: string,
  collection: Collection,
  { id, after, changed, updatedAt }: Update,
): [update: Step, ...links: Step[]] {
  const own = writtenFields(collection).map(field => columnValue(field, after[field.name]))
  const many = manyFields(collection).filter(({ name }) => changed.includes(name))
  const removed = many.map(
    ({ name }): Step => [
      `delete from ${quoteName(joinTableName(collection.name, name))} where tenant_id = $1 and row_id = $2`,
      [tenantId, id],
    ],
  )
  const links = linkSteps(tenantId, collection, id, Object.fromEntries(many.map(({ name }) => [name, after[name]])))
  return [[updateText(collection), [tenantId, id, new Date(updatedAt), ...own]], ...removed, ...links]
}

/** Moves the row to the trash, if the collection has one, and deletes it otherwise. */
export const deleteStep = (tenantId: string, collection: Collection, id: string, at: number): Step =>
  collection.trashMs > 0
    ? [
        `update ${quoteName(collection.table)} set deleted_at = $3, updated_at = $3, revision = revision + 1
         where tenant_id = $1 and id = $2`,
        [tenantId, id, new Date(at)],
      ]
    : [`delete from ${quoteName(collection.table)} where tenant_id = $1 and id = $2`, [tenantId, id]]

/** Moves the row out of the trash. */
export const restoreStep = (tenantId: string, collection: Collection, id: string, at: number): Step => [
  `update ${quoteName(collection.table)} set deleted_at = null, updated_at = $3, revision = revision + 1
   where tenant_id = $1 and id = $2`,
  [tenantId, id, new Date(at)],
]

/** A version that a change replaces. */
export interface FormerVersion {
  readonly id: string
  readonly revision: number
  readonly row: Values
  readonly changedAt: number
  readonly changedBy: string | null
}

/** Keeps the newest versions that the collection declares. */
export function historySteps(tenantId: string, collection: Collection, former: FormerVersion): Step[] {
  if (collection.history === 0) return []
  const table = quoteName(historyTableName(collection.name))
  const { id, revision, row, changedAt, changedBy } = former
  return [
    [
      `insert into ${table} (tenant_id, row_id, revision, changed_at, changed_by, row) values ($1, $2, $3, $4, $5, $6)`,
      [tenantId, id, revision, new Date(changedAt), changedBy, JSON.stringify(row)],
    ],
    [
      `delete from ${table} where tenant_id = $1 and row_id = $2 and revision <= $3`,
      [tenantId, id, revision - collection.history],
    ],
  ]
}

/** Which of these values of a key exist outside the trash. Returns `at`, the positions of the given tuples. */
export const takenStep = (
  tenantId: string,
  collection: Collection,
  key: UniqueKey,
  tuples: readonly (readonly unknown[])[],
): Step => {
  const fields = key.fields.map(name => collection.fields.get(name)).filter(field => field !== undefined)
  const columns = fields.map((_, at) => `v${at}`)
  const lists = fields.map((field, at) => `$${at + 2}::${columnType(field)}[]`)
  const equal = fields.map(({ column }, at) => `r.${quoteName(column)} = given.v${at}`)
  return [
    `select distinct given.at::int as at from unnest(${lists.join(', ')}) with ordinality as given (${columns.join(', ')}, at)
     join ${quoteName(collection.table)} r on r.tenant_id = $1 and ${equal.join(' and ')}
     where r.deleted_at is null${key.where ? ` and ${whereSql(columnsIn(collection), key.where, { alias: 'r' })}` : ''}`,
    [tenantId, ...fields.map((field, at) => tuples.map(tuple => columnValue(field, tuple[at])))],
  ]
}
/** What `whereSql` reads. */
export const columnsIn = ({ fields }: Collection) => ({
  fields: [...fields.values()].map(({ name, type, column, computed }) => ({
    name,
    type,
    column,
    columnType: columnType({ type, computed }),
  })),
})
