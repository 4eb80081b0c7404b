/** Adds, changes, restores and retires the fields of a collection. Pure. */

import type { CollectionLayout, FieldLayout, Working } from '../tables/layout.ts'
import { literal, quoteName } from '../tables/sql-literals.ts'
import { columnSql, defaultSql, dropForeignKeySql, foreignKeysOf, JOIN_COLUMNS } from '../tables/table-sql.ts'
import { alter, clearDangling, dropIndexes, renameFieldStatements, renameTable } from './change-statements.ts'
import { physicalLayout } from './expansion.ts'
import { endComputedNames, endRenames, exchangeNames, expandRename, physicalField } from './expansion-steps.ts'
import { compareField, describeDefault, isConvertible, type Place } from './field-changes.ts'
import { describeType, isKeptIn, isSameExpression, renameField, withoutKeys } from './layout-changes.ts'
import { numberField, numberRest } from './number-steps.ts'
import type { PlanBuilder } from './plan-builder.ts'
import type { Check, Retired, SchemaStatement, WantedCollection } from './schema-plan.ts'
import { addFilledField, convertField, converts, endValues, filledBy, requireField } from './using-steps.ts'

export function renameFields(plan: PlanBuilder, before: Working, wanted: WantedCollection): Working {
  const working = exchangeNames(plan, before, wanted.layout)
  endRenames(plan, working, wanted)
  endValues(plan, working, wanted)
  const { layout: target, fieldWas } = wanted
  let { layout } = working
  const columns = new Map(working.columns)
  for (const [name, was] of fieldWas) {
    const former = layout.fields.find(field => field.name === was)
    const to = target.fields.find(field => field.name === name)
    if (!former || !to || layout.fields.some(field => field.name === name)) continue
    columns.set(name, columns.get(was) ?? former.column)
    // Processes of the earlier recipe can't use a renamed collection or another type in any case.
    layout =
      working.table === layout.table && isConvertible(former, to)
        ? expandRename(plan, { ...working, layout }, former, to)
        : renameAtOnce(plan, { ...working, layout }, former, to)
  }
  return { ...working, layout, columns }
}

function renameAtOnce(
  plan: PlanBuilder,
  { layout, table }: Working,
  before: FieldLayout,
  to: FieldLayout,
): CollectionLayout {
  const after = renameField(layout, before, to)
  plan.add({
    change: 'change',
    subject: `field ${layout.name}.${to.name}`,
    detail: `renamed from ${before.name}`,
    table,
    statements: renameFieldStatements(layout, after, before, to),
  })
  return after
}

/** Retires fields that are gone, and those whose values don't fit the new type. */
export function removeFields(
  plan: PlanBuilder,
  working: Working,
  wanted: WantedCollection,
  replaced: ReadonlySet<string>,
): Working {
  const target = wanted.layout
  let { layout } = working
  const remove = (field: FieldLayout, retire: boolean) => {
    const to = target.fields.find(other => other.name === field.name)
    const fields = layout.fields.filter(other => other !== field)
    const after = { ...withoutKeys(layout, field.name), fields }
    if (retire) retireField(plan, working, layout, after, field, target)
    else dropComputed(plan, working, layout, after, field, to)
    layout = after
  }
  for (const field of working.layout.fields)
    if (
      field.expression === null &&
      (replaced.has(field.reference?.to ?? '') || !(isKeptIn(field, target) || converts(field, wanted)))
    )
      remove(field, true)
  // A computed column would keep reading the column that was retired.
  const isStale = layout !== working.layout
  const stale = working.layout.fields.filter(
    field => field.expression !== null && (isStale || !isSameExpression(field, target)),
  )
  if (stale.length > 0) endComputedNames(plan, { ...working, layout })
  for (const field of stale) remove(field, false)
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
  target: CollectionLayout,
): void {
  const to = target.fields.find(({ name }) => name === field.name)
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
      : `its values are kept for 30 days, then deleted${renameHint(plan, working, field, target)}`,
    statements,
    retires: [
      {
        collection: before.name,
        field: field.name,
        layout: field,
        tables: joinTable === null ? {} : { [joinTable]: retiredAs },
        column: joinTable === null ? retiredAs : null,
        retiredAt: plan.now,
      },
    ],
  })
}

/** Names a new field that looks like a removed one. */
function renameHint(plan: PlanBuilder, { layout }: Working, field: FieldLayout, target: CollectionLayout): string {
  const isKnown = (name: string) =>
    layout.fields.some(other => other.name === name) ||
    plan.retired.some(({ collection, field: retired }) => collection === target.name && retired === name)
  const alike = target.fields.find(
    other => !isKnown(other.name) && describeType(other) === describeType(field) && other.unique === field.unique,
  )
  return alike ? `. If ${alike.name} is its new name, add \`was: ${field.name}\` to ${alike.name}` : ''
}

