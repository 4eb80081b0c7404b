/** Plans how the tables of collections become those that the recipe declares. Pure. */
import { compareField, duplicates, isConvertible, type Place } from './field-changes.ts'
import type { CollectionLayout, FieldLayout } from './layout.ts'
import { historyTableName, identifier, joinTableName } from './naming.ts'
import type { Retired, SchemaChange, SchemaPlan, SchemaStatement, WantedCollection } from './schema-plan.ts'
import { literal, quoteName } from './sql-literals.ts'
import {
  addForeignKeySql,
  columnSql,
  createIndexSql,
  defaultSql,
  dropForeignKeySql,
  type ForeignKey,
  foreignKeysOf,
  HISTORY_COLUMNS,
  historyForeignKey,
  indexesOf,
  JOIN_COLUMNS,
  searchColumn,
  tableColumns,
} from './table-sql.ts'

export interface SchemaState {
  readonly layouts: readonly CollectionLayout[]
  readonly retired: readonly Retired[]
}

/** A collection while it is changed. */
interface Working {
  /** With the names of after the change. */
  readonly layout: CollectionLayout
  /** The name of before the change, for checks. */
  readonly table: string
  /** Field → column of before the change. */
  readonly columns: ReadonlyMap<string, string>
}

/** @param now milliseconds; part of the names of what is retired. */
export function planSchema(
  { layouts, retired }: SchemaState,
  wanted: readonly WantedCollection[],
  now: number,
): SchemaPlan {
  const planner = createPlanner(retired, now)
  const current = planner.renameCollections(layouts, wanted)
  const names = new Map(wanted.map(({ layout }) => [layout.name, layout]))
  // A table whose rows belong to somebody else after the change is a new table.
  const replaced = new Set(
    [...current.values()]
      .filter(({ layout }) => names.has(layout.name) && names.get(layout.name)?.scope !== layout.scope)
      .map(({ layout }) => layout.name),
  )
  const kept = new Map<string, Working>()
  for (const [name, working] of current) {
    const target = wanted.find(({ layout }) => layout.name === name)
    if (target && !replaced.has(name)) kept.set(name, planner.renameFields(working, target))
  }
  for (const [name, working] of kept) {
    const target = names.get(name) as CollectionLayout
    kept.set(name, planner.removeFields(working, target, replaced))
  }
  for (const [name, working] of current) if (!kept.has(name)) planner.retireCollection(working, replaced.has(name))
  for (const { layout } of wanted) {
    if (kept.has(layout.name)) continue
    const restored = planner.restoreCollection(layout)
    if (restored) kept.set(layout.name, planner.removeFields(restored, layout, new Set()))
    else planner.addCollection(layout)
  }
  for (const { layout } of wanted) {
    const working = kept.get(layout.name)
    if (working) planner.changeCollection(working, layout)
  }
  return planner.finish()
}

type ChangeInput = Pick<SchemaChange, 'change' | 'subject' | 'detail'> & Partial<SchemaChange>

