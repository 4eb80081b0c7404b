/**
 * Changes in two steps. The first one adds a column, fills it in batches, and keeps it up to date by a trigger, so that
 * processes of the earlier recipe keep working. The second one removes what only the earlier recipe needs. Pure.
 */

import { historyTableName, identifier } from '../declarations/naming.ts'
import { type CollectionLayout, type FieldLayout, type Working, withKeyNames } from '../tables/layout.ts'
import { literal, quoteName } from '../tables/sql-literals.ts'
import type { UsingValue } from './using.ts'

/** Where a field is stored under one of its names. */
export type NamedField = Pick<FieldLayout, 'name' | 'column' | 'joinTable'>

export interface Expansion {
  readonly collection: string
  /** The field of the new recipe. */
  readonly field: string
  /** `type` ends when the column is filled; the others when a later recipe no longer asks for them. */
  readonly kind: 'rename' | 'type' | 'value'
  readonly table: string
  /** Null for a reference with `many`, whose other name is a view. */
  readonly fill: Fill | null
  /** Run before the column is filled. */
  readonly prepare: readonly string[]
  /** Run after the column is filled, each outside a transaction. */
  readonly concurrent?: readonly string[]
  /** Removes what `prepare` has made, if the change is given up. */
  readonly undo: readonly string[]
  /** Ends a complete expansion. */
  readonly end: readonly string[]
  /** The expression of a step `value`. */
  readonly source: string | null
  /** Columns that the trigger reads. */
  readonly reads: readonly string[]
  /** The names of a step `rename`: the one that keys, bounds and generated columns use, and the one that is kept equal. */
  readonly names: { readonly kept: NamedField; readonly copy: NamedField } | null
}

export interface Fill {
  readonly column: string
  /** SQL over the columns of the row. */
  readonly value: string
  /** Whether only rows without a value get one. */
  readonly onlyEmpty: boolean
  /** Queries `page` and `changed` that fill so many rows, if their values depend on each other. */
  readonly rows?: string
  readonly size?: number
}

/** An expansion as it is recorded. */
export interface StoredExpansion extends Expansion {
  /** Whether all rows are filled. */
  readonly complete: boolean
  /** Milliseconds. */
  readonly since: number
}

/** Triggers run in the order of their names: values are computed from columns that are already equal. */
const triggerName = (order: 1 | 2, table: string, column: string): string =>
  identifier(`larder_${order}_${table}_${column}`)

function trigger(name: string, table: string, body: string): { readonly create: string[]; readonly drop: string[] } {
  const [own, on] = [quoteName(name), quoteName(table)]
  return {
    create: [
      `create or replace function ${own} () returns trigger language plpgsql as ${literal(`begin ${body} return new; end`)}`,
      `create trigger ${own} before insert or update on ${on} for each row execute function ${own} ()`,
    ],
    drop: [`drop trigger if exists ${own} on ${on}`, `drop function if exists ${own} ()`],
  }
}

/** @param generated the definition of the second column of a computed field. */
export function renameExpansion(
  layout: CollectionLayout,
  before: FieldLayout,
  after: FieldLayout,
  generated: string | undefined,
): Expansion {
  const { name: collection, table, history } = layout
  const names = { kept: namesOf(before), copy: namesOf(after) }
  const versions = history ? historyTrigger(collection, before.name, after.name) : { create: [], drop: [] }
  const shared = { collection, field: after.name, kind: 'rename' as const, table, names, reads: [], source: null }
  if (before.joinTable !== null && after.joinTable !== null) {
    const [view, links] = [quoteName(after.joinTable), quoteName(before.joinTable)]
    const drop = [`drop view if exists ${view}`, ...versions.drop]
    return {
      ...shared,
      fill: null,
      end: drop,
      prepare: [
        // The policies of the table apply to the caller.
        `create or replace view ${view} with (security_invoker = true) as select * from ${links}`,
        `grant select, insert, update, delete on ${view} to larder_app, larder_system`,
        ...versions.create,
      ],
      undo: drop,
    }
  }
  const [kept, copy] = [quoteName(before.column), quoteName(after.column)]
  const dropCopy = `alter table ${quoteName(table)} drop column if exists ${copy}`
  if (generated !== undefined)
    return {
      ...shared,
      fill: null,
      prepare: [`alter table ${quoteName(table)} add column ${generated}`, ...versions.create],
      undo: [...versions.drop, dropCopy],
      end: [...versions.drop, dropCopy],
    }
  const equal = trigger(
    triggerName(1, table, after.column),
    table,
    `if tg_op = 'INSERT' then
       if new.${copy} is null then new.${copy} := new.${kept}; else new.${kept} := new.${copy}; end if;
     elsif new.${copy} is distinct from old.${copy} then new.${kept} := new.${copy};
     elsif new.${kept} is distinct from old.${kept} then new.${copy} := new.${kept};
     end if;`,
  )
  const drop = [...equal.drop, ...versions.drop, dropCopy]
  return {
    ...shared,
    fill: { column: after.column, value: kept, onlyEmpty: false },
    prepare: [
      `alter table ${quoteName(table)} add column ${copy} ${before.columnType}`,
      // A missing value is that of the other name.
      `alter table ${quoteName(table)} alter column ${kept} drop default`,
      ...equal.create,
      ...versions.create,
    ],
    undo: drop,
    end: drop,
  }
}

