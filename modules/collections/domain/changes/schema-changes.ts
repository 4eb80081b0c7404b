/** Plans how the tables of collections become those that the recipe declares. Pure. */

import { historyTableName } from '../declarations/naming.ts'
import type { CollectionLayout, Working } from '../tables/layout.ts'
import { searchIdentity } from '../tables/search-column.ts'
import { quoteName } from '../tables/sql-literals.ts'
import {
  columnSql,
  createIndexSql,
  dropForeignKeySql,
  dropIndexSql,
  foreignKeysOf,
  HISTORY_COLUMNS,
  historyForeignKey,
  indexesOf,
  JOIN_COLUMNS,
  tableColumns,
} from '../tables/table-sql.ts'
import { changeCapacity } from './capacity-steps.ts'
import { alter, clearDangling, renameCollectionStatements, renameTable } from './change-statements.ts'
import { addHistory, changeGuests, changeKeys, changeSearch, emptyTrash } from './collection-steps.ts'
import { physicalLayout, type StoredExpansion } from './expansion.ts'
import { endNames } from './expansion-steps.ts'
import { addField, changeField, removeFields, renameFields } from './field-steps.ts'
import {
  allForeignKeys,
  columnsOf,
  isKeptIn,
  refreshReferences,
  renameCollection,
  tablesOf,
  withReferences,
} from './layout-changes.ts'
import { changePeriods, createExtension, dropPeriods, EXTENSION } from './period-steps.ts'
import { createPlanBuilder, type PlanBuilder } from './plan-builder.ts'
import type { Retired, SchemaPlan, WantedCollection } from './schema-plan.ts'
import { endValuesOf } from './using-steps.ts'

export interface SchemaState {
  readonly layouts: readonly CollectionLayout[]
  readonly retired: readonly Retired[]
  readonly expansions: readonly StoredExpansion[]
}

/** @param now milliseconds; part of the names of what is retired. */
export function planSchema(
  { layouts, retired, expansions }: SchemaState,
  wanted: readonly WantedCollection[],
  now: number,
): SchemaPlan {
  const plan = createPlanBuilder(retired, expansions, now)
  const current = renameCollections(plan, layouts, wanted)
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
    if (target && !replaced.has(name)) kept.set(name, renameFields(plan, working, target))
  }
  for (const [name, working] of kept) {
    const target = wanted.find(({ layout }) => layout.name === name) as WantedCollection
    kept.set(name, removeFields(plan, working, target, replaced))
  }
  for (const [name, working] of current)
    if (!kept.has(name)) {
      endNames(plan, working, () => true)
      endValuesOf(plan, working)
      retireCollection(plan, working, replaced.has(name))
    }
  for (const target of wanted) {
    const { layout } = target
    if (kept.has(layout.name)) continue
    const restored = restoreCollection(plan, layout)
    if (restored) kept.set(layout.name, removeFields(plan, restored, target, new Set()))
    else addCollection(plan, layout)
  }
  for (const target of wanted) {
    const { layout } = target
    const working = kept.get(layout.name)
    if (working) changeCollection(plan, working, target, kept)
    if (working?.layout.trash && !layout.trash) emptyTrash(plan, working, layout, [...names.values()])
  }
  return plan.finish()
}

function renameCollections(
  plan: PlanBuilder,
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
    if (to) {
      const working = { layout: before, table: before.table, columns: columnsOf(before) }
      endNames(plan, working, () => true)
      endValuesOf(plan, working)
      plan.add({
        change: 'change',
        subject: `collection ${layout.name}`,
        detail: `renamed from ${before.name}`,
        breaks: `the routes, events and permissions of ${before.name} end, and processes of the earlier recipe fail`,
        table: before.table,
        statements: renameCollectionStatements(before, layout),
      })
    }
    return [layout.name, { layout, table: before.table, columns: columnsOf(before) }]
  })
  return new Map(current)
}

