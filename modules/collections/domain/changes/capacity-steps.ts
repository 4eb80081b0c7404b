/** Changes how many rows of a collection can refer to one row. Pure. */
import type { DeclaredCapacity } from '../declarations/declaration.ts'
import { whereSql } from '../tables/key-condition.ts'
import type { CollectionLayout, Working } from '../tables/layout.ts'
import { quoteName } from '../tables/sql-literals.ts'
import type { PlanBuilder } from './plan-builder.ts'
import type { Check } from './schema-plan.ts'

/** The index is created with the others, without a lock. @param all the collections that are kept, by name. */
export function changeCapacity(
  plan: PlanBuilder,
  working: Working,
  target: CollectionLayout,
  all: ReadonlyMap<string, Working>,
): void {
  const [before, after] = [working.layout, target].map(({ capacity }) => capacity)
  if (JSON.stringify(before) === JSON.stringify(after)) return
  plan.add({
    change: 'change',
    subject: `collection ${target.name}`,
    detail: after ? `at most ${describe(after)}` : `any number of rows with one ${before?.of}`,
    table: working.table,
    notes: after ? overfull(working, target, after, all) : [],
  })
}

const describe = ({ of, max, where }: DeclaredCapacity): string =>
  `${max} ${max === 1 ? 'row' : 'rows'} with one ${of}${where ? ` where ${JSON.stringify(where)}` : ''}`

/** Rows that more rows refer to than that. They keep them, and take no new ones. */
function overfull(
  { table, columns }: Working,
  target: CollectionLayout,
  { of, max, where = {} }: DeclaredCapacity,
  all: ReadonlyMap<string, Working>,
): Check[] {
  const reference = columns.get(of)
  const hasFields = reference !== undefined && Object.keys(where).every(name => columns.has(name))
  const to = target.fields.find(({ name }) => name === of)?.reference?.to
  const other = all.get(to ?? '')
  const places = typeof max === 'number' ? String(max) : placesColumn(other, max.slice(of.length + 1))
  if (!hasFields || !other || places === undefined) return []
  const id = `r.${quoteName(reference)}`
  const counts = Object.keys(where).length > 0 ? ` and ${whereSql(target, where, { columns, alias: 'r' })}` : ''
  return [
    {
      from: `(select ${id} as id from ${quoteName(table)} r
          join ${quoteName(other.table)} t on t.tenant_id = r.tenant_id and t.id = ${id}
        where r.deleted_at is null${counts} group by r.tenant_id, ${id}, ${places} having count(*) > ${places}) as found`,
      key: 'id',
      noun: 'row',
      message: '{count} of that field with more, which take no new ones: {keys}',
    },
  ]
}

/** Undefined for a field that is new. */
function placesColumn(other: Working | undefined, name: string): string | undefined {
  const column = other?.columns.get(name)
  return column === undefined ? undefined : `t.${quoteName(column)}`
}
