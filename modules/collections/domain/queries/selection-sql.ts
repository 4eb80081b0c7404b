/** The columns of a selection as SQL, with expanded references as JSON of the same statement, and their values as JSON. Pure. */
import { columnOf, linkedRows, type SqlContext } from '../conditions/condition-sql.ts'
import type { Target } from '../conditions/resolved-condition.ts'
import { joinTableName } from '../declarations/naming.ts'
import { quoteName } from '../tables/sql-literals.ts'
import { expansionLimit, nameOf, type Selection } from './selection.ts'

/** How a column arrives: as a value of its type, or as `row_to_json` writes the JSON value. */
type Form = 'value' | 'json'

/** `r."title" as "title", …` */
export const selectionSql = (context: SqlContext, selection: Selection, alias: string, form: Form = 'value'): string =>
  selection.targets
    .map(target => `${targetSql(context, selection, target, alias, form)} as ${quoteName(nameOf(target))}`)
    .join(', ')

/** A selection whose rows are read as JSON texts. */
export interface TextSelection {
  readonly selection: Selection
  /** The text of a row of the table with the alias `r`. */
  readonly sql: string
  /** The first parameters of the statement. */
  readonly values: readonly unknown[]
  /** Whether it has a JSON field, whose text in PostgreSQL has spaces. */
  readonly hasJson: boolean
}

/** The JSON text of the row that `rowOf` returns. PostgreSQL writes it faster than Node reads the columns. */
export const rowTextSql = (context: SqlContext, selection: Selection, alias: string): string =>
  `${rowJsonSql(context, selection, alias, 'json')}::text`

const rowJsonSql = (context: SqlContext, selection: Selection, alias: string, form: Form, from = ''): string =>
  `(select row_to_json(x) from (select ${selectionSql(context, selection, alias, form)}${from}) x)`

/** One field. A reference to a row that the caller can't read is null. */
export function targetSql(
  context: SqlContext,
  selection: Selection,
  target: Target,
  alias: string,
  form: Form = 'value',
): string {
  const column = columnOf(alias, target.column)
  const jsonSql = form === 'json' ? target.spec.jsonSql : undefined
  if (jsonSql) return jsonSql(column)
  if (target.kind === 'system') return column
  const { reference, type } = target.field
  // Converted to JavaScript, a date would depend on the time zone of the process.
  if (!reference) return type === 'date' ? `${column}::text` : column
  const expansion = selection.expansions.get(nameOf(target))
  const hidden = context.hides?.(reference.to)
  if (!expansion && !hidden) return reference.many ? linkedIdsSql(selection, target.field.name, alias, form) : column
  const found = context.nextAlias()
  const collection = expansion?.collection ?? hidden
  if (!collection) throw new Error(`unknown collection ${reference.to}`)
  const { from, where, position } = linkedRows(context, selection.collection, target.field, collection, alias, found)
  // PostgreSQL runs one subquery for the row and its JSON faster than two.
  if (expansion && !reference.many) return rowJsonSql(context, expansion, found, form, ` from ${from} where ${where}`)
  const value = expansion ? rowJsonSql(context, expansion, found, form) : `${found}.id`
  if (!reference.many) return `(select ${value} from ${from} where ${where})`
  if (!expansion) return `(select ${listSql(value, String(position), form)} from ${from} where ${where})`
  const first = `select ${value} as value, ${position} as position from ${from} where ${where}
    order by ${position} limit ${expansionLimit(selection)}`
  return `(select ${listSql('e.value', 'e.position', form)} from (${first}) e)`
}

const linkedIdsSql = ({ collection }: Selection, field: string, alias: string, form: Form): string =>
  `(select ${listSql('j.target_id', 'j.position', form)} from ${quoteName(joinTableName(collection.name, field))} j
    where j.tenant_id = ${alias}.tenant_id and j.row_id = ${alias}.id)`

/** `json_agg` separates values by spaces, and `row_to_json` writes an array without them. */
const listSql = (value: string, position: string, form: Form): string =>
  form === 'json'
    ? `coalesce(array_agg(${value} order by ${position}), '{}')`
    : `coalesce(json_agg(${value} order by ${position}), '[]')`

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
