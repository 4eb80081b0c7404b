/** Values of a field from other fields of the row, for existing rows: `using`. Pure. */
import type { FieldType } from '../declarations/collection.ts'
import { ExpressionError, parseExpression } from '../fields/expression.ts'
import { EXPRESSION_TYPES, expressionType, readsTime } from '../fields/expression-types.ts'
import { expressionSql, NOW_SQL, resultSql } from '../tables/expression-sql.ts'
import type { CollectionLayout, FieldLayout } from '../tables/layout.ts'

export interface UsingValue {
  /** SQL over the columns of a row. */
  readonly sql: string
  /** The same over the row that a trigger sees. */
  readonly triggerSql: string
  /** Names of fields. */
  readonly reads: readonly string[]
  readonly source: string
}

/**
 * @param layout the collection before the change, and `columns` its columns by field.
 * @param now the time of rows that exist, in milliseconds; undefined where an expression can't read it.
 * @throws ExpressionError
 */
export function usingValue(
  source: string,
  to: Pick<FieldLayout, 'type' | 'columnType'>,
  layout: Pick<CollectionLayout, 'name' | 'fields'>,
  columns: ReadonlyMap<string, string>,
  now?: number,
): UsingValue {
  const wanted = usingType(to.type)
  if (!wanted) throw new ExpressionError(`using can't make values of type ${to.type}`, 0)
  const reads = new Set<string>()
  const find = (name: string) => layout.fields.find(field => field.name === name)
  const expression = parseExpression(source)
  if (now === undefined && readsTime(expression)) throw new ExpressionError("using can't read the time", 0)
  const found = expressionType(expression, name => {
    const field = find(name)
    if (!field) throw new Error(`Unknown field "${name}" in ${layout.name} before the change`)
    const type = EXPRESSION_TYPES[field.type]
    if (!type) throw new Error(`A field of type ${field.type} can't be used in an expression: "${name}"`)
    reads.add(name)
    return type
  })
  if (found !== undefined && found !== wanted)
    throw new ExpressionError(`The result of using is a ${found}, but the field is of type ${to.type}`, 0)
  const nowSql = now === undefined ? undefined : `${now}::double precision`
  const sqlOf = (time: string | undefined, record?: string) =>
    resultSql(
      expressionSql(
        expression,
        name => ({
          column: columns.get(name) ?? name,
          type: EXPRESSION_TYPES[find(name)?.type ?? 'text'] ?? 'text',
          ...(record !== undefined && { record }),
        }),
        time,
      ),
      wanted,
      to.columnType,
    )
  return { sql: sqlOf(nowSql), triggerSql: sqlOf(NOW_SQL, 'new'), reads: [...reads], source }
}

/** Which type the expression of a field has; undefined if there can be none. */
export const usingType = (type: FieldType) => EXPRESSION_TYPES[type]