function retireCollection(plan: PlanBuilder, { layout, table }: Working, isReplaced: boolean): void {
  const tables = Object.fromEntries(tablesOf(layout).map(name => [name, plan.retiredName(name)]))
  plan.add({
    change: isReplaced ? 'change' : 'remove',
    subject: `collection ${layout.name}`,
    detail: isReplaced ? 'scope' : fieldCount(layout),
    table,
    loss: isReplaced
      ? 'its rows are kept for 30 days under their former scope, and not moved'
      : 'its rows are kept for 30 days, then deleted',
    statements: [
      ...indexesOf(layout).map(index => ({ sql: dropIndexSql(index) })),
      ...allForeignKeys(layout).map(key => ({ sql: dropForeignKeySql(key) })),
      ...Object.entries(tables).map(([name, to]) => renameTable(name, to)),
    ],
    retires: [{ collection: layout.name, field: null, layout, tables, column: null, retiredAt: plan.now }],
  })
}

const fieldCount = ({ fields }: CollectionLayout): string =>
  fields.length === 1 ? '1 field' : `${fields.length} fields`

function restoreCollection(plan: PlanBuilder, target: CollectionLayout): Working | undefined {
  const found = plan.retired.findLast(
    ({ collection, field, layout }) =>
      collection === target.name && field === null && (layout as CollectionLayout).scope === target.scope,
  )
  if (!found) return undefined
  const layout = refreshReferences(found.layout as CollectionLayout, target)
  plan.add({
    change: 'add',
    subject: `collection ${target.name}`,
    detail: 'restored with its rows',
    table: found.tables[layout.table],
    statements: Object.entries(found.tables).map(([name, from]) => renameTable(from, name)),
    restores: found,
  })
  const kept = layout.fields.filter(field => isKeptIn(field, target))
  for (const field of kept) plan.addLate(clearDangling(layout, field))
  plan.addForeignKeys([
    ...kept.flatMap(field => foreignKeysOf(field, layout)),
    ...(layout.history ? [historyForeignKey(layout)] : []),
  ])
  return { layout, table: found.tables[layout.table] ?? layout.table, columns: columnsOf(layout) }
}

function addCollection(plan: PlanBuilder, layout: CollectionLayout): void {
  const shared = layout.scope === 'shared'
  const joins = layout.fields.flatMap(({ joinTable }) => joinTable ?? [])
  plan.add({
    change: 'add',
    subject: `collection ${layout.name}`,
    detail: layout.fields.map(({ name }) => name).join(', '),
    checks: layout.noOverlap ? [EXTENSION] : [],
    statements: [
      ...(layout.noOverlap ? [createExtension] : []),
      { create: layout.table, columns: tableColumns(layout), shared },
      ...joins.map(create => ({ create, columns: JOIN_COLUMNS, shared })),
      ...(layout.history ? [{ create: historyTableName(layout.name), columns: HISTORY_COLUMNS, shared }] : []),
      ...indexesOf(layout).map(index => ({ sql: createIndexSql(index) })),
    ],
  })
  plan.addForeignKeys(allForeignKeys(layout))
}

/** @param all those of the collections that are kept, by name. */
function changeCollection(
  plan: PlanBuilder,
  working: Working,
  wanted: WantedCollection,
  all: ReadonlyMap<string, Working>,
): void {
  const target = wanted.layout
  let { layout } = working
  dropPeriods(plan, layout, target)
  const searched = searchIdentity(layout)
  // Computed fields last: they read the others.
  const ordered = [...target.fields].sort((a, b) => Number(a.expression !== null) - Number(b.expression !== null))
  let isConverted = false
  for (const field of ordered) {
    const before = layout.fields.find(({ name }) => name === field.name)
    if (before) isConverted = changeField(plan, working, layout, before, field, wanted) || isConverted
    else layout = addField(plan, working, layout, field, wanted)
  }
  if (isConverted) recompute(plan, target)
  changeKeys(plan, working, target)
  changePeriods(plan, working, target)
  changeCapacity(plan, working, target, all)
  changeGuests(plan, working, target)
  changeSearch(plan, working, searched, wanted)
  if (target.history && !layout.history) addHistory(plan, working, target)
}

/** Creates computed columns again that were dropped because a column has another type. */
function recompute(plan: PlanBuilder, target: CollectionLayout): void {
  const statements = target.fields.flatMap(field =>
    field.expression === null
      ? []
      : [
          alter(target, `drop column if exists ${quoteName(field.column)}`),
          alter(target, `add column ${columnSql(field, physicalLayout(target, plan.expansions))}`),
        ],
  )
  if (statements.length > 0)
    plan.add({
      change: 'change',
      subject: `collection ${target.name}`,
      detail: 'computes its fields again',
      statements,
    })
}
