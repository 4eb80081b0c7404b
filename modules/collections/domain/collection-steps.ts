/** Changes the keys, the search and the versions of a collection. Pure. */
import { alter } from './change-statements.ts'
import { physicalLayout } from './expansion.ts'
import { duplicates } from './field-changes.ts'
import type { CollectionLayout, Working } from './layout.ts'
import { historyTableName } from './naming.ts'
import type { PlanBuilder } from './plan-builder.ts'
import { quoteName } from './sql-literals.ts'
import { HISTORY_COLUMNS, historyForeignKey, searchColumn } from './table-sql.ts'

export function changeKeys(plan: PlanBuilder, { layout, table, columns }: Working, target: CollectionLayout): void {
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
}

export function changeSearch(
  plan: PlanBuilder,
  { layout, table }: Working,
  before: string | undefined,
  target: CollectionLayout,
): void {
  const after = searchColumn(target)
  if (before === after) return
  const stored = searchColumn(physicalLayout(target, plan.expansions))
  plan.add({
    change: 'change',
    subject: `collection ${target.name}`,
    detail: `search ${layout.search.join(', ') || 'none'} → ${target.search.join(', ') || 'none'}`,
    table,
    statements: [
      alter(target, 'drop column if exists search'),
      ...(stored === undefined ? [] : [alter(target, `add column ${stored}`)]),
    ],
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
