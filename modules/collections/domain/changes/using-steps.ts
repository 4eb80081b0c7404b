/** Fills fields with values that `using` computes from the old rows. Pure. */

import { identifier } from '../declarations/naming.ts'
import { ExpressionError } from '../fields/expression.ts'
import type { CollectionLayout, FieldLayout, Working } from '../tables/layout.ts'
import { quoteName } from '../tables/sql-literals.ts'
import { alter, dropIndexes } from './change-statements.ts'
import { valueExpansion } from './expansion.ts'
import { endComputedNames } from './expansion-steps.ts'
import { isConvertible, valueChecks } from './field-changes.ts'
import { describeType, withoutKeys } from './layout-changes.ts'
import type { PlanBuilder } from './plan-builder.ts'
import type { SchemaStatement, WantedCollection } from './schema-plan.ts'
import { type UsingValue, usingType, usingValue } from './using.ts'

/** Whether the recipe converts the values of the field, which would otherwise be retired. */
export const converts = (from: FieldLayout, { layout, fieldUsing }: WantedCollection): boolean => {
  const to = layout.fields.find(({ name }) => name === from.name)
  return (
    to !== undefined &&
    fieldUsing.has(to.name) &&
    !isConvertible(from, to) &&
    [from, to].every(({ reference, expression }) => reference === null && expression === null) &&
    usingType(to.type) !== undefined
  )
}

/** Ends the triggers that fill fields for an earlier recipe, if the recipe no longer asks for them or changes what they read. */
export function endValues(plan: PlanBuilder, { layout, table }: Working, wanted: WantedCollection): void {
  const find = (fields: readonly FieldLayout[], name: string) => fields.find(field => field.name === name)
  /** Whether the column stays, with its type. */
  const isStable = (column: string) => {
    const names = plan.expansions.find(
      ({ collection, names }) =>
        collection === layout.name && names && [names.kept.column, names.copy.column].includes(column),
    )?.names
    const known = names ? [names.kept.name, names.copy.name] : []
    const before = layout.fields.find(field => field.column === column || known.includes(field.name))
    return before !== undefined && find(wanted.layout.fields, before.name)?.columnType === before.columnType
  }
  for (const expansion of plan.expansions) {
    const { collection, kind, field, reads, source } = expansion
    if (collection !== layout.name || kind !== 'value') continue
    const target = find(wanted.layout.fields, field)
    const isWanted = target?.required === true && filledBy(field, wanted) === source
    if (isWanted && [target.column, ...reads].every(isStable) && table === layout.table) continue
    plan.add({
      change: 'change',
      subject: `field ${layout.name}.${field}`,
      detail: 'no longer filled for an earlier recipe',
      table,
      statements: expansion.end.map(sql => ({ sql })),
      contracts: expansion,
    })
  }
}

/** Ends all of them in a collection that is renamed or removed. */
export const endValuesOf = (plan: PlanBuilder, working: Working): void =>
  endValues(plan, working, {
    layout: { ...working.layout, fields: [] },
    was: undefined,
    fieldWas: new Map(),
    fieldUsing: new Map(),
    fieldDefaults: new Map(),
  })

/** Computes the values of a field with another type, which then takes the place of the former one. */
export function convertField(
  plan: PlanBuilder,
  working: Working,
  layout: CollectionLayout,
  before: FieldLayout,
  field: FieldLayout,
  wanted: WantedCollection,
): void {
  const target = wanted.layout
  const subject = `field ${target.name}.${field.name}`
  const detail = `type ${describeType(before)} → ${describeType(field)}, ${usingText(field, wanted)}`
  const value = plannedValue(plan, working, field, wanted, { subject, detail })
  if (!value) return
  const place = working.columns.get(field.name) ?? before.column
  const column = identifier(`filling_${field.column}`)
  const expansion = valueExpansion(working, field, value, { kind: 'type', column, adds: true })
  const retiredAs = plan.retiredName(before.column)
  const missing = `${quoteName(place)} is not null and ${value.sql} is null`
  endComputedNames(plan, { ...working, layout })
  plan.add({
    change: 'change',
    subject,
    detail,
    table: working.table,
    checks: valueChecks(field, { table: working.table, column: place, sql: value.sql }),
    ...(!field.required && {
      loss: 'using gives no value for some rows; the former values are kept for 30 days',
      lostRows: `${quoteName(working.table)} where ${missing}`,
    }),
    statements: [
      ...target.fields
        .filter(({ expression, name }) => expression !== null && layout.fields.some(other => other.name === name))
        .map(computed => alter(target, `drop column if exists ${quoteName(computed.column)}`)),
      ...expansion.end.map(sql => ({ sql })),
      ...dropIndexes(layout, {
        ...withoutKeys(layout, field.name),
        fields: layout.fields.filter(({ name }) => name !== field.name),
      }),
      ...(before.required ? [alter(target, `alter column ${quoteName(before.column)} drop not null`)] : []),
      alter(target, `rename column ${quoteName(before.column)} to ${quoteName(retiredAs)}`),
      alter(target, `rename column ${quoteName(column)} to ${quoteName(field.column)}`),
      ...setNotNull(field, target),
    ],
    retires: [
      {
        collection: target.name,
        field: field.name,
        layout: before,
        tables: {},
        column: retiredAs,
        retiredAt: plan.now,
      },
    ],
    expands: expansion,
  })
}