/** Returns whether the column has another type. */
export function changeField(
  plan: PlanBuilder,
  working: Working,
  layout: CollectionLayout,
  former: FieldLayout,
  field: FieldLayout,
  wanted: WantedCollection,
): boolean {
  const target = wanted.layout
  if (!isConvertible(former, field)) {
    convertField(plan, working, layout, former, field, wanted)
    return true
  }
  const isNumbered = field.sequence !== undefined && former.sequence === undefined
  const isFilled = field.required && !former.required && !isNumbered && filledBy(field.name, wanted) !== undefined
  if (isNumbered) numberField(plan, working, field, target, false)
  if (isFilled) requireField(plan, working, former, field, wanted)
  const before = isFilled || isNumbered ? { ...former, required: true } : former
  const place: Place = { table: working.table, column: working.columns.get(field.name) ?? field.column }
  const stored = physicalField(plan, target, field)
  const { details, checks, notes, sql, changesType } = compareField(before, stored, target.table, place)
  if (details.length === 0) return false
  if (changesType) endComputedNames(plan, { ...working, layout })
  const dependents = changesType
    ? target.fields.filter(
        ({ expression }) => expression !== null && layout.fields.some(({ name }) => name === field.name),
      )
    : []
  const drops = changesType
    ? [...dependents.map(({ column }) => alter(target, `drop column if exists ${quoteName(column)}`))]
    : []
  const keys =
    before.reference && before.reference.onDelete !== field.reference?.onDelete
      ? foreignKeysOf(physicalField(plan, layout, before), layout)
      : []
  plan.add({
    change: 'change',
    subject: `field ${target.name}.${field.name}`,
    detail: details.join(', '),
    table: working.table,
    checks,
    notes,
    statements: [...drops, ...keys.map(key => ({ sql: dropForeignKeySql(key) })), ...sql.map(text => ({ sql: text }))],
  })
  if (keys.length > 0) plan.addForeignKeys(foreignKeysOf(stored, target))
  return changesType
}

export function addField(
  plan: PlanBuilder,
  working: Working,
  layout: CollectionLayout,
  field: FieldLayout,
  wanted: WantedCollection,
): CollectionLayout {
  const target = wanted.layout
  const found = retiredField(plan, field, target)
  const isFilled = wanted.fieldUsing.has(field.name) || (!found && wanted.fieldDefaults.has(field.name))
  if (isFilled) return addFilledField(plan, working, layout, field, wanted)
  if (found) return restoreField(plan, working, layout, field, target, found)
  if (field.sequence !== undefined) {
    numberField(plan, working, field, target, true)
    return { ...layout, fields: [...layout.fields, field] }
  }
  const standard = defaultSql(field)
  const { joinTable, expression } = field
  const mustHaveDefault = field.required && standard === undefined && expression === null
  const sql =
    joinTable === null
      ? [alter(target, `add column ${columnSql(field, physicalLayout(target, plan.expansions))}`)]
      : [{ create: joinTable, columns: JOIN_COLUMNS, shared: target.scope === 'shared' }]
  plan.add({
    change: 'add',
    subject: `field ${target.name}.${field.name}`,
    detail: `${describeType(field)}${field.required ? ', required' : ''}${standard === undefined ? '' : `, default ${describeDefault(field)}`}`,
    table: working.table,
    checks: mustHaveDefault
      ? [
          {
            from: quoteName(working.table),
            key: 'id',
            noun: 'row',
            message: field.defaultFrom
              ? `required, and ${describeDefault(field)} gives existing rows no value. Add using, or require it later: {count} ({keys})`
              : 'required without a default: {count} ({keys})',
          },
        ]
      : [],
    statements: sql,
  })
  plan.addForeignKeys(foreignKeysOf(field, target))
  return { ...layout, fields: [...layout.fields, field] }
}

const retiredField = (plan: PlanBuilder, field: FieldLayout, target: CollectionLayout): Retired | undefined =>
  plan.retired.findLast(
    each =>
      each.collection === target.name &&
      each.field === field.name &&
      (each.layout as FieldLayout).columnType === field.columnType &&
      isConvertible(each.layout as FieldLayout, field),
  )

/** The kept values weren't updated while the field had another type. */
function writtenSince(table: string, time: number): Check {
  const date = new Date(time).toISOString()
  return {
    from: `${quoteName(table)} where updated_at > ${literal(date)}::timestamptz`,
    key: 'id',
    noun: 'row',
    message: `written since ${date}, and get their value from before, or none: {count} ({keys})`,
  }
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
  const isNumbered = field.sequence !== undefined
  const after = isNumbered ? { ...field, required: false } : field
  const { checks, notes, sql } = compareField(before, after, target.table, place)
  plan.add({
    change: 'add',
    subject: `field ${target.name}.${field.name}`,
    detail: 'restored with its values',
    table: working.table,
    checks,
    notes: [...notes, ...(working.columns.has(field.name) ? [writtenSince(working.table, found.retiredAt)] : [])],
    statements: [
      joinTable === null
        ? alter(target, `rename column ${quoteName(found.column ?? '')} to ${quoteName(column)}`)
        : renameTable(retiredTable, joinTable),
      ...clearDangling(target, field).map(text => ({ sql: text })),
      ...sql.map(text => ({ sql: text })),
      // Rows that were written meanwhile have no number.
      ...(isNumbered ? numberRest(target, field) : []),
    ],
    restores: found,
  })
  plan.addForeignKeys(foreignKeysOf(field, target))
  return { ...layout, fields: [...layout.fields, field] }
}
