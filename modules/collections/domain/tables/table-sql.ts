/** Statements that create and change the tables of a layout. Pure. */
import type { DefaultVariable } from '../declarations/collection.ts'
import { hash, historyTableName, identifier } from '../declarations/naming.ts'
import { NAME_COLLATION } from '../fields/column-types.ts'
import { parseExpression } from '../fields/expression.ts'
import { EXPRESSION_TYPES } from '../fields/expression-types.ts'
import { expressionSql, resultSql } from './expression-sql.ts'
import { whereSql } from './key-condition.ts'
import type { CollectionLayout, FieldLayout } from './layout.ts'
import { exclusionOf } from './period-sql.ts'
import { SEARCH_COLUMN } from './search-column.ts'
import { columnValue, literal, quoteName } from './sql-literals.ts'

const SYSTEM_COLUMNS = `id text not null, created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(), created_by text, revision integer not null default 1,
  deleted_at timestamptz, primary key (tenant_id, id)`

/** The column of a field never begins like this. Rows that others create are false. */
export const GUEST_COLUMN = '_guest boolean not null default false'

/** Columns of a new table, after `tenant_id`. */
export const tableColumns = (layout: CollectionLayout): string =>
  [
    SYSTEM_COLUMNS,
    ...(layout.guests ? [GUEST_COLUMN] : []),
    ...layout.fields.filter(({ joinTable }) => joinTable === null).map(field => columnSql(field, layout)),
    ...(layout.search.length > 0 ? [SEARCH_COLUMN] : []),
  ].join(', ')

export const JOIN_COLUMNS =
  'row_id text not null, target_id text not null, position integer not null default 0, primary key (tenant_id, row_id, target_id)'
export const HISTORY_COLUMNS = `row_id text not null, revision integer not null, changed_at timestamptz not null,
  changed_by text, row jsonb not null, primary key (tenant_id, row_id, revision)`

/** `"price" bigint not null`. */
export function columnSql(field: FieldLayout, layout: CollectionLayout): string {
  const { column, columnType, required } = field
  const generated = field.expression === null ? '' : ` generated always as (${computedSql(field, layout)}) stored`
  // Processes of an earlier recipe create rows without the field.
  const standard = defaultSql(field)
  return `${quoteName(column)} ${columnType}${generated}${required ? ' not null' : ''}${standard === undefined ? '' : ` default ${standard}`}`
}

function computedSql({ expression, of }: FieldLayout, { fields }: CollectionLayout): string {
  const sql = expressionSql(parseExpression(expression ?? ''), name => {
    const field = fields.find(other => other.name === name)
    return { column: field?.column ?? name, type: EXPRESSION_TYPES[field?.type ?? 'text'] ?? 'text' }
  })
  if (of === 'date' || of === 'datetime') return resultSql(sql, of, 'text')
  return of === 'integer' ? `floor(${sql} + 0.5)::bigint` : sql
}

/** The default of a field as SQL; undefined if it has none. */
export function defaultSql({ default: value, defaultFrom, type, columnType }: FieldLayout): string | undefined {
  if (defaultFrom) return 'variable' in defaultFrom ? TIMES[defaultFrom.variable]?.(type) : undefined
  if (value === null || value === undefined) return undefined
  if (columnType === 'jsonb') return `${literal(JSON.stringify(value))}::jsonb`
  return `${columnValue(type, value as string | number | boolean)}::${columnType}`
}

/** All rows that exist get the time of the change: PostgreSQL evaluates it once. */
const TIMES: { readonly [Variable in DefaultVariable]?: (type: FieldLayout['type']) => string } = {
  $now: type => (type === 'date' ? TODAY : 'now()'),
  $today: () => TODAY,
}
const TODAY = `(now() at time zone 'UTC')::date`