function createPlanner(retired: readonly Retired[], now: number) {
  const changes: SchemaChange[] = []
  const foreignKeys: string[] = []
  const add = (change: ChangeInput): void =>
    void changes.push({
      table: undefined,
      loss: undefined,
      checks: [],
      statements: [],
      retires: [],
      restores: undefined,
      ...change,
    })
  const addForeignKeys = (keys: readonly ForeignKey[]) => void foreignKeys.push(...keys.map(addForeignKeySql))
  const taken = new Set(retired.flatMap(({ tables, column }) => [...Object.values(tables), column]))
  function retiredName(name: string): string {
    let seconds = Math.floor(now / 1000)
    while (taken.has(retiredAt(seconds, name))) seconds++
    return retiredAt(seconds, name)
  }

  function renameCollections(
    layouts: readonly CollectionLayout[],
    wanted: readonly WantedCollection[],
  ): Map<string, Working> {
    const known = new Set(layouts.map(({ name }) => name))
    const renamed = new Map<string, CollectionLayout>()
    for (const { layout, was } of wanted)
      if (was !== undefined && known.has(was) && !known.has(layout.name)) renamed.set(was, layout)
    const tables = new Map([...renamed].map(([was, { name, table }]) => [was, { name, table }]))
    const current = layouts.map((before): [string, Working] => {
      const to = renamed.get(before.name)
      const layout = withReferences(to ? renameCollection(before, to) : before, tables)
      if (to) add(renameChange(before, layout))
      return [layout.name, { layout, table: before.table, columns: columnsOf(before) }]
    })
    return new Map(current)
  }

  function renameFields(working: Working, { layout: target, fieldWas }: WantedCollection): Working {
    let { layout } = working
    const columns = new Map(working.columns)
    for (const [name, was] of fieldWas) {
      const before = layout.fields.find(field => field.name === was)
      const to = target.fields.find(field => field.name === name)
      if (!before || !to || layout.fields.some(field => field.name === name)) continue
      const after = renameField(layout, before, to)
      add({
        change: 'change',
        subject: `field ${layout.name}.${name}`,
        detail: `renamed from ${was}`,
        table: working.table,
        statements: renameFieldStatements(layout, after, before, to),
      })
      columns.set(name, columns.get(was) ?? before.column)
      layout = after
    }
    return { ...working, layout, columns }
  }

  /** Retires fields that are gone, and those whose values don't fit the new type. */
  function removeFields(working: Working, target: CollectionLayout, replaced: ReadonlySet<string>): Working {
    let { layout } = working
    const remove = (field: FieldLayout, retire: boolean) => {
      const to = target.fields.find(other => other.name === field.name)
      const fields = layout.fields.filter(other => other !== field)
      const after = { ...layout, fields, ...withoutKeys(layout, field.name) }
      if (retire) retireField(working, layout, after, field, to)
      else dropComputed(working, layout, after, field, to)
      layout = after
    }
    for (const field of working.layout.fields)
      if (field.expression === null && (replaced.has(field.reference?.to ?? '') || !isKeptIn(field, target)))
        remove(field, true)
    // A computed column would keep reading the column that was retired.
    const isStale = layout !== working.layout
    for (const field of working.layout.fields)
      if (field.expression !== null && (isStale || !isSameExpression(field, target))) remove(field, false)
    return { ...working, layout }
  }

  function dropComputed(
    { table }: Working,
    before: CollectionLayout,
    after: CollectionLayout,
    { name, column }: FieldLayout,
    to: FieldLayout | undefined,
  ): void {
    add({
      change: to ? 'change' : 'remove',
      subject: `field ${before.name}.${name}`,
      detail: to ? 'computed again' : 'computed',
      table,
      statements: [...dropIndexes(before, after), alter(before, `drop column ${quoteName(column)}`)],
    })
  }

  function retireField(
    working: Working,
    before: CollectionLayout,
    after: CollectionLayout,
    field: FieldLayout,
    to: FieldLayout | undefined,
  ): void {
    const { column, joinTable } = field
    const keys = foreignKeysOf(field, before)
    const retiredAs = retiredName(joinTable ?? column)
    const statements: SchemaStatement[] = [
      // The columns of both tables may be read by the search of the collection, which a later change creates again.
      ...dropIndexes(before, after),
      ...keys.map(key => ({ sql: dropForeignKeySql(key) })),
      ...(joinTable === null
        ? [
            ...(field.required ? [alter(before, `alter column ${quoteName(column)} drop not null`)] : []),
            alter(before, `rename column ${quoteName(column)} to ${quoteName(retiredAs)}`),
          ]
        : [renameTable(joinTable, retiredAs)]),
    ]
    add({
      change: to ? 'change' : 'remove',
      subject: `field ${before.name}.${field.name}`,
      detail: to ? `type ${describeType(field)} → ${describeType(to)}` : describeType(field),
      table: working.table,
      loss: to
        ? 'the former values are kept for 30 days, and not converted'
        : 'its values are kept for 30 days, then deleted',
      statements,
      retires: [
        {
          collection: before.name,
          field: field.name,
          layout: field,
          tables: joinTable === null ? {} : { [joinTable]: retiredAs },
          column: joinTable === null ? retiredAs : null,
        },
      ],
    })
  }

  function retireCollection({ layout, table }: Working, isReplaced: boolean): void {
    const tables = Object.fromEntries(tablesOf(layout).map(name => [name, retiredName(name)]))
    add({
      change: isReplaced ? 'change' : 'remove',
      subject: `collection ${layout.name}`,
      detail: isReplaced ? 'scope' : `${layout.fields.length} fields`,
      table,
      loss: isReplaced
        ? 'its rows are kept for 30 days under their former scope, and not moved'
        : 'its rows are kept for 30 days, then deleted',
      statements: [
        ...indexesOf(layout).map(({ name }) => ({ sql: `drop index if exists ${quoteName(name)}` })),
        ...allForeignKeys(layout).map(key => ({ sql: dropForeignKeySql(key) })),
        ...Object.entries(tables).map(([name, to]) => renameTable(name, to)),
      ],
      retires: [{ collection: layout.name, field: null, layout, tables, column: null }],
    })
  }

  function restoreCollection(target: CollectionLayout): Working | undefined {
    const found = retired.findLast(
      ({ collection, field, layout }) =>
        collection === target.name && field === null && (layout as CollectionLayout).scope === target.scope,
    )
    if (!found) return undefined
    const layout = refreshReferences(found.layout as CollectionLayout, target)
    add({
      change: 'add',
      subject: `collection ${target.name}`,
      detail: 'restored with its rows',
      table: found.tables[layout.table],
      statements: Object.entries(found.tables).map(([name, from]) => renameTable(from, name)),
      restores: found,
    })
    const kept = layout.fields.filter(field => isKeptIn(field, target))
    for (const field of kept) foreignKeys.push(...clearDangling(layout, field))
    addForeignKeys([
      ...kept.flatMap(field => foreignKeysOf(field, layout)),
      ...(layout.history ? [historyForeignKey(layout)] : []),
    ])
    return { layout, table: found.tables[layout.table] ?? layout.table, columns: columnsOf(layout) }
  }

  function addCollection(layout: CollectionLayout): void {
    const shared = layout.scope === 'shared'
    const joins = layout.fields.flatMap(({ joinTable }) => joinTable ?? [])
    add({
      change: 'add',
      subject: `collection ${layout.name}`,
      detail: layout.fields.map(({ name }) => name).join(', '),
      statements: [
        { create: layout.table, columns: tableColumns(layout), shared },
        ...joins.map(create => ({ create, columns: JOIN_COLUMNS, shared })),
        ...(layout.history ? [{ create: historyTableName(layout.name), columns: HISTORY_COLUMNS, shared }] : []),
        ...indexesOf(layout).map(index => ({ sql: createIndexSql(index) })),
      ],
    })
    addForeignKeys(allForeignKeys(layout))
  }

  function changeCollection(working: Working, target: CollectionLayout): void {
    let { layout } = working
    const searched = searchColumn(layout)
    // Computed fields last: they read the others.
    const ordered = [...target.fields].sort((a, b) => Number(a.expression !== null) - Number(b.expression !== null))
    let isConverted = false
    for (const field of ordered) {
      const before = layout.fields.find(({ name }) => name === field.name)
      if (before) isConverted = changeField(working, layout, before, field, target) || isConverted
      else layout = addField(working, layout, field, target)
    }
    if (isConverted) recompute(target)
    changeKeys(working, target)
    changeSearch(working, searched, target)
    if (target.history && !layout.history) addHistory(working, target)
  }

  /** Returns whether the column has another type. */
  function changeField(
    working: Working,
    layout: CollectionLayout,
    before: FieldLayout,
    field: FieldLayout,
    target: CollectionLayout,
  ): boolean {
    const place: Place = { table: working.table, column: working.columns.get(field.name) ?? field.column }
    const { details, checks, sql, changesType } = compareField(before, field, target.table, place)
    if (details.length === 0) return false
    const dependents = changesType
      ? target.fields.filter(
          ({ expression }) => expression !== null && layout.fields.some(({ name }) => name === field.name),
        )
      : []
    const drops = changesType
      ? [...dependents.map(({ column }) => alter(target, `drop column if exists ${quoteName(column)}`))]
      : []
    const keys =
      before.reference && before.reference.onDelete !== field.reference?.onDelete ? foreignKeysOf(before, layout) : []
    add({
      change: 'change',
      subject: `field ${target.name}.${field.name}`,
      detail: details.join(', '),
      table: working.table,
      checks,
      statements: [
        ...drops,
        ...keys.map(key => ({ sql: dropForeignKeySql(key) })),
        ...sql.map(text => ({ sql: text })),
      ],
    })
    if (keys.length > 0) addForeignKeys(foreignKeysOf(field, target))
    return changesType
  }

  function addField(
    working: Working,
    layout: CollectionLayout,
    field: FieldLayout,
    target: CollectionLayout,
  ): CollectionLayout {
    const found = retired.findLast(
      each =>
        each.collection === target.name &&
        each.field === field.name &&
        (each.layout as FieldLayout).columnType === field.columnType &&
        isConvertible(each.layout as FieldLayout, field),
    )
    if (found) return restoreField(working, layout, field, target, found)
    const standard = defaultSql(field)
    const { joinTable, expression } = field
    const mustHaveDefault = field.required && standard === undefined && expression === null
    const sql =
      joinTable === null
        ? [
            alter(
              target,
              `add column ${columnSql(field, target)}${standard === undefined ? '' : ` default ${standard}`}`,
            ),
            ...(standard === undefined ? [] : [alter(target, `alter column ${quoteName(field.column)} drop default`)]),
          ]
        : [{ create: joinTable, columns: JOIN_COLUMNS, shared: target.scope === 'shared' }]
    add({
      change: 'add',
      subject: `field ${target.name}.${field.name}`,
      detail: `${describeType(field)}${field.required ? ', required' : ''}${standard === undefined ? '' : `, default ${JSON.stringify(field.default)}`}`,
      table: working.table,
      checks: mustHaveDefault
        ? [
            {
              from: quoteName(working.table),
              key: 'id',
              noun: 'row',
              message: 'required without a default: {count} ({keys})',
            },
          ]
        : [],
      statements: sql,
    })
    addForeignKeys(foreignKeysOf(field, target))
    return { ...layout, fields: [...layout.fields, field] }
  }

  function restoreField(
    working: Working,
    layout: CollectionLayout,
    field: FieldLayout,
    target: CollectionLayout,
    found: Retired,
  ): CollectionLayout {
    const { joinTable, column } = field
    const [[, retiredTable = ''] = []] = Object.entries(found.tables)
    const before: FieldLayout = {
      ...(found.layout as FieldLayout),
      column,
      joinTable,
      required: false,
      unique: false,
      index: false,
      reference: field.reference,
    }
    const place: Place = { table: working.table, column: found.column ?? column }
    const { checks, sql } = compareField(before, field, target.table, place)
    add({
      change: 'add',
      subject: `field ${target.name}.${field.name}`,
      detail: 'restored with its values',
      table: working.table,
      checks,
      statements: [
        joinTable === null
          ? alter(target, `rename column ${quoteName(found.column ?? '')} to ${quoteName(column)}`)
          : renameTable(retiredTable, joinTable),
        ...clearDangling(target, field).map(text => ({ sql: text })),
        ...sql.map(text => ({ sql: text })),
      ],
      restores: found,
    })
    addForeignKeys(foreignKeysOf(field, target))
    return { ...layout, fields: [...layout.fields, field] }
  }

  /** Creates computed columns again that were dropped because a column has another type. */
  function recompute(target: CollectionLayout): void {
    const statements = target.fields.flatMap(field =>
      field.expression === null
        ? []
        : [
            alter(target, `drop column if exists ${quoteName(field.column)}`),
            alter(target, `add column ${columnSql(field, target)}`),
          ],
    )
    if (statements.length > 0)
      add({ change: 'change', subject: `collection ${target.name}`, detail: 'computes its fields again', statements })
  }

  function changeKeys({ layout, table, columns }: Working, target: CollectionLayout): void {
    const id = (key: readonly string[]) => key.join(' + ')
    const before = layout.unique.map(id)
    const added = target.unique.filter(key => !before.includes(id(key)))
    const removed = layout.unique.filter(key => !target.unique.map(id).includes(id(key)))
    for (const key of added) {
      const existing = key.every(name => layout.fields.some(field => field.name === name))
      const names = key.map(name => columns.get(name) ?? name)
      add({
        change: 'change',
        subject: `collection ${target.name}`,
        detail: `unique ${id(key)}`,
        table,
        checks: existing ? [duplicates(table, names)] : [],
      })
    }
    for (const key of removed)
      add({ change: 'change', subject: `collection ${target.name}`, detail: `${id(key)} is no longer unique`, table })
  }

  function changeSearch({ layout, table }: Working, before: string | undefined, target: CollectionLayout): void {
    const after = searchColumn(target)
    if (before === after) return
    add({
      change: 'change',
      subject: `collection ${target.name}`,
      detail: `search ${layout.search.join(', ') || 'none'} → ${target.search.join(', ') || 'none'}`,
      table,
      statements: [
        alter(target, 'drop column if exists search'),
        ...(after === undefined ? [] : [alter(target, `add column ${after}`)]),
      ],
    })
  }

  function addHistory({ table }: Working, target: CollectionLayout): void {
    add({
      change: 'change',
      subject: `collection ${target.name}`,
      detail: 'keeps former versions',
      table,
      statements: [
        { create: historyTableName(target.name), columns: HISTORY_COLUMNS, shared: target.scope === 'shared' },
      ],
    })
    addForeignKeys([historyForeignKey(target)])
  }

  return {
    renameCollections,
    renameFields,
    removeFields,
    retireCollection,
    restoreCollection,
    addCollection,
    changeCollection,
    finish: (): SchemaPlan => ({ changes, foreignKeys }),
  }
}

