/** Adds, changes, restores and retires the fields of a collection. Pure. */
import { alter, clearDangling, dropIndexes, renameFieldStatements, renameTable } from './change-statements.ts'
import { compareField, isConvertible, type Place } from './field-changes.ts'
import type { CollectionLayout, FieldLayout } from './layout.ts'
import { describeType, isKeptIn, isSameExpression, renameField, type Working, withoutKeys } from './layout-changes.ts'
import type { PlanBuilder } from './plan-builder.ts'
import type { Retired, SchemaStatement, WantedCollection } from './schema-plan.ts'
import { quoteName } from './sql-literals.ts'
import { columnSql, defaultSql, dropForeignKeySql, foreignKeysOf, JOIN_COLUMNS } from './table-sql.ts'

export function renameFields(
  plan: PlanBuilder,
  working: Working,
  { layout: target, fieldWas }: WantedCollection,
): Working {
  let { layout } = working
  const columns = new Map(working.columns)
  for (const [name, was] of fieldWas) {
    const before = layout.fields.find(field => field.name === was)
    const to = target.fields.find(field => field.name === name)
    if (!before || !to || layout.fields.some(field => field.name === name)) continue
    const after = renameField(layout, before, to)
    plan.add({
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
export function removeFields(
  plan: PlanBuilder,
  working: Working,
  target: CollectionLayout,
  replaced: ReadonlySet<string>,
): Working {
  let { layout } = working
  const remove = (field: FieldLayout, retire: boolean) => {
    const to = target.fields.find(other => other.name === field.name)
    const fields = layout.fields.filter(other => other !== field)
    const after = { ...layout, fields, ...withoutKeys(layout, field.name) }
    if (retire) retireField(plan, working, layout, after, field, to)
    else dropComputed(plan, working, layout, after, field, to)
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
  plan: PlanBuilder,
  { table }: Working,
  before: CollectionLayout,
  after: CollectionLayout,
  { name, column }: FieldLayout,
  to: FieldLayout | undefined,
): void {
  plan.add({
    change: to ? 'change' : 'remove',
    subject: `field ${before.name}.${name}`,
    detail: to ? 'computed again' : 'computed',
    table,
    statements: [...dropIndexes(before, after), alter(before, `drop column ${quoteName(column)}`)],
  })
}

function retireField(
  plan: PlanBuilder,
  working: Working,
  before: CollectionLayout,
  after: CollectionLayout,
  field: FieldLayout,
  to: FieldLayout | undefined,
): void {
  const { column, joinTable } = field
  const keys = foreignKeysOf(field, before)
  const retiredAs = plan.retiredName(joinTable ?? column)
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
  plan.add({
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

/** Returns whether the column has another type. */
export function changeField(
  plan: PlanBuilder,
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
  plan.add({
    change: 'change',
    subject: `field ${target.name}.${field.name}`,
    detail: details.join(', '),
    table: working.table,
    checks,
    statements: [...drops, ...keys.map(key => ({ sql: dropForeignKeySql(key) })), ...sql.map(text => ({ sql: text }))],
  })
  if (keys.length > 0) plan.addForeignKeys(foreignKeysOf(field, target))
  return changesType
}

export function addField(
  plan: PlanBuilder,
  working: Working,
  layout: CollectionLayout,
  field: FieldLayout,
  target: CollectionLayout,
): CollectionLayout {
  const found = plan.retired.findLast(
    each =>
      each.collection === target.name &&
      each.field === field.name &&
      (each.layout as FieldLayout).columnType === field.columnType &&
      isConvertible(each.layout as FieldLayout, field),
  )
  if (found) return restoreField(plan, working, layout, field, target, found)
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
  plan.add({
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
  plan.addForeignKeys(foreignKeysOf(field, target))
  return { ...layout, fields: [...layout.fields, field] }
}

function restoreField(
  plan: PlanBuilder,
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
  plan.add({
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
  plan.addForeignKeys(foreignKeysOf(field, target))
  return { ...layout, fields: [...layout.fields, field] }
}
