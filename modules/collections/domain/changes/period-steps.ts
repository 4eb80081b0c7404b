/** Changes which periods of a collection must not overlap. Pure. */
import type { Periods } from '../declarations/collection.ts'
import type { CollectionLayout, Working } from '../tables/layout.ts'
import { quoteName } from '../tables/sql-literals.ts'
import { dropIndexSql, type IndexSpec, indexesOf } from '../tables/table-sql.ts'
import { physicalLayout } from './expansion.ts'
import type { PlanBuilder } from './plan-builder.ts'
import type { Check, SchemaStatement } from './schema-plan.ts'

/** The constraint compares equal values beside ranges. The extension is trusted: the owner of a database can create it. */
export const createExtension: SchemaStatement = { sql: 'create extension if not exists btree_gist' }

export const EXTENSION: Check = {
  from: "(select 1 where not exists (select from pg_available_extensions where name = 'btree_gist')) as missing",
  key: "'btree_gist'",
  noun: 'value',
  message: 'PostgreSQL lacks the extension btree_gist, which noOverlap needs. It is part of postgresql-contrib',
}

const constraintOf = (layout: CollectionLayout): IndexSpec | undefined =>
  indexesOf(layout).find(({ exclusion }) => exclusion)

/** Before the types of its columns change. The constraint is created again with the other indexes. */
export function dropPeriods(plan: PlanBuilder, layout: CollectionLayout, target: CollectionLayout): void {
  const [before, after] = [layout, target].map(each => constraintOf(physicalLayout(each, plan.expansions)))
  if (!layout.noOverlap || !before || before.name === after?.name) return
  plan.add({
    change: 'change',
    subject: `collection ${target.name}`,
    detail: `${describe(layout.noOverlap)} can overlap`,
    table: undefined,
    statements: [{ sql: dropIndexSql({ ...before, table: target.table }) }],
  })
}

export function changePeriods(plan: PlanBuilder, { layout, table, columns }: Working, target: CollectionLayout): void {
  const { noOverlap } = target
  if (!noOverlap || constraintOf(layout)?.name === constraintOf(target)?.name) return
  const { by, from, to } = noOverlap
  const existing = [...by, from, to].every(name => layout.fields.some(field => field.name === name))
  const columnOf = (name: string) => quoteName(columns.get(name) ?? name)
  plan.add({
    change: 'change',
    subject: `collection ${target.name}`,
    detail: `${describe(noOverlap)} can't overlap; locks the table while its rows are indexed`,
    table,
    checks: [
      EXTENSION,
      ...(existing ? checksOf(table, { by: by.map(columnOf), from: columnOf(from), to: columnOf(to) }) : []),
    ],
    statements: [createExtension],
  })
}

const describe = ({ by, from, to }: Periods): string =>
  `${from} to ${to}${by.length > 0 ? ` of one ${by.join(' and ')}` : ''}`

/** @param periods names of columns. */
function checksOf(table: string, { by, from, to }: Periods): Check[] {
  const hasPeriod = ['deleted_at is null', `${from} < ${to}`, ...by.map(column => `${column} is not null`)].join(
    ' and ',
  )
  // A period overlaps an earlier one if it begins before the last end so far.
  const lastEnd = `max(${to}) over (partition by ${['tenant_id', ...by].join(', ')} order by ${from}, id rows between unbounded preceding and 1 preceding)`
  return [
    {
      from: `${quoteName(table)} where deleted_at is null and ${from} >= ${to}`,
      key: 'id',
      noun: 'row',
      message: 'that end before they begin: {count} ({keys})',
    },
    {
      from: `(select id, ${from} < ${lastEnd} as collides from ${quoteName(table)} where ${hasPeriod}) as found where collides`,
      key: 'id',
      noun: 'row',
      message: 'overlapping an earlier period: {count} ({keys})',
    },
  ]
}