const retiredAt = (seconds: number, name: string): string => identifier(`retired_${seconds.toString(36)}_${name}`)
const alter = ({ table }: Pick<CollectionLayout, 'table'>, action: string): SchemaStatement => ({
  sql: `alter table ${quoteName(table)} ${action}`,
})
const renameTable = (from: string, to: string): SchemaStatement => ({
  sql: `alter table ${quoteName(from)} rename to ${quoteName(to)}`,
})

const columnsOf = ({ fields }: CollectionLayout): Map<string, string> =>
  new Map(fields.map(({ name, column }) => [name, column]))
const tablesOf = ({ name, table, fields, history }: CollectionLayout): string[] => [
  table,
  ...fields.flatMap(({ joinTable }) => joinTable ?? []),
  ...(history ? [historyTableName(name)] : []),
]
const allForeignKeys = (layout: CollectionLayout): ForeignKey[] => [
  ...layout.fields.flatMap(field => foreignKeysOf(field, layout)),
  ...(layout.history ? [historyForeignKey(layout)] : []),
]

const describeType = ({ type, reference }: FieldLayout): string =>
  reference ? `${reference.many ? 'references' : 'reference'} to ${reference.to}` : type

const isSameExpression = (from: FieldLayout, target: CollectionLayout): boolean => {
  const to = target.fields.find(({ name }) => name === from.name)
  return to !== undefined && from.expression === to.expression && from.of === to.of
}
const isKeptIn = (field: FieldLayout, target: CollectionLayout): boolean => {
  const to = target.fields.find(({ name }) => name === field.name)
  return to !== undefined && isConvertible(field, to)
}