/** Adds a field whose existing rows get the value of `using`. */
export function addFilledField(
  plan: PlanBuilder,
  working: Working,
  layout: CollectionLayout,
  field: FieldLayout,
  wanted: WantedCollection,
): CollectionLayout {
  const subject = `field ${layout.name}.${field.name}`
  const detail = `${describeType(field)}${field.required ? ', required' : ''}, ${usingText(field, wanted)}`
  const value = plannedValue(plan, working, field, wanted, { subject, detail })
  if (value) {
    const kind = field.required ? 'value' : 'type'
    const expansion = valueExpansion(working, field, value, { kind, column: field.column, adds: true })
    plan.add({
      change: 'add',
      subject,
      detail,
      table: working.table,
      checks: valueChecks(field, { table: working.table, column: field.column, sql: value.sql }),
      statements: [
        ...(kind === 'type' ? expansion.end.map(sql => ({ sql })) : []),
        ...setNotNull(field, wanted.layout),
      ],
      expands: expansion,
    })
  }
  return { ...layout, fields: [...layout.fields, field] }
}

/** Gives rows without a value one, before the field becomes required. */
export function requireField(
  plan: PlanBuilder,
  working: Working,
  before: FieldLayout,
  field: FieldLayout,
  wanted: WantedCollection,
): void {
  const subject = `field ${wanted.layout.name}.${field.name}`
  const detail = `required, ${usingText(field, wanted)}`
  const value = plannedValue(plan, working, field, wanted, { subject, detail })
  if (!value) return
  if (
    plan.expansions.some(
      ({ collection, names }) => collection === working.layout.name && names?.copy.name === field.name,
    )
  ) {
    const mistakes = ['using and a new name of the field need two deploys']
    plan.add({ change: 'change', subject, detail, table: working.table, mistakes })
    return
  }
  const column = working.columns.get(field.name) ?? before.column
  const sql = `coalesce(${quoteName(column)}, ${value.sql})`
  plan.add({
    change: 'change',
    subject,
    detail,
    table: working.table,
    checks: valueChecks(field, { table: working.table, column, sql }),
    statements: setNotNull({ ...field, column: before.column }, wanted.layout),
    expands: valueExpansion(working, field, value, { kind: 'value', column, adds: false }),
  })
}

const setNotNull = ({ required, column }: FieldLayout, target: CollectionLayout): SchemaStatement[] =>
  required ? [alter(target, `alter column ${quoteName(column)} set not null`)] : []

const usingText = ({ name }: FieldLayout, { fieldUsing, fieldDefaults }: WantedCollection): string =>
  fieldUsing.has(name) ? `using ${fieldUsing.get(name)}` : `default ${fieldDefaults.get(name)}, filled in batches`

/** The expression that gives rows a value that have none. */
export const filledBy = (field: string, { fieldUsing, fieldDefaults }: WantedCollection): string | undefined =>
  fieldUsing.get(field) ?? fieldDefaults.get(field)

/** Adds an impossible change if there is no value. */
function plannedValue(
  plan: PlanBuilder,
  working: Working,
  field: FieldLayout,
  wanted: WantedCollection,
  change: { readonly subject: string; readonly detail: string },
): UsingValue | undefined {
  const { layout: target, fieldUsing } = wanted
  const { layout, columns, table } = working
  const fail = (mistake: string) => void plan.add({ change: 'change', ...change, table, mistakes: [mistake] })
  if (table !== layout.table) return fail('using and a new name of the collection need two deploys')
  try {
    const value = usingValue(
      filledBy(field.name, wanted) ?? '',
      field,
      layout,
      columns,
      fieldUsing.has(field.name) ? undefined : plan.now,
    )
    const changed = value.reads.find(name => {
      const [from, to] = [layout, target].map(({ fields }) => fields.find(other => other.name === name))
      return name !== field.name && from?.columnType !== to?.columnType
    })
    return changed === undefined ? value : fail(`using reads ${changed}, which changes as well: use two deploys`)
  } catch (error) {
    if (error instanceof ExpressionError) return fail(error.message)
    throw error
  }
}
