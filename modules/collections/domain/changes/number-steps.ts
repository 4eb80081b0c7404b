/** Numbers the rows that exist when a field gets a sequence, by the time of their creation. Pure. */
import type { CollectionLayout, FieldLayout, Working } from '../tables/layout.ts'
import { numberedSql, numberOfSql } from '../tables/sequence-trigger.ts'
import { literal, quoteName } from '../tables/sql-literals.ts'
import { alter } from './change-statements.ts'
import type { Expansion } from './expansion.ts'
import type { PlanBuilder } from './plan-builder.ts'
import type { SchemaStatement } from './schema-plan.ts'

/** Rows per transaction. */
const BATCH_SIZE = 1000

interface Place {
  readonly table: string
  readonly column: string
  readonly collection: string
  readonly sequence: string
}

/** The queries `page` and `changed` of a statement: the next rows without a number, and those that get one. */
function numberRows({ table, column, collection, sequence }: Place, limit?: number): string {
  const [name, own] = [quoteName(table), quoteName(column)]
  return `page as (
      select r.tenant_id, r.id, row_number() over (partition by r.tenant_id order by r.created_at, r.id) as position
        from (select tenant_id, id, created_at from ${name} where ${own} is null
               order by tenant_id, created_at, id ${limit === undefined ? '' : `limit ${limit}`}) r
    ), counted as (
      insert into collections_sequences as s (tenant_id, collection, last_number)
        select tenant_id, ${literal(collection)}, max(position) from page group by tenant_id
        on conflict (tenant_id, collection) do update set last_number = s.last_number + excluded.last_number
        returning tenant_id, last_number
    ), starts as (
      select c.tenant_id, c.last_number - max(p.position) as start from counted c join page p using (tenant_id) group by c.tenant_id, c.last_number
    ), changed as (
      update ${name} t set ${own} = ${numberedSql(sequence, '(s.start + p.position)')} from page p join starts s using (tenant_id)
       where t.tenant_id = p.tenant_id and t.id = p.id and t.${own} is null returning 1
    )`
}

/** Continues after the highest number that a row has. */
const continueSql = ({ table, column, collection, sequence }: Place): string =>
  `insert into collections_sequences as s (tenant_id, collection, last_number)
     select tenant_id, ${literal(collection)}, max(${numberOfSql(sequence, quoteName(column))}) from ${quoteName(table)}
      where ${numberOfSql(sequence, quoteName(column))} is not null group by tenant_id
   on conflict (tenant_id, collection) do update set last_number = greatest(s.last_number, excluded.last_number)`

/** Numbers the last rows, and requires a number of all. No process can add a row meanwhile. */
export const numberRest = (target: CollectionLayout, { column, sequence = '' }: FieldLayout): SchemaStatement[] => {
  const { name: collection, table } = target
  return [
    { sql: `lock table ${quoteName(table)} in share row exclusive mode` },
    { sql: `with ${numberRows({ table, column, collection, sequence })} select count(*) from changed` },
    alter(target, `alter column ${quoteName(column)} set not null`),
  ]
}

/** @param adds whether the column is new. */
export function numberField(
  plan: PlanBuilder,
  working: Working,
  field: FieldLayout,
  target: CollectionLayout,
  adds: boolean,
): void {
  const { sequence = '' } = field
  const subject = `field ${target.name}.${field.name}`
  const detail = `sequence ${sequence}; numbers existing rows by createdAt in batches of ${BATCH_SIZE}, and locks the table against writes while it numbers the last of them`
  if (working.table !== target.table) {
    const mistakes = ['a sequence and a new name of the collection need two deploys']
    plan.add({ change: adds ? 'add' : 'change', subject, detail, table: working.table, mistakes })
    return
  }
  const column = adds ? field.column : (working.columns.get(field.name) ?? field.column)
  const place: Place = { table: working.table, column, collection: target.name, sequence }
  plan.add({
    change: adds ? 'add' : 'change',
    subject,
    detail,
    table: working.table,
    statements: numberRest(target, field),
    expands: numberExpansion(place, field.name, adds),
  })
}

function numberExpansion(place: Place, field: string, adds: boolean): Expansion {
  const [on, own] = [quoteName(place.table), quoteName(place.column)]
  return {
    collection: place.collection,
    field,
    kind: 'type',
    table: place.table,
    fill: {
      column: place.column,
      value: 'null',
      onlyEmpty: true,
      rows: numberRows(place, BATCH_SIZE),
      size: BATCH_SIZE,
    },
    prepare: adds ? [`alter table ${on} add column ${own} text`] : [continueSql(place)],
    undo: adds ? [`alter table ${on} drop column if exists ${own}`] : [],
    end: [],
    source: null,
    reads: [],
    names: null,
  }
}