/** Unique keys and searched fields without this field. */
const withoutKeys = ({ unique, search }: CollectionLayout, field: string) => ({
  unique: unique.filter(key => !key.includes(field)),
  search: search.filter(name => name !== field),
})

/** The search column keeps reading a renamed column, so only its change drops it. */
function dropIndexes(before: CollectionLayout, after: CollectionLayout): SchemaStatement[] {
  const kept = new Set(indexesOf({ ...after, search: before.search }).map(({ name }) => name))
  return indexesOf(before)
    .filter(({ name }) => !kept.has(name))
    .map(({ name }) => ({ sql: `drop index if exists ${quoteName(name)}` }))
}

const withReferences = (
  layout: CollectionLayout,
  renamed: ReadonlyMap<string, { name: string; table: string }>,
): CollectionLayout => ({
  ...layout,
  fields: layout.fields.map(field => {
    const to = field.reference && renamed.get(field.reference.to)
    return field.reference && to ? { ...field, reference: { ...field.reference, to: to.name, table: to.table } } : field
  }),
})

/** References of a restored collection lead to the tables that exist now. */
const refreshReferences = (layout: CollectionLayout, target: CollectionLayout): CollectionLayout => ({
  ...layout,
  fields: layout.fields.map(field => {
    const reference = target.fields.find(({ name }) => name === field.name)?.reference
    return field.reference && reference?.to === field.reference.to
      ? { ...field, reference: { ...reference, onDelete: field.reference.onDelete } }
      : field
  }),
})

