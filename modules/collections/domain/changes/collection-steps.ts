/** Changes the keys, the search and the versions of a collection. Pure. */

import type { DeclaredKey } from '../declarations/declaration.ts'
import { historyTableName } from '../declarations/naming.ts'
import { whereSql } from '../tables/key-condition.ts'
import type { CollectionLayout, Working } from '../tables/layout.ts'
import { SEARCH_COLUMN, searchIdentity, searchValue } from '../tables/search-column.ts'
import { quoteName } from '../tables/sql-literals.ts'
import { GUEST_COLUMN, HISTORY_COLUMNS, historyForeignKey, indexesOf, SEARCH_INDEX } from '../tables/table-sql.ts'
import { alter } from './change-statements.ts'
import { physicalLayout } from './expansion.ts'
import { duplicates } from './field-changes.ts'
import type { PlanBuilder } from './plan-builder.ts'
import type { WantedCollection } from './schema-plan.ts'
import { replaceSearch, searchExpansion } from './search-steps.ts'

export function changeKeys(plan: PlanBuilder, working: Working, target: CollectionLayout): void {
  const { layout, table, columns } = working
  const id = (key: readonly string[]) => key.join(' + ')
  const before = layout.unique.map(id)
  const added = target.unique.filter(key => !before.includes(id(key)))
  const removed = layout.unique.filter(key => !target.unique.map(id).includes(id(key)))
  for (const key of added) {
    const existing = key.every(name => layout.fields.some(field => field.name === name))
    const names = key.map(name => quoteName(columns.get(name) ?? name))
    plan.add({
      change: 'change',
      subject: `collection ${target.name}`,
      detail: `unique ${id(key)}`,
      table,
      checks: existing ? [duplicates(table, names)] : [],
    })
  }
  for (const key of removed)
    plan.add({
      change: 'change',
      subject: `collection ${target.name}`,
      detail: `${id(key)} is no longer unique`,
      table,
    })
  changeConditionalKeys(plan, working, target)
  changeIndexes(plan, working, target)
}

function changeConditionalKeys(plan: PlanBuilder, { layout, table, columns }: Working, target: CollectionLayout): void {
  const [before, after] = [layout, target].map(
    ({ uniqueWhere = [] }) => new Map(uniqueWhere.map(key => [idOf(key), key])),
  )
  const change = { change: 'change' as const, subject: `collection ${target.name}`, table }
  for (const [id, { fields, where }] of after ?? []) {
    if (before?.has(id)) continue
    const named = [...fields, ...Object.keys(where)]
    const existing = named.every(name => layout.fields.some(field => field.name === name))
    const names = fields.map(name => quoteName(columns.get(name) ?? name))
    const checks = existing ? [duplicates(table, names, whereSql(target, where, { columns }))] : []
    plan.add({ ...change, detail: `unique ${id}`, checks })
  }
  for (const id of before?.keys() ?? [])
    if (!after?.has(id)) plan.add({ ...change, detail: `${id} is no longer unique` })
}
const idOf = ({ fields, where }: DeclaredKey): string => `${fields.join(' + ')} where ${JSON.stringify(where)}`

function changeIndexes(plan: PlanBuilder, { layout, table }: Working, target: CollectionLayout): void {
  const [before = [], after = []] = [layout, target].map(({ indexes = [] }) => indexes.map(key => key.join(' + ')))
  const change = { change: 'change' as const, subject: `collection ${target.name}`, table }
  for (const key of after) if (!before.includes(key)) plan.add({ ...change, detail: `index ${key}` })
  for (const key of before) if (!after.includes(key)) plan.add({ ...change, detail: `no index ${key}` })
  if (Boolean(layout.countsByPerson) !== Boolean(target.countsByPerson))
    plan.add({
      ...change,
      detail: `${target.countsByPerson ? 'index' : 'no index'} createdBy, by which rows are counted`,
    })
}

/** Searches keep working while the rows are indexed again, and find them by their former words. */
export function changeSearch(
  plan: PlanBuilder,
  working: Working,
  before: string | undefined,
  { layout: target, fieldUsing }: WantedCollection,
): void {
  if (before === searchIdentity(target)) return
  const { layout, table, columns } = working
  const names = [layout, target].map(({ search }) => search.join(', ') || 'none')
  const change = {
    change: 'change' as const,
    subject: `collection ${target.name}`,
    detail: names[0] === names[1] ? `indexes its search again (${names[0]})` : `search ${names.join(' → ')}`,
    table,
  }
  const drop = alter(target, 'drop column if exists search')
  if (target.search.length === 0) {
    plan.add({ ...change, statements: [drop] })
    return
  }
  const stored = target.search.map(name => {
    const field = layout.fields.find(each => each.name === name)
    return field?.columnType === 'text' && !fieldUsing.has(name) ? (columns.get(name) ?? field.column) : undefined
  })
  const index = indexesOf(target).find(({ definition }) => definition === SEARCH_INDEX)?.name
  if (index !== undefined && stored.every(column => column !== undefined)) {
    const filled = searchExpansion(target.name, table, stored)
    plan.add({
      ...change,
      statements: [...filled.expansion.end, ...replaceSearch(target.table, filled.index, index)].map(sql => ({ sql })),
      expands: filled.expansion,
    })
    return
  }
  // The change adds or converts a field that is searched.
  const { fields } = physicalLayout(target, plan.expansions)
  const searched = physicalLayout(target, plan.expansions).search.map(name =>
    quoteName(fields.find(field => field.name === name)?.column ?? name),
  )
  plan.add({
    ...change,
    statements: [
      drop,
      alter(target, `add column ${SEARCH_COLUMN}`),
      { sql: `update ${quoteName(target.table)} set search = ${searchValue(searched)}` },
    ],
  })
}

/** The column stays when the rule ends: processes of an earlier recipe may write it. */
export function changeGuests(plan: PlanBuilder, { layout, table }: Working, target: CollectionLayout): void {
  if (Boolean(layout.guests) === Boolean(target.guests)) return
  plan.add({
    change: 'change',
    subject: `collection ${target.name}`,
    detail: `people who are not signed in ${target.guests ? 'can create rows' : 'no longer create rows'}`,
    table,
    statements: target.guests ? [alter(target, `add column if not exists ${GUEST_COLUMN}`)] : [],
  })
}

export function addHistory(plan: PlanBuilder, { table }: Working, target: CollectionLayout): void {
  plan.add({
    change: 'change',
    subject: `collection ${target.name}`,
    detail: 'keeps former versions',
    table,
    statements: [
      { create: historyTableName(target.name), columns: HISTORY_COLUMNS, shared: target.scope === 'shared' },
    ],
  })
  plan.addForeignKeys([historyForeignKey(target)])
}

/** Deletes the rows in the trash of a collection that no longer has one: they would be visible again. */
export function emptyTrash(
  plan: PlanBuilder,
  { table }: Working,
  target: CollectionLayout,
  all: readonly CollectionLayout[],
): void {
  const [before, after] = [table, target.table].map(name => `${quoteName(name)} where deleted_at is not null`)
  plan.add({
    change: 'change',
    subject: `collection ${target.name}`,
    detail: 'no trash',
    table,
    loss: 'the rows in its trash are deleted',
    lostRows: before,
  })
  const links = all.flatMap(({ fields }) =>
    fields.flatMap(({ joinTable, reference }) =>
      joinTable !== null && reference?.to === target.name ? [joinTable] : [],
    ),
  )
  plan.addLate([
    ...links.map(name => `delete from ${quoteName(name)} where target_id in (select id from ${after})`),
    `delete from ${after}`,
  ])
}