export interface IndexSpec {
  readonly table: string
  readonly name: string
  readonly unique: boolean
  /** Whether it is the index of a constraint: of two rows whose values conflict, only one can be written. */
  readonly exclusion: boolean
  /** Everything after the table: `(tenant_id, "level", id)`; of a constraint, everything after `exclude`. */
  readonly definition: string
  /** Names of the fields of a unique index or of a constraint, for messages. */
  readonly fields: readonly string[]
}

export const SEARCH_INDEX = 'using gin (tenant_id, search)'

/** Rows in the trash don't count. */
const NOT_DELETED = 'where deleted_at is null'

/** Charts count rows by the time of their creation. Lists are ordered by the ID instead. */
const CREATED_INDEX = '(tenant_id, created_at)'

/** All indexes of the tables but their primary keys. */
export function indexesOf(layout: CollectionLayout): IndexSpec[] {
  const {
    table,
    fields,
    unique,
    uniqueWhere = [],
    indexes = [],
    noOverlap,
    capacity,
    guests,
    countsByPerson,
    search,
    trash,
    scope,
  } = layout
  const make = (
    on: string,
    definition: string,
    options: { unique?: boolean; exclusion?: boolean; fields?: readonly string[] } = {},
  ): IndexSpec => ({
    table: on,
    name: identifier(`${on}_${hash(`${definition} ${options.unique ?? false}`)}_idx`),
    unique: options.unique ?? false,
    exclusion: options.exclusion ?? false,
    definition,
    fields: options.fields ?? [],
  })
  const columns = (names: readonly string[]) =>
    names.map(name => quoteName(fields.find(field => field.name === name)?.column ?? name)).join(', ')
  const ordered = (names: readonly string[]) =>
    names
      .map(name => {
        const field = fields.find(other => other.name === name)
        return `${columns([name])}${field ? orderOf(field) : ''}`
      })
      .join(', ')
  const own = fields.filter(({ joinTable }) => joinTable === null)
  return [
    make(table, CREATED_INDEX),
    ...own
      .filter(field => field.unique)
      .map(({ name }) =>
        make(table, `(tenant_id, ${columns([name])}) ${NOT_DELETED}`, { unique: true, fields: [name] }),
      ),
    ...unique.map(key => make(table, `(tenant_id, ${columns(key)}) ${NOT_DELETED}`, { unique: true, fields: key })),
    ...uniqueWhere.map(({ fields: key, where }) =>
      make(table, `(tenant_id, ${columns(key)}) ${NOT_DELETED} and ${whereSql(layout, where)}`, {
        unique: true,
        fields: key,
      }),
    ),
    ...(noOverlap
      ? [
          make(table, exclusionOf(layout, noOverlap), { exclusion: true, fields: [noOverlap.from, noOverlap.to] }),
          // Row level security hides rows before it evaluates an operator of ranges, so this one finds the others.
          make(table, `(tenant_id, ${columns([...noOverlap.by, noOverlap.to])}) ${NOT_DELETED}`),
        ]
      : []),
    // The rows that count, which the index of the reference has among those of the trash and of other conditions.
    ...(capacity
      ? [
          make(
            table,
            `(tenant_id, ${columns([capacity.of])}) ${NOT_DELETED}${capacity.where ? ` and ${whereSql(layout, capacity.where)}` : ''}`,
          ),
        ]
      : []),
    ...(guests ? [make(table, `(tenant_id, id) ${NOT_DELETED} and _guest`)] : []),
    ...(countsByPerson ? [make(table, `(tenant_id, created_by, id) ${NOT_DELETED}`)] : []),
    ...indexes.map(key => make(table, `(tenant_id, ${ordered(key)}, id)`)),
    ...own.filter(isIndexed).map(field => make(table, `(tenant_id, ${columns([field.name])}${orderOf(field)}, id)`)),
    ...(search.length > 0 ? [make(table, SEARCH_INDEX)] : []),
    ...(trash ? [make(table, '(tenant_id, deleted_at, id) where deleted_at is not null')] : []),
    // Rows of workspaces refer to shared rows by their id alone.
    ...(scope === 'shared' ? [make(table, '(id)', { unique: true })] : []),
    ...fields.flatMap(({ joinTable }) =>
      joinTable === null ? [] : [make(joinTable, '(tenant_id, target_id, row_id)')],
    ),
  ]
}