const renameCollection = (before: CollectionLayout, { name, table }: CollectionLayout): CollectionLayout => ({
  ...before,
  name,
  table,
  fields: before.fields.map(field =>
    field.joinTable === null ? field : { ...field, joinTable: joinTableName(name, field.name) },
  ),
})

const renameField = (
  layout: CollectionLayout,
  before: FieldLayout,
  { name, column, joinTable }: FieldLayout,
): CollectionLayout => {
  const rename = (other: string) => (other === before.name ? name : other)
  return {
    ...layout,
    fields: layout.fields.map(field =>
      field === before
        ? { ...field, name, column, joinTable: field.joinTable === null ? null : (joinTable ?? field.joinTable) }
        : field,
    ),
    unique: layout.unique.map(key => key.map(rename)),
    search: layout.search.map(rename),
  }
}

/** Indexes and foreign keys of both layouts are in the same order. */
function renameParts(before: CollectionLayout, after: CollectionLayout): SchemaStatement[] {
  const [indexes, keys] = [indexesOf(after), allForeignKeys(after)]
  return [
    ...indexesOf(before).flatMap(({ name }, position) => {
      const to = indexes[position]?.name ?? name
      return to === name ? [] : [{ sql: `alter index if exists ${quoteName(name)} rename to ${quoteName(to)}` }]
    }),
    ...allForeignKeys(before).flatMap(({ name }, position) => {
      const to = keys[position]
      if (!to || to.name === name) return []
      return [
        { sql: `alter table ${quoteName(to.table)} rename constraint ${quoteName(name)} to ${quoteName(to.name)}` },
      ]
    }),
  ]
}