export interface ValueTarget {
  /** `type` fills the column once, `value` also those rows that an earlier recipe creates. */
  readonly kind: 'type' | 'value'
  readonly column: string
  /** Whether the column is new. */
  readonly adds: boolean
}

/** Fills a column with values that are computed from the row. */
export function valueExpansion(
  { layout, table, columns }: Working,
  { name: field, columnType }: FieldLayout,
  { sql, triggerSql, reads, source }: UsingValue,
  { kind, column, adds }: ValueTarget,
): Expansion {
  const [own, on] = [quoteName(column), quoteName(table)]
  const set = `new.${own} := ${triggerSql};`
  const isLasting = kind === 'value'
  const { create, drop } = trigger(
    triggerName(2, table, column),
    table,
    isLasting ? `if new.${own} is null then ${set} end if;` : set,
  )
  return {
    collection: layout.name,
    field,
    kind,
    table,
    fill: { column, value: sql, onlyEmpty: isLasting },
    prepare: [...(adds ? [`alter table ${on} add column ${own} ${columnType}`] : []), ...create],
    undo: [...drop, ...(adds ? [`alter table ${on} drop column if exists ${own}`] : [])],
    end: drop,
    source: isLasting ? source : null,
    reads: reads.map(name => columns.get(name) ?? name),
    names: null,
  }
}

const namesOf = ({ name, column, joinTable }: FieldLayout): NamedField => ({ name, column, joinTable })

/** Former versions have the value under both names, whichever process writes them. */
function historyTrigger(collection: string, kept: string, copy: string) {
  const table = historyTableName(collection)
  const add = (from: string, to: string) =>
    `if new.row ? ${literal(from)} and not new.row ? ${literal(to)} then
       new.row := new.row || jsonb_build_object(${literal(to)}, new.row -> ${literal(from)});
     end if;`
  return trigger(triggerName(1, table, copy), table, `${add(kept, copy)} ${add(copy, kept)}`)
}

/** Adds the second name to versions that exist. */
export function completeHistory({ collection, names }: Expansion, history: boolean): string[] {
  if (!history || !names) return []
  const [kept, copy] = [literal(names.kept.name), literal(names.copy.name)]
  return [
    `update ${quoteName(historyTableName(collection))} set row = row || jsonb_build_object(${copy}, row -> ${kept})
     where row ? ${kept} and not row ? ${copy}`,
  ]
}

/** The layout of the tables: renamed fields under the name that keys and generated columns use. */
export function physicalLayout(layout: CollectionLayout, expansions: readonly Expansion[]): CollectionLayout {
  let physical = layout
  for (const { collection, names } of expansions)
    if (collection === layout.name && names) physical = withName(physical, names.copy.name, names.kept)
  return physical
}

/** The layout with every renamed field under its later name. */
export function copiedLayout(layout: CollectionLayout, expansions: readonly Expansion[]): CollectionLayout {
  let copied = layout
  for (const { collection, names } of expansions)
    if (collection === layout.name && names) copied = withName(copied, names.kept.name, names.copy)
  return copied
}

/** The layout with another name of a field, in keys and search, too. */
export function withName(layout: CollectionLayout, name: string, to: NamedField): CollectionLayout {
  if (!layout.fields.some(field => field.name === name)) return layout
  const rename = (other: string) => (other === name ? to.name : other)
  return {
    ...layout,
    fields: layout.fields.map(field => (field.name === name ? { ...field, ...to } : field)),
    ...withKeyNames(layout, rename),
    search: layout.search.map(rename),
  }
}
