/** The columns of a selection as SQL, with expanded references as JSON of the same statement, and their values as JSON. Pure. */
import { columnOf, linkedRows, quoteName, type SqlContext } from './condition-sql.ts'
import { joinTableName } from './naming.ts'
import type { Target } from './resolved-condition.ts'
import { expansionLimit, nameOf, type Selection } from './selection.ts'

/** `r."title" as "title", …` */
export const selectionSql = (context: SqlContext, selection: Selection, alias: string): string =>
  selection.targets
    .map(target => `${targetSql(context, selection, target, alias)} as ${quoteName(nameOf(target))}`)
    .join(', ')

/** One field. A reference to a row that the caller can't read is null. */
export function targetSql(context: SqlContext, selection: Selection, target: Target, alias: string): string {
  if (target.kind === 'system') return columnOf(alias, target.column)
  const { reference, type } = target.field
  // Converted to JavaScript, a date would depend on the time zone of the process.
  if (!reference) return type === 'date' ? `${columnOf(alias, target.column)}::text` : columnOf(alias, target.column)
  const expansion = selection.expansions.get(target.field.name)
  const hidden = context.hides?.(reference.to)
  if (!expansion && !hidden)
    return reference.many ? linkedIdsSql(selection, target.field.name, alias) : columnOf(alias, target.column)
  const found = context.nextAlias()
  const collection = expansion?.collection ?? hidden
  if (!collection) throw new Error(`unknown collection ${reference.to}`)
  const { from, where, position } = linkedRows(context, selection.collection, target.field, collection, alias, found)
  const value = expansion
    ? `(select row_to_json(x) from (select ${selectionSql(context, expansion, found)}) x)`
    : `${found}.id`
  if (!reference.many) return `(select ${value} from ${from} where ${where})`
  if (!expansion) return `(select coalesce(json_agg(${value} order by ${position}), '[]') from ${from} where ${where})`
  const first = `select ${value} as value, ${position} as position from ${from} where ${where}
    order by ${position} limit ${expansionLimit(selection)}`
  return `(select coalesce(json_agg(e.value order by e.position), '[]') from (${first}) e)`
}

const linkedIdsSql = ({ collection }: Selection, field: string, alias: string): string =>
  `(select coalesce(json_agg(j.target_id order by j.position), '[]') from ${quoteName(joinTableName(collection.name, field))} j
    where j.tenant_id = ${alias}.tenant_id and j.row_id = ${alias}.id)`

export type Columns = Readonly<Record<string, unknown>>

/** JSON values of the columns. */
export function rowOf({ targets, expansions }: Selection, columns: Columns): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const target of targets) {
    const name = nameOf(target)
    const value = columns[name]
    const expansion = expansions.get(name)
    if (value === null || value === undefined) row[name] = null
    else if (Array.isArray(value) && isMany(target))
      row[name] = expansion ? value.map(each => rowOf(expansion, each as Columns)) : value
    else row[name] = expansion ? rowOf(expansion, value as Columns) : target.spec.fromColumn(value)
  }
  return row
}

const isMany = (target: Target): boolean => target.kind === 'field' && target.field.reference?.many === true