function renameChange(before: CollectionLayout, after: CollectionLayout): ChangeInput {
  const targets = tablesOf(after)
  return {
    change: 'change',
    subject: `collection ${after.name}`,
    detail: `renamed from ${before.name}`,
    table: before.table,
    statements: [
      ...tablesOf(before).map((name, position) => renameTable(name, targets[position] ?? name)),
      ...renameParts(before, after),
      {
        sql: `update collections_retired set collection = ${literal(after.name)} where collection = ${literal(before.name)} and field is not null`,
      },
    ],
  }
}

function renameFieldStatements(
  before: CollectionLayout,
  after: CollectionLayout,
  field: FieldLayout,
  to: FieldLayout,
): SchemaStatement[] {
  const history = quoteName(historyTableName(after.name))
  const [old, key] = [literal(field.name), literal(to.name)]
  return [
    field.joinTable === null || to.joinTable === null
      ? alter(after, `rename column ${quoteName(field.column)} to ${quoteName(to.column)}`)
      : renameTable(field.joinTable, to.joinTable),
    ...renameParts(before, after),
    ...(after.history
      ? [
          {
            sql: `update ${history} set row = (row - ${old}) || jsonb_build_object(${key}, row -> ${old}) where row ? ${old}`,
          },
        ]
      : []),
  ]
}

/** Removes references to rows that were deleted while the field was retired. A required one makes the change fail. */
function clearDangling({ table }: CollectionLayout, { reference, column, joinTable, required }: FieldLayout): string[] {
  if (!reference) return []
  const [own, value] = joinTable === null ? [table, column] : [joinTable, 'target_id']
  const exists = (name: string, id: string, shared: boolean) =>
    `exists (select from ${quoteName(name)} t where t.id = o.${quoteName(id)}${shared ? '' : ' and t.tenant_id = o.tenant_id'})`
  const isDangling = `o.${quoteName(value)} is not null and not ${exists(reference.table, value, reference.shared)}`
  if (joinTable !== null)
    return [`delete from ${quoteName(own)} o where ${isDangling} or not ${exists(table, 'row_id', false)}`]
  return required ? [] : [`update ${quoteName(own)} o set ${quoteName(value)} = null where ${isDangling}`]
}