/**
 * References and members are what access rules and lists filter by, and what foreign keys look up. The index of a unique
 * text compares bytes, and has no order of names.
 */
const isIndexed = (field: FieldLayout): boolean =>
  field.index || field.type === 'reference' || field.type === 'member' || (field.unique && orderOf(field) !== '')

const orderOf = ({ type, columnType, reference }: FieldLayout): string =>
  columnType === 'text' && !reference && type !== 'file' && type !== 'member' ? ` collate ${NAME_COLLATION}` : ''

export interface ForeignKey {
  readonly table: string
  readonly name: string
  /** Everything after `foreign key`. */
  readonly definition: string
}

/** The foreign keys of one field. */
export function foreignKeysOf(field: FieldLayout, { table }: CollectionLayout): ForeignKey[] {
  const { reference, column, joinTable } = field
  if (!reference) return []
  const key = (on: string, own: string, target: string, shared: boolean, onDelete: string): ForeignKey => ({
    table: on,
    name: identifier(`${on}_${own}_fkey`),
    definition: shared
      ? `(${quoteName(own)}) references ${quoteName(target)} (id) ${onDelete}`
      : `(tenant_id, ${quoteName(own)}) references ${quoteName(target)} (tenant_id, id) ${onDelete}`,
  })
  if (joinTable === null)
    return [
      key(
        table,
        column,
        reference.table,
        reference.shared,
        ON_DELETE[reference.onDelete].replace('#', quoteName(column)),
      ),
    ]
  const onDelete = reference.onDelete === 'restrict' ? ON_DELETE.restrict : 'on delete cascade'
  return [
    key(joinTable, 'row_id', table, false, 'on delete cascade'),
    key(joinTable, 'target_id', reference.table, reference.shared, onDelete),
  ]
}
/** Checked at the end of a statement, so that one statement can delete rows that refer to each other. */
const ON_DELETE = {
  restrict: 'on delete no action',
  clear: 'on delete set null (#)',
  cascade: 'on delete cascade',
} as const

/** Versions are deleted with their row. */
export const historyForeignKey = ({ name, table }: CollectionLayout): ForeignKey => ({
  table: historyTableName(name),
  name: identifier(`${historyTableName(name)}_row_id_fkey`),
  definition: `(tenant_id, row_id) references ${quoteName(table)} (tenant_id, id) on delete cascade`,
})

/** A constraint can't be created concurrently: its table is locked meanwhile. */
export const createIndexSql = (
  { table, name, unique, exclusion, definition }: IndexSpec,
  concurrently = false,
): string =>
  exclusion
    ? `alter table ${quoteName(table)} add constraint ${quoteName(name)} exclude ${definition}`
    : `create ${unique ? 'unique ' : ''}index ${concurrently ? 'concurrently ' : ''}${quoteName(name)} on ${quoteName(table)} ${definition}`
export const dropIndexSql = ({ table, name, exclusion }: Pick<IndexSpec, 'table' | 'name' | 'exclusion'>): string =>
  exclusion
    ? `alter table if exists ${quoteName(table)} drop constraint if exists ${quoteName(name)}`
    : `drop index if exists ${quoteName(name)}`
export const addForeignKeySql = ({ table, name, definition }: ForeignKey): string =>
  `alter table ${quoteName(table)} add constraint ${quoteName(name)} foreign key ${definition}`
export const dropForeignKeySql = ({ table, name }: ForeignKey): string =>
  `alter table ${quoteName(table)} drop constraint if exists ${quoteName(name)}`
